// This file is the scales that knobs click along: fine enough to feel continuous, and always on a number worth naming.

package knob

import (
	"math"
	"time"

	"tokdyno/ui/cell"
)

// step returns the next value of a scale above v, or below it.
type step func(v float64, up bool) float64

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

// stepCount steps whole numbers: by one up to 16, then along octave.
func stepCount(v float64, up bool) float64 {
	if up && v < 16 {
		return math.Floor(v) + 1
	}
	if !up && v <= 16 {
		return math.Ceil(v) - 1
	}
	return along(octave(), 2, v, up)
}

// stepRate steps requests per second.
func stepRate(v float64, up bool) float64 { return along(renard(), 10, v, up) }

// stepLimit steps milliseconds.
func stepLimit(v float64, up bool) float64 { return along(thresholds(), 10, v, up) }

// stepTime steps a time along the scale of limits, in whole milliseconds.
func stepTime(d time.Duration, up bool) time.Duration {
	return cell.FromMilliseconds(math.Round(stepLimit(max(cell.Milliseconds(d), 1), up)))
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

// roundedUp returns the lowest value of a scale that is not below v.
func roundedUp(next step, v float64) float64 { return next(v*(1-1e-6), true) }
