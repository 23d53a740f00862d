// This file is the judge: whether as many requests were good as is asked for, or whether that is not yet known.

package slo

import (
	"fmt"
	"math"

	"tokdyno/engine/chance"
)

// Verdict is what is said of a load, an objective or a criterion.
type Verdict string

// The verdicts.
const (
	NoVerdict Verdict = ""        // nothing is asked for
	Unknown   Verdict = "unknown" // not yet known; see Judgement.Why
	Held      Verdict = "held"
	Missed    Verdict = "missed"
)

const (
	byChance    = 0.01 // what is less likely than this does not happen by chance
	fewestBad   = 10   // below so many requests, no number of bad ones says that a load misses
	neededOfAll = 100  // requests that a target of 100 % needs, of which no number would be enough: as many as 99 % needs
)

// Judgement is a verdict with what it rests on. The zero Judgement is that nothing is asked for.
type Judgement struct {
	Verdict Verdict
	Good, N int    // of N requests judged, so many were good
	Needed  int    // the fewest requests of which it can be said that they hold
	Why     string // why the verdict is Unknown, as a clause; "" where it is not
}

// Decide is the judge. It is told how many of n requests were good, how many are in flight beside them, and the share that
// has to be good, above 0 and up to 1.
//
//   - held: as many were judged as are needed for one of them to be bad, and as many of them are good as is asked for.
//   - missed: the same, and fewer are good. Or earlier, once ten and as many as are in flight were judged (those that end
//     first are not like the others), if so few good ones would happen by chance less than once in a hundred times: P[B ≤ good] <
//     0.01 for B from Binomial(n, target).
//   - unknown: all else.
func Decide(good, n, inFlight int, target float64) Judgement {
	j := Judgement{Verdict: Unknown, Good: good, N: n, Needed: Needed(target)}
	holds := float64(good) >= target*float64(n)-1e-9*float64(n)
	switch {
	case n >= j.Needed && holds:
		j.Verdict = Held
	case n >= j.Needed:
		j.Verdict = Missed
	case !holds && n >= max(fewestBad, inFlight) && chance.AtMost(n, good, target) < byChance:
		j.Verdict = Missed
	default:
		j.Why = fmt.Sprintf("%d of %d", n, j.Needed)
	}
	return j
}

// Needed is the fewest requests of which one may be bad: ⌈1/(1 − target)⌉, which is 100 for 99 % and 1000 for 99.9 %. For
// 100 % it is 100.
func Needed(target float64) int {
	if target >= 1 {
		return neededOfAll
	}
	return int(math.Ceil(1/(1-target) - 1e-6))
}

// Share is the share that was good; false where none was judged.
func (j Judgement) Share() (float64, bool) { return float64(j.Good) / float64(j.N), j.N > 0 }

// Interval is the 95 % interval of that share; see chance.Share.
func (j Judgement) Interval() (low, high float64, ok bool) { return chance.Share(j.Good, j.N) }

// Doubted is the judgement where its figures are not to be trusted, or not meant to be judged: unknown, for that reason. ""
// is no reason.
func (j Judgement) Doubted(why string) Judgement {
	if why != "" && j.Verdict != NoVerdict {
		j.Verdict, j.Why = Unknown, why
	}
	return j
}

// All is the verdict on several things that all have to hold: missed if one is, and held if each is for which anything is
// asked.
func All(verdicts ...Verdict) Verdict {
	all := NoVerdict
	for _, v := range verdicts {
		switch {
		case v == Missed:
			return Missed
		case v == Unknown, v == Held && all == NoVerdict:
			all = v
		}
	}
	return all
}

// Decide judges the requests that were counted by criteria, of which a share has to be good; see Decide. Without criteria
// nothing is asked for. Where requests completed and none of the limited metrics could be measured, that is why it is not
// known.
func (t Tally) Decide(c Criteria, target float64, inFlight int) Judgement {
	if !c.Active() {
		return Judgement{}
	}
	j := Decide(t.Good, t.OK+t.Failed, inFlight, target)
	if t.OK > 0 && !t.scored(c) {
		return j.Doubted("none of its metrics could be measured")
	}
	return j
}

// MissedByErrors reports whether a limit is missed for requests that failed alone: enough of those that its metric was defined on
// are within it.
func (t Tally) MissedByErrors(m Metric, target float64) bool {
	return t.Failed > 0 && Decide(t.Measured[m]-t.Missed[m], t.Measured[m], 0, target).Verdict != Missed
}

// DecideOn judges by one of the criteria alone: of the requests that its metric was defined on or that failed. Without a
// limit on it, nothing is asked for.
func (t Tally) DecideOn(m Metric, c Criteria, target float64, inFlight int) Judgement {
	if m >= metrics || c[m] <= 0 {
		return Judgement{}
	}
	return Decide(t.Measured[m]-t.Missed[m], t.Measured[m]+t.Failed, inFlight, target)
}
