// This file is the scales.

package scale

import (
	"math"
	"slices"
	"time"
)

// Step returns the next value of a scale above v, or below it.
type Step func(v float64, up bool) float64

// octave is about 12 % a step, through every power of two and the round numbers between: 32 36 40 44 50 56 64.
func octave() []float64 { return []float64{32, 36, 40, 44, 50, 56} }

// renard is about 12 % a step through a decade, R20 of Renard's preferred numbers rounded to two digits.
func renard() []float64 {
	return []float64{10, 11, 12.5, 14, 16, 18, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 70, 80, 90}
}

// thresholds is 1-2-5 with the steps between that limits are usually set to: 200 220 250 280 300 350 400 450 500.
func thresholds() []float64 {
	return []float64{10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90}
}

// Count steps whole numbers: by one up to 16, then along powers of two and the round numbers between them.
func Count(v float64, up bool) float64 {
	if up && v < 16 {
		return math.Floor(v) + 1
	}
	if !up && v <= 16 {
		return math.Ceil(v) - 1
	}
	return along(octave(), 2, v, up)
}

// Rate steps requests per second.
func Rate(v float64, up bool) float64 { return along(renard(), 10, v, up) }

// Limit steps milliseconds.
func Limit(v float64, up bool) float64 { return along(thresholds(), 10, v, up) }

// Time steps a time along the scale of limits, in whole milliseconds.
func Time(d time.Duration, up bool) time.Duration {
	return FromMilliseconds(math.Round(Limit(max(Milliseconds(d), 1), up)))
}

// Percent steps a share along ascending percentages. At their end the share stays as it is.
func Percent(percents []float64, share float64, up bool) float64 {
	const hair = 1e-9
	all := slices.Clone(percents)
	if !up {
		slices.Reverse(all)
	}
	for _, next := range all {
		if up && next > 100*share+hair || !up && next < 100*share-hair {
			return math.Round(next*1e8) / 1e10 // 99.9 is 0.999 and not its neighbour
		}
	}
	return share
}

// RoundedUp returns the lowest value of a scale that is not below v.
func RoundedUp(next Step, v float64) float64 { return next(v*(1-1e-6), true) }

// Milliseconds converts for the scale of limits.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// FromMilliseconds converts back, to the nanosecond.
func FromMilliseconds(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// along returns the neighbour of v on a scale that repeats itself, multiplied by base, for ever in both directions.
func along(scale []float64, base, v float64, up bool) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return v
	}
	const hair = 1e-9 // a value on the scale is not its own neighbour because of its last bit
	period := math.Floor(math.Log(v/scale[0])/math.Log(base)) - 1
	previous := v
	for ; ; period++ {
		for _, s := range scale {
			at := times(s, base, period)
			if at > v*(1+hair) {
				if up {
					return at
				}
				return previous
			}
			if at < v*(1-hair) {
				previous = at
			}
		}
	}
}

// times is s·base^exponent, dividing for negative exponents, so that 0.3 comes out as 0.3.
func times(s, base, exponent float64) float64 {
	if exponent < 0 {
		return s / math.Pow(base, -exponent)
	}
	return s * math.Pow(base, exponent)
}
