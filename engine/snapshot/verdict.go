// This file is the verdicts of a moment: what the one judge says of its windows, stages and levels.

package snapshot

import (
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// Settling is why a verdict is not known where nothing of the steady part has ended yet.
const Settling = "settling"

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
		return Settling
	}
	client := s.Health.Verdict
	if s.State == Ended {
		client = s.Client.Verdict
	}
	if client == health.ClientBound && (s.State == Ended || of.Stage == s.Stage.Stage) {
		return "client-bound"
	}
	for _, m := range metrics {
		switch {
		case s.Knobs.SLO[m] == 0:
		case m.OfTokens() && of.Clumps.Buffered():
			return "stream buffered"
		case m == slo.TPOT && of.Tokens.Source == record.SourceEstimated:
			return "estimated"
		}
	}
	return ""
}

// Best is the level of the highest goodput among those that held the SLO; false where none did.
func (s *Snapshot) Best() (stage.Best, bool) {
	return s.Curve.BestGoodput(func(p *stage.Point) bool { return s.Verdict(p.Summary).Verdict == slo.Held })
}

// Awaits reports whether the verdict on the present stage and on the objectives is not yet known, and more requests may make
// it known: not where nothing is asked for, and not where enough were judged and it is for another reason.
func (s *Snapshot) Awaits() bool {
	j := s.Verdict(&s.Stage)
	verdicts := []slo.Verdict{j.Verdict}
	for i := range s.Objectives {
		verdicts = append(verdicts, s.Objectives[i].Overall().Verdict)
	}
	return slo.All(verdicts...) == slo.Unknown && (j.Verdict != slo.Unknown || s.Stage.Settling || j.N < j.Needed)
}

// Complete reports whether a run that is over was ended by its own budget: its time, or its number of requests.
func (s *Snapshot) Complete() bool {
	b := s.Budget
	return s.State == Ended && (b.Duration > 0 && s.Elapsed >= b.Duration || b.Requests > 0 && s.Counts.Started >= b.Requests)
}
