package journal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
)

// moment is a running snapshot at so many seconds of a run.
func moment(seconds float64) *snapshot.Snapshot {
	return &snapshot.Snapshot{
		At: record.Instant(seconds * 1e9), State: snapshot.Running,
		Knobs:  snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 8}, SLO: slo.Criteria{slo.TTFT: 300 * time.Millisecond}, Target: 0.99},
		Stages: []snapshot.StageRow{{Number: 1, Opened: 1e9}},
		Stage:  stats.Summary{Stage: 1},
	}
}

func judged(good, bad int) stats.Summary {
	s := stats.Summary{Stage: 1, Score: slo.Tally{OK: good + bad, Good: good}}
	s.Score.Measured[slo.TTFT] = good + bad
	return s
}

// What happens between two moments is told in these sentences, and nothing else is.
func TestEachThingThatHappensIsTold(t *testing.T) {
	rows := []struct {
		name   string
		change func(a, b *snapshot.Snapshot)
		want   string // topic, weight and sentence, a line each; "": nothing is told
	}{
		{"nothing", func(a, b *snapshot.Snapshot) {}, ""},
		{"it begins", func(a, b *snapshot.Snapshot) { a.State = snapshot.Probing }, "run: the load begins: c=8, 0 in, 0 out"},
		{"a pause", func(a, b *snapshot.Snapshot) { b.State = snapshot.Paused }, "run: paused: no new requests start"},
		{"its end", func(a, b *snapshot.Snapshot) { a.State = snapshot.Paused }, "run: the load goes on"},
		{"draining", func(a, b *snapshot.Snapshot) { b.State, b.InFlight.Total = snapshot.Draining, 3 }, "run: no new requests start; 3 in flight end the run"},
		{"the end", func(a, b *snapshot.Snapshot) {
			b.State, b.Counts.OK, b.Counts.Failed = snapshot.Ended, 1200, 4
		}, "run: the run has ended: 1,200 requests completed, 4 failed"},
		{"an early end", func(a, b *snapshot.Snapshot) { b.State, b.Err = snapshot.Ended, errors.New("no route") }, "run bad: the run ended early: no route"},
		{"a stall", func(a, b *snapshot.Snapshot) { b.Stood = 3200 * time.Millisecond }, "run caution: the process stood still for 3.2 s: what ran then is in no figure"},
		{"a full disk", func(a, b *snapshot.Snapshot) { b.Kept.Problem = "the disk is full" }, "run bad: the disk is full"},
		{"load", func(a, b *snapshot.Snapshot) { b.Knobs.Load.Concurrency = 16 }, "load: load: c=8 → c=16"},
		{"limits", func(a, b *snapshot.Snapshot) { b.Knobs.SLO = slo.Criteria{} }, "slo: SLO: ttft=300ms → none"},
		{"target", func(a, b *snapshot.Snapshot) { b.Knobs.Target = 0.9 }, "slo: SLO target: 99 % → 90 %"},
		{"objectives", func(a, b *snapshot.Snapshot) {
			b.Knobs.Objectives, _ = slo.NewObjectives(slo.Objective{Metric: slo.TTFT, Percentile: 0.95, Limit: 300 * time.Millisecond, Window: 30 * time.Second, Target: 0.9})
		}, "slo: objectives: none → ttft p95 <= 300ms over 30s for 90%"},
		{"a stage", func(a, b *snapshot.Snapshot) {
			b.Stages = append(slices.Clone(a.Stages), snapshot.StageRow{Number: 2, Opened: 20e9, Knobs: b.Knobs})
			b.Stage = stats.Summary{Stage: 2, Settling: true}
		}, "stage: stage 2 begins: c=8, 0 in, 0 out"},
		{"settled", func(a, b *snapshot.Snapshot) { a.Stage.Settling = true }, "stage: stage 1 has settled after 19.0 s: it is measured from here on"},
		{"held", func(a, b *snapshot.Snapshot) { b.Stage = judged(200, 1) }, "verdict good: stage 1 holds the SLO: 99.5 % of 201 requests"},
		{"missed", func(a, b *snapshot.Snapshot) { a.Stage, b.Stage = judged(200, 1), judged(200, 9) }, "verdict bad: stage 1 misses the SLO: 95.6 % of 209 requests"},
		{"as it was told", func(a, b *snapshot.Snapshot) {
			b.Stage = judged(200, 9)
			a.Events = []snapshot.Event{{At: 5e9, Topic: snapshot.OfVerdict, Weight: snapshot.Bad}}
		}, ""},
		{"a failure", func(a, b *snapshot.Snapshot) {
			b.Problems = []stats.Problem{{Kind: record.KindHTTP5xx, Status: 503, Count: 2, Example: "try again"}}
		}, "failure bad: the first HTTP 503: try again"},
		{"many", func(a, b *snapshot.Snapshot) {
			a.Problems = []stats.Problem{{Kind: record.KindTruncated, Count: 98}}
			b.Problems = []stats.Problem{{Kind: record.KindTruncated, Count: 101}}
		}, "failure bad: 100 requests have failed so by now: truncated"},
		{"some more", func(a, b *snapshot.Snapshot) {
			a.Problems = []stats.Problem{{Kind: record.KindTruncated, Count: 101}}
			b.Problems = []stats.Problem{{Kind: record.KindTruncated, Count: 140}}
		}, ""},
		{"down", func(a, b *snapshot.Snapshot) { b.Outage.Since = 17e9 }, "endpoint bad: the endpoint is down: for 3.0 s requests have done nothing but fail"},
		{"up", func(a, b *snapshot.Snapshot) { a.Outage.Since, b.Outage.Over = 8e9, 20e9 }, "endpoint good: the endpoint answers again, after 12.0 s"},
		{"a warning", func(a, b *snapshot.Snapshot) {
			a.Endpoint.Warnings = []string{"one"}
			b.Endpoint = endpoint.Profile{Warnings: []string{"one", "two"}, Dropped: []string{"seed was refused"}}
		}, "endpoint caution: two\nendpoint: seed was refused"},
		{"nonsense", func(a, b *snapshot.Snapshot) { b.Malformed = "3 answers were no JSON" }, "endpoint caution: 3 answers were no JSON"},
		{"retries", func(a, b *snapshot.Snapshot) { b.Again.Attempts = 1 }, "endpoint caution: a refused request was sent again: from now on attempts are counted"},
		{"client-bound", func(a, b *snapshot.Snapshot) {
			b.Health = snapshot.Health{Verdict: health.ClientBound, Reason: "98 % of a core"}
		}, "client bad: client-bound, these figures are not to be trusted: 98 % of a core"},
		{"strained", func(a, b *snapshot.Snapshot) {
			b.Health = snapshot.Health{Verdict: health.Strained, Reason: "lag"}
		}, "client caution: the client is strained: lag"},
		{"well again", func(a, b *snapshot.Snapshot) { a.Health.Verdict, b.Health.Verdict = health.Strained, health.OK }, "client good: the client keeps up again"},
		{"well again and again", func(a, b *snapshot.Snapshot) {
			a.Health.Verdict, b.Health.Verdict = health.Strained, health.OK
			a.Events = []snapshot.Event{{At: 5e9, Topic: snapshot.OfClient, Text: "the client keeps up again"}}
		}, ""},
		{"autopilot", func(a, b *snapshot.Snapshot) {
			a.Pilot = &snapshot.PilotView{Kind: snapshot.Search, Axis: stage.Concurrency, Progress: stage.Progress{Rungs: []stage.Rung{{Level: 8, State: stage.Now}}}}
			b.Pilot = &snapshot.PilotView{Kind: snapshot.Search, Axis: stage.Concurrency, Over: true, Finished: true, Progress: stage.Progress{Rungs: []stage.Rung{{Level: 8, State: stage.Held}}}, Result: stage.Result{Sentence: "c=8 holds"}}
		}, "autopilot good: autopilot: c=8 held\nautopilot: the autopilot is done: c=8 holds"},
		{"autopilot begins", func(a, b *snapshot.Snapshot) { b.Pilot = &snapshot.PilotView{Kind: snapshot.Ladder} }, "autopilot: the autopilot begins: ladder"},
		{"autopilot let go", func(a, b *snapshot.Snapshot) {
			a.Pilot = &snapshot.PilotView{Kind: snapshot.Ladder}
			b.Pilot = &snapshot.PilotView{Kind: snapshot.Ladder, Over: true, Why: "stopped: a knob was turned by hand"}
		}, "autopilot: the autopilot stopped: a knob was turned by hand"},
		{"accelerators", func(a, b *snapshot.Snapshot) { b.GPU = &gpu.Reading{Source: "nvml", Devices: make([]gpu.Device, 2)} }, "gpu: accelerators are read: nvml, 2 of them"},
		{"none", func(a, b *snapshot.Snapshot) {
			a.GPU, b.GPU = &gpu.Reading{}, &gpu.Reading{Err: errors.New("the driver is gone")}
		}, "gpu caution: accelerators can't be read: the driver is gone"},
		{"silent", func(a, b *snapshot.Snapshot) { a.GPU, b.GPU = &gpu.Reading{}, &gpu.Reading{Stale: time.Second} }, "gpu caution: accelerators do not answer"},
		{"there again", func(a, b *snapshot.Snapshot) { a.GPU, b.GPU = &gpu.Reading{Stale: time.Second}, &gpu.Reading{} }, "gpu good: accelerators are read again"},
		{"server", func(a, b *snapshot.Snapshot) { b.Server = known(nil) }, "server: the server's metrics are read"},
		{"server gone", func(a, b *snapshot.Snapshot) { a.Server, b.Server = known(nil), known(errors.New("refused")) }, "server caution: the server's metrics can't be read: refused"},
		{"server back", func(a, b *snapshot.Snapshot) { a.Server, b.Server = known(errors.New("refused")), known(nil) }, "server good: the server's metrics are read again"},
		{"advice", func(a, b *snapshot.Snapshot) {
			b.Advice = []advice.Advice{{Rule: "queue", Sentence: "the queue grows"}}
		}, "advice: the queue grows"},
	}
	told := make(map[snapshot.Topic]bool)
	for _, row := range rows {
		a, b := moment(19.9), moment(20)
		row.change(a, b)
		var got []string
		for _, e := range Between(a, b) {
			told[e.Topic] = true
			got = append(got, strings.TrimSpace(string(e.Topic)+" "+string(e.Weight))+": "+e.Text)
			if e.At != b.At {
				t.Errorf("%s: told of %v, not of %v", row.name, e.At, b.At)
			}
		}
		if text := strings.Join(got, "\n"); text != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, text, row.want)
		}
	}
	for _, r := range rules() {
		if !told[r.topic] {
			t.Errorf("nothing proves what is told of %s", r.topic)
		}
	}
}

func known(err error) *server.Reading {
	r := &server.Reading{Metrics: server.Unread(), Err: err}
	r.Metrics.At = time.Unix(1, 0)
	return r
}

// A verdict of the stage before says nothing of the present one.
func TestAVerdictIsToldOfEachStage(t *testing.T) {
	a, b := moment(19.9), moment(20)
	a.Events = []snapshot.Event{{At: 5e9, Topic: snapshot.OfVerdict, Weight: snapshot.Good}}
	b.Stages[0].Opened = 6e9
	b.Stage = judged(200, 0)
	if told := Between(a, b); len(told) != 1 || told[0].Weight != snapshot.Good {
		t.Errorf("told %v", told)
	}
}
