package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// tried is a level of a run: its concurrency, and of how many requests so many were good.
type tried struct{ c, good, n int }

// climbed is a run over levels, a stage each, that an SLO of 100 ms for 90 % of requests was held against: ten requests are
// needed.
func climbed(levels ...tried) *snapshot.Snapshot {
	k := snapshot.Knobs{
		Load:  load.Setting{Mode: load.Closed},
		Shape: shape.Shape{Prompt: shape.Fixed(64), Output: shape.Fixed(16)},
		SLO:   slo.Criteria{slo.TTFT: 100 * time.Millisecond}, Target: 0.9,
	}
	s := &snapshot.Snapshot{State: snapshot.Ended, Elapsed: time.Minute, Knobs: k}
	for i, l := range levels {
		k.Load.Concurrency = l.c
		summary := &stats.Summary{
			Stage: i + 1, Spans: 5 * time.Second, Requests: stats.Counts{OK: l.n},
			Score: slo.Tally{OK: l.n, Good: l.good, Measured: [4]int{slo.TTFT: l.n}, Missed: [4]int{slo.TTFT: l.n - l.good}},
			TTFT:  stats.Distribution{N: l.n, P50: 50 * time.Millisecond, P90: 170 * time.Millisecond},
		}
		s.Counts.Started, s.Counts.OK = s.Counts.Started+l.n, s.Counts.OK+l.n
		s.Stages = append(s.Stages, snapshot.StageRow{Number: i + 1, Knobs: k, Summary: summary})
		s.Curve = append(s.Curve, stage.Point{Level: float64(l.c), Stages: []int{i + 1}, N: l.n, Settled: true, Summary: summary})
		s.Stage = *summary
	}
	s.Curve = stage.NewCurve(s.Curve)
	return s
}

func TestTheFiguresOfAReportAreThoseOfItsAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		levels        []tried
		of            string // the level that the figures at the top are of
		judged        int
		level, missed float64 // of the answer; 0: none
		relaxed       string
	}{
		"the highest that held, not the last": {[]tried{{8, 40, 40}, {16, 3, 40}, {4, 50, 50}, {6, 2, 3}}, "c=8", 40, 8, 16, "ttft=200ms"},
		"held above one that missed":          {[]tried{{4, 40, 40}, {8, 10, 50}, {16, 60, 60}}, "c=4", 40, 4, 8, "ttft=200ms"},
		"nothing missed":                      {[]tried{{4, 40, 40}, {8, 50, 50}}, "c=8", 50, 8, 0, ""},
		"none held":                           {[]tried{{8, 10, 40}, {4, 10, 50}}, "c=4", 50, 0, 4, "ttft=200ms"},
		"nothing is known":                    {[]tried{{8, 8, 8}, {4, 7, 7}}, "c=4", 7, 0, 0, ""},
	} {
		r := NewReport(climbed(c.levels...), "test")
		if r.Name != c.of || r.Judged != c.judged || r.SLO.N != c.judged || r.Levels[r.At].Name != c.of {
			t.Errorf("%s: figures of %s with %d judged, SLO of %d; want %s with %d", name, r.Name, r.Judged, r.SLO.N, c.of, c.judged)
		}
		if diff := cmp.Diff([]any{c.level, c.missed, c.relaxed}, []any{or(r.Answer.Level), or(r.Answer.Missed), or(r.Answer.Relaxed)}); diff != "" {
			t.Errorf("%s: answer (-want +got):\n%s", name, diff)
		}
	}
}

// or is a value, the zero one where there is none.
func or[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

// A level is what the curve has pooled: its stages count once, and those that differ are told of.
func TestALevelIsItsStagesTogether(t *testing.T) {
	s := climbed(tried{4, 30, 30}, tried{8, 20, 20}, tried{4, 20, 20}, tried{8, 1, 20}, tried{16, 1, 1})
	pooled := *s.Stages[0].Summary
	pooled.Score, pooled.Requests.OK = slo.Tally{OK: 50, Good: 50, Measured: [4]int{50}}, 50
	s.Stages[4].Summary.Settling = true
	s.Curve = stage.Curve{
		{Level: 4, Stages: []int{1, 3}, N: 50, Settled: true, Summary: &pooled},
		{Level: 8, Stages: []int{4}, N: 20, Settled: true, Summary: s.Stages[3].Summary, EarlierDiffer: true},
		{Level: 16, Stages: []int{5}, N: 1, Summary: s.Stages[4].Summary},
	}
	r := NewReport(s, "test")
	type level struct {
		Name          string
		Stages, Apart []int
		N             int
		Settled       bool
	}
	var got []level
	for _, l := range r.Levels {
		got = append(got, level{l.Name, l.Stages, l.Apart, l.SLO.N, l.Settled})
	}
	want := []level{{"c=4", []int{1, 3}, []int{}, 50, true}, {"c=8", []int{4}, []int{2}, 20, true}, {"c=16", []int{5}, []int{}, 1, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if r.Judged != 50 || *r.Answer.Level != 4 || *r.Answer.Missed != 8 {
		t.Errorf("%d judged, answer %v and %v", r.Judged, *r.Answer.Level, *r.Answer.Missed)
	}
}

func TestWhatWouldMakeTheVerdictKnown(t *testing.T) {
	few := climbed(tried{8, 5, 5})
	few.Elapsed = 8 * time.Second // of which 5 were measured, and gave half of the requests that are needed
	says(t, "by time", NewReport(few, "test").Longer(), "about 15 s would do")
	few.Budget.Requests = 5
	says(t, "by number", NewReport(few, "test").Longer(), "about 20 requests would do")
	if r := NewReport(climbed(tried{8, 40, 40}), "test"); r.Wanted != (load.Budget{}) || r.Doubt() != "" {
		t.Errorf("a verdict that is known wants %+v: %s", r.Wanted, r.Doubt())
	}
}
