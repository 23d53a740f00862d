// This file says how far up the levels of a load an SLO holds.

package slo

// Reach is that as indices of ascending levels; -1: there is none.
type Reach struct {
	Held    int // the highest that held, below any that missed
	Missed  int // the lowest that missed
	Above   int // the highest that held, above one that missed
	Unknown int // the lowest of which it is not yet known
}

// NewReach looks at the verdicts on levels that ascend.
func NewReach(verdicts []Verdict) Reach {
	r := Reach{-1, -1, -1, -1}
	for i, v := range verdicts {
		switch {
		case v == Held && r.Missed < 0:
			r.Held = i
		case v == Held:
			r.Above = i
		case v == Missed && r.Missed < 0:
			r.Missed = i
		case v == Unknown && r.Unknown < 0:
			r.Unknown = i
		}
	}
	return r
}
