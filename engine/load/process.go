// This file is how the arrival processes draw their gaps.

package load

import (
	"math"
	"math/rand/v2"
)

// process draws the next gap between arrivals, in mean gaps: its mean is 1, so that the rate scales it. It may keep
// state between gaps.
type process func(*rand.Rand) float64

// process returns a fresh process of that name; nil for a name that is not known.
func (a Arrival) process() process {
	f, err := a.form()
	switch {
	case err != nil:
		return nil
	case f.plain == Constant:
		return func(*rand.Rand) float64 { return 1 }
	case f.plain == Poisson:
		return (*rand.Rand).ExpFloat64
	case f.size > 0:
		return bursts(f.size)
	default:
		return gamma(f.variation)
	}
}

// bursts puts all of a burst's gap before the first of its arrivals.
func bursts(size int) process {
	left := 0
	return func(*rand.Rand) float64 {
		if left > 0 {
			left--
			return 0
		}
		left = size - 1
		return float64(size)
	}
}

// gamma draws gamma-distributed gaps with that coefficient of variation: of shape k = 1/variation² and scale 1/k. The
// method is that of Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables" (ACM TOMS 26, 2000), which
// draws a normal variable, bends it to nearly the right shape and takes it with the probability that makes it exact. It
// needs a shape of 1 or more; a smaller one is made from the shape above it, γ(k) = γ(k+1)·U^(1/k).
func gamma(variation float64) process {
	shape := 1 / (variation * variation)
	above := shape
	if shape < 1 {
		above++
	}
	d := above - 1.0/3
	c := 1 / math.Sqrt(9*d)
	return func(random *rand.Rand) float64 {
		gap := d * bent(random, d, c) / shape
		if shape < 1 {
			gap *= math.Pow(random.Float64(), 1/shape)
		}
		return gap
	}
}

// bent draws v = (1+c·x)³ so that d·v is gamma-distributed with the shape d+1/3.
func bent(random *rand.Rand, d, c float64) float64 {
	for {
		x := random.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if u := 1 - random.Float64(); math.Log(u) < x*x/2+d-d*v+d*math.Log(v) { // u is never 0
			return v
		}
	}
}
