package snapshot

import (
	"testing"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// awaiting is a run held against TTFT and TPOT, of which so many requests have been judged.
func awaiting(n int) *Snapshot {
	return &Snapshot{
		State: Running,
		Knobs: Knobs{SLO: slo.Criteria{slo.TTFT: time.Second, slo.TPOT: time.Second}, Target: 0.99},
		Stage: stats.Summary{Stage: 1, Score: slo.Tally{OK: n, Good: n, Measured: [4]int{n, n, n}}},
	}
}

func TestWhatIsAwaited(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Snapshot)
		n      int
		want   bool
	}{
		"enough":                              {func(*Snapshot) {}, 100, false},
		"too few":                             {func(*Snapshot) {}, 99, true},
		"none yet":                            {func(*Snapshot) {}, 0, true},
		"the load settles":                    {func(s *Snapshot) { s.Stage.Settling = true }, 200, true},
		"nothing is asked for":                {func(s *Snapshot) { s.Knobs.SLO = slo.Criteria{} }, 10, false},
		"missed already":                      {func(s *Snapshot) { s.Stage.Score.Good = 2 }, 20, false},
		"a client that is the bottleneck now": {func(s *Snapshot) { s.Health.Verdict = health.ClientBound }, 10, true},
		"and was, of enough requests":         {func(s *Snapshot) { s.Health.Verdict = health.ClientBound }, 100, false},
		"estimates stay estimates":            {func(s *Snapshot) { s.Stage.Tokens.Source = record.SourceEstimated }, 100, false},
		"an objective":                        {func(s *Snapshot) { s.Objectives = []slo.Standing{{Objective: slo.Objective{Percentile: 0.99}}} }, 100, true},
	} {
		s := awaiting(c.n)
		c.change(s)
		if got := s.Awaits(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestARunIsCompleteWhenItsOwnBudgetEndedIt(t *testing.T) {
	for name, c := range map[string]struct {
		s    Snapshot
		want bool
	}{
		"its time is up":         {Snapshot{State: Ended, Elapsed: time.Minute, Budget: load.Budget{Duration: time.Minute}}, true},
		"its number":             {Snapshot{State: Ended, Counts: stats.Counts{Started: 9}, Budget: load.Budget{Requests: 9}}, true},
		"stopped before":         {Snapshot{State: Ended, Elapsed: time.Second, Budget: load.Budget{Duration: time.Minute}}, false},
		"the last run to an end": {Snapshot{State: Draining, Counts: stats.Counts{Started: 9}, Budget: load.Budget{Requests: 9}}, false},
		"without a budget":       {Snapshot{State: Ended, Elapsed: time.Hour}, false},
	} {
		if got := c.s.Complete(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
