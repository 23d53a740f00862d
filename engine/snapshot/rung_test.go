package snapshot

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// levelled is a snapshot of a curve with one settled level, of whose requests so many were good.
func levelled(level float64, good, n int) *Snapshot {
	sum := &stats.Summary{Stage: 1}
	sum.Score = slo.Tally{OK: n, Good: good}
	sum.Score.Measured[slo.TTFT], sum.Score.Missed[slo.TTFT] = n, n-good
	s := &Snapshot{
		Knobs: Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 3}, SLO: slo.Criteria{slo.TTFT: time.Second}, Target: DefaultTarget},
		Pilot: &PilotView{Kind: Search, Axis: stage.Concurrency},
		Curve: stage.NewCurve([]stage.Point{{Level: level, N: n, Settled: n > 0, Summary: sum}}),
	}
	s.Stage.Stage = 2
	return s
}

func TestARungThatIsOverStandsAsItsLevelDoes(t *testing.T) {
	slow := stage.Goal{Name: "ttft p95 <= 1s", Allowed: 0.05, Judged: 200, Missed: 100, Objective: true}
	fast := slow
	fast.Missed = 0
	for name, tt := range map[string]struct {
		rung    stage.Rung
		good, n int
		state   stage.State
		note    string
	}{
		"as it was":                  {stage.Rung{State: stage.Held}, 100, 100, stage.Held, ""},
		"missed since":               {stage.Rung{State: stage.Held}, 1189, 1204, stage.Missed, "missed since: 98.7 % of 1,204"},
		"held since":                 {stage.Rung{State: stage.Missed, Binding: "ttft"}, 398, 400, stage.Held, "held since: 99.5 % of 400"},
		"known since":                {stage.Rung{State: stage.Unknown}, 100, 100, stage.Held, "held since: 100 % of 100"},
		"not known any more":         {stage.Rung{State: stage.Held}, 30, 30, stage.Unknown, "not known since: 30 of 100"},
		"an objective missed":        {stage.Rung{State: stage.Missed, Binding: "x", Goals: []stage.Goal{slow}}, 100, 100, stage.Missed, ""},
		"an objective held":          {stage.Rung{State: stage.Held, Goals: []stage.Goal{fast}}, 90, 100, stage.Missed, "missed since: 90.0 % of 100"},
		"no answer":                  {stage.Rung{State: stage.Missed, Stuck: true, Note: "no answer in 60 s"}, 20, 20, stage.Missed, "no answer in 60 s"},
		"no answer, but held before": {stage.Rung{State: stage.Missed, Stuck: true, Note: "no answer"}, 100, 100, stage.Held, "held since: 100 % of 100"},
		"not over":                   {stage.Rung{State: stage.Now}, 90, 100, stage.Now, ""},
		"never visited":              {stage.Rung{State: stage.Todo}, 90, 100, stage.Todo, ""},
	} {
		tt.rung.Level = 8
		if r := levelled(8, tt.good, tt.n).Rung(tt.rung); r.State != tt.state || r.Note != tt.note {
			t.Errorf("%s: %s %q, want %s %q", name, r.State, r.Note, tt.state, tt.note)
		}
	}
}

// TestARungNeverContradictsItsLevel is of any rung and any level: the two are on one page.
func TestARungNeverContradictsItsLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 2000).Draw(t, "n")
		s := levelled(8, rapid.IntRange(0, n).Draw(t, "good"), n)
		s.Stage.Stage = rapid.IntRange(1, 2).Draw(t, "stage")
		s.InFlight.Total = rapid.IntRange(0, 64).Draw(t, "in flight")
		s.Curve[0].Summary.Settling = rapid.Bool().Draw(t, "settling")
		state := rapid.SampledFrom([]stage.State{stage.Held, stage.Missed, stage.Unknown}).Draw(t, "state")
		r := s.Rung(stage.Rung{Level: 8, State: state})
		if verdict := s.Verdict(s.Curve[0].Summary).Verdict; r.State != stage.State(verdict) || r.State != state && r.Note == "" {
			t.Fatalf("the rung was %s and is %s (%s), its level %s", state, r.State, r.Note, verdict)
		}
	})
}

func TestARungOfAnotherCurveStandsAsItWas(t *testing.T) {
	held := stage.Rung{Level: 8, State: stage.Held}
	other := levelled(9, 50, 100)
	open := levelled(8, 50, 100)
	open.Knobs.Load = load.Setting{Mode: load.Open, Rate: 8}
	free := levelled(8, 50, 100)
	free.Knobs.SLO = slo.Criteria{}
	for _, s := range []*Snapshot{other, open, free} {
		if r := s.Rung(held); r.State != stage.Held || r.Note != "" {
			t.Errorf("%+v", r)
		}
	}
}
