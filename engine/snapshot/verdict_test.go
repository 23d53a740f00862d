package snapshot

import (
	"testing"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// judged is a summary of stage 2 of which so many of n requests are good.
func judged(good, n int) *stats.Summary {
	return &stats.Summary{
		Stage: 2, Spans: time.Second, Goodput: float64(good), GoodputKnown: true,
		Score: slo.Tally{OK: n, Good: good, Missed: [4]int{slo.TTFT: n - good}, Measured: [4]int{n, n, n}},
	}
}

func present() *Snapshot {
	s := &Snapshot{State: Running, Knobs: Knobs{SLO: slo.Criteria{slo.TTFT: time.Second, slo.TPOT: time.Second}, Target: 0.99}}
	s.Stage.Stage = 2
	s.InFlight.Total = 16
	return s
}

func TestVerdictsOfAMoment(t *testing.T) {
	settling, estimated, earlier := judged(100, 100), judged(100, 100), judged(5, 10)
	settling.Settling, estimated.Tokens.Source, earlier.Stage = true, record.SourceEstimated, 1
	buffered := judged(100, 100)
	buffered.Clumps = stats.Clumps{N: 20, Clumped: 20, Chunks: 1280, Times: 20, Wait: 14 * time.Second}
	bound := func(s *Snapshot) { s.Health.Verdict = health.ClientBound }
	for name, tt := range map[string]struct {
		of     *stats.Summary
		change func(*Snapshot)
		want   slo.Verdict
		why    string
		ttft   slo.Verdict // by the limit of TTFT alone
	}{
		"held":                            {judged(100, 100), nil, slo.Held, "", slo.Held},
		"missed":                          {judged(90, 100), nil, slo.Missed, "", slo.Missed},
		"fewer than are in flight":        {judged(5, 10), nil, slo.Unknown, "10 of 100", slo.Unknown},
		"of a stage that is over":         {earlier, nil, slo.Missed, "", slo.Missed},
		"the run is over":                 {judged(5, 10), func(s *Snapshot) { s.State = Ended }, slo.Missed, "", slo.Missed},
		"settling":                        {settling, nil, slo.Unknown, "settling", slo.Unknown},
		"the client can't keep up":        {judged(100, 100), bound, slo.Unknown, "client-bound", slo.Unknown},
		"it could then":                   {earlier, bound, slo.Missed, "", slo.Missed},
		"estimated, which matters to one": {estimated, nil, slo.Unknown, "estimated", slo.Held},
		"buffered on its way":             {buffered, nil, slo.Unknown, "stream buffered", slo.Unknown},
		"E2EL is what it is":              {buffered, func(s *Snapshot) { s.Knobs.SLO = slo.Criteria{slo.E2EL: time.Second} }, slo.Held, "", slo.NoVerdict},
		"no SLO":                          {judged(0, 100), func(s *Snapshot) { s.Knobs.SLO = slo.Criteria{} }, slo.NoVerdict, "", slo.NoVerdict},
	} {
		s := present()
		if tt.change != nil {
			tt.change(s)
		}
		if j := s.Verdict(tt.of); j.Verdict != tt.want || j.Why != tt.why {
			t.Errorf("%s: %+v, want %s %s", name, j, tt.want, tt.why)
		}
		if j := s.VerdictOn(slo.TTFT, tt.of); j.Verdict != tt.ttft {
			t.Errorf("%s: by TTFT alone %+v, want %s", name, j, tt.ttft)
		}
	}
}

// The best level is the one of the highest goodput that held, and none if none did.
func TestTheBestLevelIsOneThatHeld(t *testing.T) {
	s := present()
	point := func(level float64, good, n int) stage.Point {
		return stage.Point{Level: level, Settled: true, N: n, Summary: judged(good, n)}
	}
	s.Curve = stage.NewCurve([]stage.Point{point(4, 100, 100), point(8, 300, 400), point(16, 40, 40)})
	if best, ok := s.Best(); !ok || s.Curve[best.Index].Level != 4 {
		t.Errorf("best %+v, %v, want c=4", best, ok)
	}
	s.Curve = s.Curve[1:]
	if best, ok := s.Best(); ok {
		t.Errorf("best %+v where none held", best)
	}
}
