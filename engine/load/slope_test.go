// This file tests the level over time on its own.

package load

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

// drawSlope draws a way between two levels that takes some time.
func drawSlope(t *rapid.T) slope {
	kind := rapid.SampledFrom([]RampKind{Linear, Exponential}).Draw(t, "kind")
	over := time.Duration(rapid.Int64Range(int64(ms), int64(time.Hour)).Draw(t, "over"))
	from, to := rapid.Float64Range(0.01, 1e5).Draw(t, "from"), rapid.Float64Range(0.01, 1e5).Draw(t, "to")
	return newSlope(Ramp{kind, over}, at(time.Second), from, to)
}

// near reports whether two values are equal but for rounding.
func near(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(scale) }

func TestSlopeGoesFromOneLevelToTheOther(t *testing.T) {
	for _, c := range []struct {
		kind       RampKind
		gone, want float64
	}{
		{Linear, 0, 4},
		{Linear, 0.25, 19},
		{Linear, 0.5, 34},
		{Linear, 1, 64},
		{Linear, 2, 64},
		{Exponential, 0, 4},
		{Exponential, 0.25, 8},
		{Exponential, 0.5, 16},
		{Exponential, 1, 64},
		{Exponential, 2, 64},
	} {
		s := newSlope(Ramp{c.kind, 8 * time.Second}, at(0), 4, 64)
		if got := s.at(at(time.Duration(c.gone * 8e9))); !near(got, c.want, c.want) {
			t.Errorf("%s, %v of the way: level %v, want %v", c.kind, c.gone, got, c.want)
		}
	}
}

func TestRestOfASlopeGoesOnAsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSlope(t)
		cut := s.begun.Add(time.Duration(rapid.Float64Range(0, 1.1).Draw(t, "cut") * float64(s.over)))
		later := cut.Add(time.Duration(rapid.Float64Range(0, 1.1).Draw(t, "later") * float64(s.over)))
		if got, want := s.rest(cut).at(later), s.at(later); !near(got, want, want) {
			t.Errorf("level %v, want %v", got, want)
		}
	})
}

// Nominal time is the integral of the level, by the midpoint rule, over the level aimed for; actual time its inverse.
func TestNominalTimeIsTheIntegralOfTheLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSlope(t)
		actual := rapid.Float64Range(0, 1.5).Draw(t, "real") * float64(s.over)
		const steps = 2000
		var sum float64
		for i := range steps {
			middle := (float64(i) + 0.5) / steps * actual
			sum += s.at(s.begun.Add(time.Duration(middle))) / s.to * actual / steps
		}
		got := s.nominal(actual)
		if math.Abs(got-sum) > 1e-3*sum+1 {
			t.Errorf("nominal time %v, want %v", got, sum)
		}
		if back := s.actual(got); !near(back, actual, float64(s.over)) {
			t.Errorf("actual time %v, want %v", back, actual)
		}
	})
}

func TestLevelThatStandsStillLeavesTimeAlone(t *testing.T) {
	s := newSlope(Ramp{}, at(0), 1, 7)
	for _, v := range []float64{0, 1, 333333333.3333333, 1e18} {
		if s.nominal(v) != v || s.actual(v) != v {
			t.Errorf("%v ns: nominal %v, actual %v", v, s.nominal(v), s.actual(v))
		}
	}
}

// From step to step the whole level goes through every number between the ends, and never runs ahead of the slope.
func TestWholeStepsFollowTheSlope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]RampKind{Linear, Exponential}).Draw(t, "kind")
		over := time.Duration(rapid.Int64Range(int64(ms), int64(time.Hour)).Draw(t, "over"))
		from := rapid.Float64Range(1, 300).Draw(t, "from")
		to := float64(rapid.IntRange(1, 300).Draw(t, "to"))
		s := newSlope(Ramp{kind, over}, at(0), from, to)
		now, level := at(0), s.whole(at(0))
		for steps := 0; s.moving(now); steps++ {
			next := s.nextStep(now)
			if next <= now || steps > 700 {
				t.Fatalf("at %v, level %d: next step at %v", now.Elapsed(), level, next.Elapsed())
			}
			if before := s.whole(next - 1); next-1 > now && before != level && !ulp(s, next-1) {
				t.Fatalf("level %d became %d before the step at %v", level, before, next.Elapsed())
			}
			now = next
			after := s.whole(now)
			if math.Abs(float64(after-level)) > 1 {
				t.Fatalf("level %d became %d", level, after)
			}
			level = after
			if ahead := float64(level) - s.at(now); to > from && ahead > 2*stepSlack || to < from && ahead < -2*stepSlack {
				t.Fatalf("level %d where the slope is at %v", level, s.at(now))
			}
		}
		if level != int(to) || s.nextStep(now) != 0 {
			t.Errorf("ended at %d, next step at %v; want %v, and none", level, s.nextStep(now).Elapsed(), to)
		}
	})
}

// ulp reports whether the slope is within the slack of a whole level, where a nanosecond decides nothing.
func ulp(s slope, at record.Instant) bool {
	level := s.at(at)
	return math.Abs(level-math.Round(level)) <= 2*stepSlack
}
