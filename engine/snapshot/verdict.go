// This file is the verdicts of a moment: what the one judge says of its windows, stages and levels.

package snapshot

import (
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// Verdict judges the requests of a summary by the SLO in force; see slo.Decide. It is not known while the load settles, and
// where what it rests on is not to be trusted. The zero Judgement: no SLO is set.
func (s *Snapshot) Verdict(of *stats.Summary) slo.Judgement {
	k := &s.Knobs
	return of.Score.Decide(k.SLO, k.Target, s.beside(of)).Doubted(s.Doubt(of))
}

// VerdictOn judges them by one of its limits alone. The zero Judgement: the metric has none.
func (s *Snapshot) VerdictOn(m slo.Metric, of *stats.Summary) slo.Judgement {
	k := &s.Knobs
	return of.Score.DecideOn(m, k.SLO, k.Target, s.beside(of)).Doubted(s.doubt(of, []slo.Metric{m}))
}

// Doubt is why requests of a summary are not to be judged by the SLO in force, as a clause: "client-bound". It is "" where
// they are.
func (s *Snapshot) Doubt(of *stats.Summary) string { return s.doubt(of, slo.Metrics()) }

// beside is how many requests are in flight beside those of a summary.
func (s *Snapshot) beside(of *stats.Summary) int {
	if s.State == Ended || of.Stage != s.Stage.Stage {
		return 0
	}
	return s.InFlight.Total
}

// doubt is why a summary is not to be judged by limits on some metrics; "" where it is.
func (s *Snapshot) doubt(of *stats.Summary, metrics []slo.Metric) string {
	if of.Settling {
		return "settling"
	}
	client := s.Health.Verdict
	if s.State == Ended {
		client = s.Client.Verdict
	}
	if client == health.ClientBound && (s.State == Ended || of.Stage == s.Stage.Stage) {
		return "client-bound"
	}
	for _, m := range metrics {
		if m == slo.TPOT && s.Knobs.SLO[m] > 0 && of.Tokens.Source == record.SourceEstimated {
			return "estimated"
		}
	}
	return ""
}

// Best is the level of the highest goodput among those that held the SLO; false where none did.
func (s *Snapshot) Best() (stage.Best, bool) {
	return s.Curve.BestGoodput(func(p *stage.Point) bool { return s.Verdict(p.Summary).Verdict == slo.Held })
}
