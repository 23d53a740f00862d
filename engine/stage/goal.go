// This file is what a level has to hold.

package stage

import "tokdyno/engine/slo"

// Goal is one thing that a level has to hold: of the samples judged, at most the share Allowed may miss it. An SLO for
// single requests is one goal, of which 1 − target may miss; "P99 of TTFT ≤ 500 ms" is one, of which 1 % may.
type Goal struct {
	Name     string  // "ttft", or "ttft p99 <= 500ms"
	Allowed  float64 // 0–1
	Judged   int     // samples so far; 0: unknown
	Missed   int     // those that missed; requests in flight that have already missed may be counted, here and in Judged
	PerToken bool    // the samples are tokens, not requests: how many there will be is not known
	// Objective says that it is one of many requests, and not the SLO for single ones.
	Objective bool
}

// Decide is what the judge says of it, while so many requests are in flight beside those judged.
func (g Goal) Decide(inFlight int) slo.Judgement {
	return slo.Decide(g.Judged-g.Missed, g.Judged, inFlight, 1-g.Allowed)
}

// share is the share that missed; 0 where none was judged.
func (g Goal) share() float64 { return float64(g.Missed) / float64(max(g.Judged, 1)) }

// missedOf reports whether more missed than may among n.
func (g Goal) missedOf(n float64) bool { return float64(g.Missed) > g.Allowed*n+1e-9*n }

// Needed is the fewest requests that the goals need for a verdict; 0 where they need none. Tokens come by themselves.
func Needed(goals []Goal) int {
	most := 0
	for _, g := range goals {
		if !g.PerToken {
			most = max(most, slo.Needed(1-g.Allowed))
		}
	}
	return most
}

// ObjectiveGoal makes a goal of an objective, of which so many samples were judged and so many were over its limit. That a
// P99 is within a limit over a whole level means that at most 1 % of its samples are over it; window and target, which say
// how often that has to hold in a run that goes on, do not matter here.
func ObjectiveGoal(o slo.Objective, judged, missed int) Goal {
	g := Goal{
		Name: o.Short(), Allowed: 1 - o.Percentile, Judged: judged, Missed: missed, PerToken: o.Metric == slo.ITL, Objective: true,
	}
	if o.Metric == slo.ErrorRate {
		g.Allowed = o.MaxErrors
	}
	return g
}

// CriteriaGoal makes a goal of an SLO for single requests: at most 1 − target of them may miss. It is named after the
// criterion that fails most requests, or after all of them where nothing fails. It is false where no SLO is set.
func CriteriaGoal(score slo.Tally, criteria slo.Criteria, target float64) (Goal, bool) {
	if !criteria.Active() {
		return Goal{}, false
	}
	g := Goal{Name: score.Binding(criteria), Allowed: 1 - target}
	if g.Name == "" {
		g.Name = criteria.String()
	}
	if _, ok := score.Attainment(criteria); ok {
		g.Judged = score.OK + score.Failed
		g.Missed = g.Judged - score.Good
	}
	return g, true
}
