// This file scores requests one by one.

package slo

import (
	"math"
	"time"
)

// Undefined marks a latency that a request does not have, such as the TPOT of a single-token answer.
const Undefined time.Duration = -1

// Ending says how a request ended, as far as an SLO cares.
type Ending uint8

// The endings. A cancelled request is not judged at all.
const (
	OK Ending = iota
	Failed
	Cancelled
)

// Requests are requests that ended, in columns of the same length. A latency may be Undefined.
type Requests struct {
	Endings                []Ending
	TTFT, TTFA, TPOT, E2EL []time.Duration
}

// Score scores requests. A criterion that is undefined for a request does not fail it. There is no branch for each
// criterion, because a million requests are scored anew whenever a threshold is turned.
func (c Criteria) Score(r Requests) Tally {
	ttftLimit, ttfaLimit, tpotLimit, e2elLimit := c.limit(TTFT), c.limit(TTFA), c.limit(TPOT), c.limit(E2EL)
	n := len(r.Endings)
	ttfts, ttfas, tpots, e2els := r.TTFT[:n], r.TTFA[:n], r.TPOT[:n], r.E2EL[:n]
	var t Tally
	for i, ending := range r.Endings {
		if ending != OK {
			t.Failed += one(ending == Failed)
			continue
		}
		ttft, ttfa, tpot, e2el := ttfts[i], ttfas[i], tpots[i], e2els[i] // Undefined is below every limit
		t.OK++
		t.Measured[TTFT] += one(ttft != Undefined)
		t.Measured[TTFA] += one(ttfa != Undefined)
		t.Measured[TPOT] += one(tpot != Undefined)
		t.Measured[E2EL] += one(e2el != Undefined)
		missedTTFT, missedTTFA, missedTPOT, missedE2EL := one(ttft > ttftLimit), one(ttfa > ttfaLimit), one(tpot > tpotLimit), one(e2el > e2elLimit)
		t.Missed[TTFT] += missedTTFT
		t.Missed[TTFA] += missedTTFA
		t.Missed[TPOT] += missedTPOT
		t.Missed[E2EL] += missedE2EL
		t.Good += 1 - (missedTTFT | missedTTFA | missedTPOT | missedE2EL)
	}
	return t
}

// Missed lists the limits that request i is over; none where it did not complete.
func (c Criteria) Missed(r Requests, i int) []Metric {
	score := c.Score(Requests{
		Endings: r.Endings[i : i+1], TTFT: r.TTFT[i : i+1], TTFA: r.TTFA[i : i+1], TPOT: r.TPOT[i : i+1], E2EL: r.E2EL[i : i+1],
	})
	var missed []Metric
	for _, m := range Metrics() {
		if score.Missed[m] > 0 {
			missed = append(missed, m)
		}
	}
	return missed
}

// Over reports whether a latency is over the limit of a metric; an undefined one is not.
func (c Criteria) Over(m Metric, d time.Duration) bool { return d > c.limit(m) }

// limit is the limit of a metric, beyond any latency where none is set.
func (c Criteria) limit(m Metric) time.Duration {
	if c[m] <= 0 {
		return math.MaxInt64
	}
	return c[m]
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
