// This file is the level of the load over time: where it is, and when it gets somewhere.

package load

import (
	"math"
	"time"

	"tokdyno/engine/record"
)

// groundLevel is where a ramp begins when there was no load of its mode before: 1 request in flight, 1 request a second,
// the speed of the recording; or lower, where the level aimed for is.
const groundLevel = 1

// slope is a level that moves from one value to another, and stays there. Levels are positive. The zero slope is at 0,
// where there is no load.
type slope struct {
	kind     RampKind
	from, to float64
	begun    record.Instant
	over     time.Duration // 0: it is there
}

// newSlope returns the way from one level to another by that ramp.
func newSlope(r Ramp, begun record.Instant, from, to float64) slope {
	if r.Kind == AtOnce || from == to {
		return slope{to: to}
	}
	return slope{r.Kind, from, to, begun, r.Over}
}

// moving reports whether the level is still on its way.
func (s slope) moving(now record.Instant) bool { return now < s.begun.Add(s.over) }

// at returns the level.
func (s slope) at(now record.Instant) float64 {
	if !s.moving(now) {
		return s.to
	}
	gone := float64(now-s.begun) / float64(s.over)
	if s.kind == Exponential {
		return s.from * math.Pow(s.to/s.from, gone)
	}
	return s.from + (s.to-s.from)*gone
}

// rest returns what is left of the way.
func (s slope) rest(now record.Instant) slope {
	if !s.moving(now) {
		return slope{to: s.to}
	}
	return slope{s.kind, s.at(now), s.to, now, s.over - time.Duration(now-s.begun)}
}

// A level that counts requests moves in whole steps, each taken when the level gets there: it never is above the slope
// on the way up, nor below it on the way down. The slack keeps a rounding error from making a step late.
const stepSlack = 1e-9

// whole returns the level in whole steps.
func (s slope) whole(now record.Instant) int {
	if s.to > s.from {
		return int(math.Floor(s.at(now) + stepSlack))
	}
	return int(math.Ceil(s.at(now) - stepSlack))
}

// nextStep returns when the level in whole steps changes next; 0 for never.
func (s slope) nextStep(now record.Instant) record.Instant {
	if !s.moving(now) {
		return 0
	}
	level := float64(s.whole(now) + 1)
	if s.to < s.from {
		level -= 2
	}
	gone := (level - s.from) / (s.to - s.from)
	if s.kind == Exponential {
		gone = math.Log(level/s.from) / math.Log(s.to/s.from)
	}
	// A last step that is not a whole one, and a level of 0, lie beyond the end; gone is +Inf or NaN for some of them.
	if !(gone < 1) {
		return s.begun.Add(s.over)
	}
	return max(s.begun.Add(time.Duration(math.Ceil(gone*float64(s.over)))), now+1)
}

// Nominal time is what arrivals are counted in. It passes as actual time does where the level is the one aimed for, and on
// the way there more slowly or faster, in the proportion of the level then: arrivals that are spread over nominal time
// at the rate aimed for have, in actual time, the rate of the slope, and in every stretch as many are expected as is the
// integral of the rate. (The theory calls it inversion of the cumulative rate function.)

// nominal returns the nominal time that passes from the begin of the slope in that actual time; both in nanoseconds.
//
//	∫ level/to = q·t + (1−q)·t²/2D        linear, with q = from/to and D the time it takes
//	           = q·D/l · (exp(l·t/D) − 1)  exponential, with l = ln(to/from)
func (s slope) nominal(actual float64) float64 {
	d, q := float64(s.over), s.from/s.to
	switch {
	case s.over == 0:
		return actual
	case actual > d:
		return s.nominal(d) + actual - d
	case s.kind == Exponential:
		l := math.Log(s.to / s.from)
		return q * d / l * math.Expm1(l*actual/d)
	default:
		return q*actual + (1-q)*actual*actual/(2*d)
	}
}

// actual is the inverse of nominal.
func (s slope) actual(nominal float64) float64 {
	if s.over == 0 {
		return nominal
	}
	d, q := float64(s.over), s.from/s.to
	whole := s.nominal(d)
	switch {
	case nominal >= whole:
		return d + nominal - whole
	case s.kind == Exponential:
		l := math.Log(s.to / s.from)
		return d / l * math.Log1p(nominal*l/(q*d))
	default:
		return 2 * nominal / (q + math.Sqrt(q*q+2*(1-q)*nominal/d))
	}
}
