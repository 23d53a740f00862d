package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// moment is a run of three stages: one that settled, one in which nothing happened, and one that settles.
func moment() *snapshot.Snapshot {
	k := snapshot.Knobs{
		Load:  load.Setting{Mode: load.Closed, Concurrency: 4},
		Shape: shape.Shape{Prompt: shape.Fixed(64), Output: shape.Fixed(16)},
		SLO:   slo.Criteria{slo.TTFT: 100 * time.Millisecond}, Target: 0.9,
	}
	summary := func(ok, good int, settling bool) *stats.Summary {
		return &stats.Summary{
			Spans: 2 * time.Second, Settling: settling,
			Requests: stats.Counts{OK: ok}, Score: slo.Tally{OK: ok, Good: good, Measured: [3]int{slo.TTFT: ok}},
			TTFT: stats.Distribution{N: ok, P50: 5 * time.Millisecond},
		}
	}
	return &snapshot.Snapshot{
		Knobs: k, Elapsed: 5 * time.Second, Counts: stats.Counts{Started: 31, OK: 30},
		Prompts: snapshot.PromptLengths{Method: snapshot.AsEstimated},
		Stages: []snapshot.StageRow{
			{
				Number: 1, Knobs: k, Summary: summary(20, 19, false),
				Prompts: snapshot.PromptLengths{Method: snapshot.ByUsage, N: 20, Asked: 64, Achieved: 65},
			},
			{Number: 2, Knobs: k, Summary: &stats.Summary{Settling: true}},
			{Number: 3, Knobs: k, Summary: summary(10, 1, true)},
		},
	}
}

// Without a level that has a verdict, the last stage that settled is the operating point, though it is not the last of all;
// one in which nothing happened is none.
func TestAReportIsOfTheLastStageThatSettled(t *testing.T) {
	r := NewReport(moment(), "test")
	if len(r.Stages) != 2 || r.Stages[1].Number != 3 || r.At != -1 || r.Name != "c=4" || !r.Settled || r.Judged != 20 {
		t.Errorf("%d stages, at %d, of %s, settled: %v, %d judged", len(r.Stages), r.At, r.Name, r.Settled, r.Judged)
	}
	if r.SLO.N != 20 || r.SLO.Reached() != slo.Held || *r.SLO.Needed != 10 || *r.SLO.Attainment != 0.95 || r.SLO.Interval[0] != 0.7639 {
		t.Errorf("SLO %+v, want that of the first stage", r.SLO)
	}
	if r.Prompts.Method != "usage" || *r.Prompts.Achieved != 65 {
		t.Errorf("prompts %+v, want those of the first stage", r.Prompts)
	}
	if r.Requests != (Requests{OK: 30, InFlightAtEnd: 1}) {
		t.Errorf("requests %+v, want those of the run", r.Requests)
	}
}

// Requests that move in step are in the notes, in words, and in the figures, as a number, of the stage that they are of.
func TestRequestsInStepAreSaid(t *testing.T) {
	s := moment()
	s.Stages[0].Summary.InStep = stats.InStep{Requests: 4, N: 20, R: 0.96642}
	r := NewReport(s, "test")
	if diff := cmp.Diff([]string{"4 requests move in step: R = 0.97; vary lengths, or ramp"}, r.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if r.InStep == nil || *r.InStep != 0.966 || r.Stages[0].InStep == nil || r.Stages[1].InStep != nil {
		t.Errorf("R is %v, of stages %v and %v", r.InStep, r.Stages[0].InStep, r.Stages[1].InStep)
	}
	if r.Load.Start == nil || *r.Load.Start != "fair" {
		t.Errorf("start %v", r.Load.Start)
	}
	s.Stages[0].Summary.InStep.R = 0.2
	if r := NewReport(s, "test"); len(r.Notes) != 0 || *r.InStep != 0.2 {
		t.Errorf("at random phases: notes %q, R %v", r.Notes, *r.InStep)
	}
}

// A stream that is buffered on its way is in the notes and with the figures that are not to be trusted for it. That casts
// doubt on what rests on the instants of tokens, and on nothing else.
func TestBufferedStreamsAreDoubted(t *testing.T) {
	for _, tt := range []struct {
		criteria slo.Criteria
		doubted  bool
	}{
		{slo.Criteria{}, true},
		{slo.Criteria{slo.TTFT: time.Second}, true},
		{slo.Criteria{slo.TPOT: time.Second, slo.E2EL: time.Second}, true},
		{slo.Criteria{slo.E2EL: time.Second}, false},
	} {
		s := moment()
		s.Knobs.SLO = tt.criteria
		s.Stages[0].Summary.Score.Measured = [3]int{slo.TTFT: 20, slo.E2EL: 20}
		s.Stages[0].Summary.Clumps = stats.Clumps{N: 20, Clumped: 20, Chunks: 1280, Times: 20, Wait: 14 * time.Second}
		r := NewReport(s, "test")
		want := "the stream is buffered on its way: TTFT, ITL and TPOT are not the server's (the chunks of 100 % of the answers " +
			"come 64 at a time)"
		if diff := cmp.Diff([]string{want}, r.Notes); diff != "" || r.Untrusted == nil || *r.Untrusted != want || r.Stages[1].Untrusted != nil {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
		if got := r.Doubt() == want; got != tt.doubted {
			t.Errorf("%v: %q", tt.criteria, r.Doubt())
		}
		s.Stages[0].Summary.Clumps.Late = 500 * time.Millisecond
		if r := NewReport(s, "test"); r.Untrusted != nil || len(r.Notes) != 0 {
			t.Errorf("a late client: %q", r.Notes)
		}
	}
}

// Stages of one shape whose answers had other lengths don't compare; those of other shapes are not meant to.
func TestAnswersThatDifferFromStageToStageAreSaid(t *testing.T) {
	s := moment()
	answers := func(achieved float64) snapshot.AnswerLengths {
		return snapshot.AnswerLengths{Asked: 16, Achieved: achieved, N: 20}
	}
	s.Stages[0].Answers, s.Stages[2].Answers = answers(16), answers(15.5)
	if r := NewReport(s, "test"); len(r.Notes) != 0 {
		t.Errorf("nearly alike: %q", r.Notes)
	}
	s.Stages[2].Answers = answers(12)
	want := []string{"answers had 16.0 tokens on average in stage 1 and 12.0 in stage 3: TPOT and throughput don't compare from stage to stage"}
	if diff := cmp.Diff(want, NewReport(s, "test").Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.Stages[2].Knobs.Shape.Output = shape.Fixed(12)
	if r := NewReport(s, "test"); len(r.Notes) != 0 {
		t.Errorf("other shapes: %q", r.Notes)
	}
}

// What the server refused is named although it was sent again, and although nothing failed for good.
func TestRetriesAreReported(t *testing.T) {
	s := moment()
	s.Retried = 3
	s.Again = endpoint.Again{
		Attempts: 5, Waited: 90 * time.Second,
		Refused: []endpoint.Refused{{Refusal: endpoint.Refusal{Kind: "http_429", Status: 429, Example: "too many"}, Count: 4}, {Refusal: endpoint.Refusal{Kind: "connect", Example: "no route"}, Count: 1}},
		Waiting: []endpoint.Waiting{{N: 2}, {N: 1}},
	}
	status := 429
	r := NewReport(s, "test")
	want := Retries{
		Requests: 3, Attempts: 5, WaitedS: 90, Waiting: 3,
		Refused: []Problem{{Kind: "http_429", Status: &status, Count: 4, Example: "too many"}, {Kind: "connect", Count: 1, Example: "no route"}},
	}
	if diff := cmp.Diff(want, r.Retries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	notes := []string{
		"3 requests were sent again after a failure; their latencies are from the first attempt",
		"refused with 429, to be sent again: 4 × too many", "refused with connect, to be sent again: 1 × no route",
	}
	if diff := cmp.Diff(notes, r.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// Where everything failed, that is the reason for which nothing completed, not the time.
func TestARunThatOnlyFailedSaysWhy(t *testing.T) {
	r := &Report{DurationS: 6, Figures: Figures{Requests: Requests{Failed: 2}}, Errors: []Problem{{Example: "the server said no"}}}
	if got, want := r.Doubt(), "no request completed in 6.0 s: 2 failed, the first because the server said no"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEqualSnapshotsGiveEqualReports(t *testing.T) {
	s := moment()
	first := NewReport(s, "test")
	if diff := cmp.Diff(first, NewReport(s, "test")); diff != "" {
		t.Errorf("the same snapshot twice (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(first, NewReport(moment(), "test")); diff != "" {
		t.Errorf("an equal snapshot (-first +second):\n%s", diff)
	}
}

// A list without members is [], and what nobody knows is null.
func TestAReportOfARunThatNeverBegan(t *testing.T) {
	var b bytes.Buffer
	s := &snapshot.Snapshot{Knobs: moment().Knobs}
	if err := NewReport(s, "test").WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{
		`"endpoints": []`, `"notes": []`, `"errors": []`, `"stages": []`, `"objectives": []`,
		`"started": null`, `"sweep": null`, `"spent": null`, `"verdict": null`,
	} {
		if !strings.Contains(b.String(), member) {
			t.Errorf("no %s in %s", member, b.String())
		}
	}
}

// Of several endpoints, each is named before what is to be known of it.
func TestNotesOfSeveralEndpoints(t *testing.T) {
	a := endpoint.Profile{URL: "http://a", Dropped: []string{"takes no seed"}}
	b := endpoint.Profile{URL: "http://b", Warnings: []string{"is old"}}
	s := &snapshot.Snapshot{Endpoint: a}
	if diff := cmp.Diff([]string{"takes no seed"}, notes(s)); diff != "" {
		t.Errorf("of one (-want +got):\n%s", diff)
	}
	s.Endpoints = []snapshot.EndpointLine{{Profile: a}, {Profile: b}}
	if diff := cmp.Diff([]string{"http://a: takes no seed", "http://b: is old"}, notes(s)); diff != "" {
		t.Errorf("of two (-want +got):\n%s", diff)
	}
}
