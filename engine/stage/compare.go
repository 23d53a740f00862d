// This file compares the latencies of two stages.

package stage

import (
	"math"
	"math/rand/v2"
	"slices"

	"tokdyno/engine/chance"
)

const (
	confidence  = 0.95
	resamples   = 2000
	leastSample = 20 // below it a resampled percentile says little of how it varies
)

// Difference is how a percentile of b differs from that of a.
type Difference struct {
	Percentile float64 // 0–1
	A, B       float64 // the percentiles, in the unit of the samples; undefined where there are no samples
	NA, NB     int     // samples
	Absolute   float64 // B − A
	Relative   float64 // (B − A) / A; NaN where A is 0
	Low, High  float64 // between these the absolute difference lies with 95 % confidence; undefined if Few
	Clear      bool    // 0 is not between them
	Few        bool    // there are too few samples to say
}

// Compare compares the p-quantiles (0 < p < 1) of two sets of samples, which it does not change. A percentile is defined
// as everywhere (stats.Inverted).
//
// What is clear is decided by the bootstrap: each set is drawn anew, with replacement, 2000 times, and the difference is
// clear if 0 lies outside the middle 95 % of the differences (Efron and Tibshirani, An Introduction to the Bootstrap,
// ch. 13). No sample is really drawn: the r-th smallest of n draws is the sample of rank ⌈n·U⌉, where U is the r-th
// smallest of n uniform numbers, a Beta(r, n−r+1). So the cost does not grow with the number of samples, but for sorting.
//
// Samples count as independent. Those of a stage are not quite (a full batch slows all of its requests down), so "clear"
// at the edge of it deserves a second look. There are too few samples where chance.QuantileRanks has no answer, and below 20.
func Compare(a, b []float64, p float64, rng *rand.Rand) Difference {
	d := Difference{Percentile: p, NA: len(a), NB: len(b), Few: few(len(a), p) || few(len(b), p)}
	if d.NA == 0 || d.NB == 0 {
		d.A, d.B, d.Absolute, d.Relative = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return d
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	d.A, d.B = quantile(a, p), quantile(b, p)
	d.Absolute, d.Relative = d.B-d.A, math.NaN()
	if d.A != 0 {
		d.Relative = d.Absolute / d.A
	}
	if d.Few {
		return d
	}
	differences := make([]float64, resamples)
	for i := range differences {
		differences[i] = resampled(b, p, rng) - resampled(a, p, rng)
	}
	slices.Sort(differences)
	d.Low, d.High = quantile(differences, (1-confidence)/2), quantile(differences, (1+confidence)/2)
	d.Clear = d.Low > 0 || d.High < 0
	return d
}

func few(n int, p float64) bool {
	_, _, ok := chance.QuantileRanks(n, p, confidence)
	return n < leastSample || !ok
}

// quantile is the p-quantile of sorted values, as stats.Inverted has it.
func quantile(sorted []float64, p float64) float64 {
	low, high := ranks(len(sorted), p)
	return (sorted[low-1] + sorted[high-1]) / 2
}

// ranks returns the ranks, from 1, of which the p-quantile of n samples is the mean; they may be one.
func ranks(n int, p float64) (low, high int) {
	h := float64(n) * p
	if whole := math.Round(h); math.Abs(h-whole) < 1e-9*float64(n) {
		low = min(max(int(whole), 1), n)
		return low, min(low+1, n)
	}
	low = min(max(int(math.Ceil(h)), 1), n)
	return low, low
}

// resampled is the p-quantile of as many values, drawn anew from sorted ones.
func resampled(sorted []float64, p float64, rng *rand.Rand) float64 {
	n := len(sorted)
	low, high := ranks(n, p)
	x, y := gamma(float64(low), rng), gamma(float64(n-low+1), rng)
	u := x / (x + y)
	first := sorted[drawn(u, n)]
	if high == low {
		return first
	}
	// Of the n−low draws above u, the smallest: 1 − (1−u)·V^(1/(n−low)).
	v := 1 - (1-u)*math.Pow(1-rng.Float64(), 1/float64(n-low))
	return (first + sorted[drawn(v, n)]) / 2
}

// drawn is the index of the sample that a uniform number stands for.
func drawn(u float64, n int) int { return min(max(int(float64(n)*u), 0), n-1) }

// gamma draws from the gamma distribution of the given shape (at least 1) and scale 1, by the method of Marsaglia and
// Tsang (2000).
func gamma(shape float64, rng *rand.Rand) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-rng.Float64()) < x*x/2+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}
