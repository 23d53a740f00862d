package engine

import (
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
)

// A run that may end when enough time has passed goes on until its verdict is known, and no longer than its budget.
func TestARunGoesOnUntilItsVerdictIsKnown(t *testing.T) {
	const enough, most = 300 * time.Millisecond, time.Minute
	for name, c := range map[string]struct {
		target  float64
		slo     slo.Criteria
		budget  time.Duration
		verdict slo.Verdict
	}{
		"known after a while":    {0.99, slo.Criteria{slo.TTFT: 10 * time.Second}, most, slo.Held},
		"known at once":          {0.5, slo.Criteria{slo.TTFT: 10 * time.Second}, most, slo.Held},
		"nothing is asked for":   {0.99, slo.Criteria{}, most, slo.NoVerdict},
		"not known in its time":  {0.9999, slo.Criteria{slo.TTFT: 10 * time.Second}, 2 * enough, slo.Unknown},
		"missed is known enough": {0.99, slo.Criteria{slo.TTFT: time.Microsecond}, most, slo.Missed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := closedLoop(startSim(t).URL(), 8)
			cfg.Knobs.SLO, cfg.Knobs.Target = c.slo, c.target
			cfg.Budget, cfg.Enough = load.Budget{Duration: c.budget}, enough
			eng, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if err := eng.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := eng.Snapshot()
			if j := s.Verdict(&s.Stage); j.Verdict != c.verdict {
				t.Errorf("%s on %d requests, want %s", j.Verdict, j.N, c.verdict)
			}
			if s.Elapsed < enough || s.Complete() != (c.verdict == slo.Unknown) || s.Complete() && s.Elapsed != c.budget {
				t.Errorf("it took %v, of %v at most", s.Elapsed, c.budget)
			}
		})
	}
}
