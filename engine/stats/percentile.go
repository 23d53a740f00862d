// This file is the percentiles: their two definitions, and the distribution that they describe.

package stats

import (
	"math"
	"slices"
	"time"
)

// Method is a way to interpolate a percentile.
type Method int

// The methods, of n sorted values x[1] … x[n], by the numbers of Hyndman and Fan (Sample Quantiles in Statistical Packages,
// The American Statistician 50:4, 1996).
const (
	// Inverted is type 2, numpy's "averaged_inverted_cdf": with h = n·p, the mean of x[h] and x[h+1] if h is whole, else
	// x[⌈h⌉]. It inverts the share of values up to x, so at least the share p of them is within it, which is what "P99 ≤ T"
	// promises: it never understates a tail.
	Inverted Method = iota
	// Linear is type 7, numpy's default and what most benchmark scripts print: with h = (n−1)·p + 1,
	// x[⌊h⌋] + (h − ⌊h⌋)·(x[⌊h⌋+1] − x[⌊h⌋]). Between two values far apart it gives one that no request had, and of few
	// samples it understates a tail.
	Linear
)

// Percentile returns the p-quantile (0 < p ≤ 1) of sorted values; 0 for none.
func (m Method) Percentile(sorted []time.Duration, p float64) time.Duration {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	low, high := m.needs(n, p)
	a, b := sorted[low], sorted[high]
	if m == Linear {
		_, between := math.Modf(float64(n-1) * p)
		return a + time.Duration(math.Round(between*float64(b-a)))
	}
	return (a + b) / 2
}

// Quantile returns the p-quantile of values in any order, which it changes; 0 for none.
func (m Method) Quantile(values []time.Duration, p float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	low, high := m.needs(len(values), p)
	arrange(values, []int{low, high})
	return m.Percentile(values, p)
}

// needs returns the indices of the two sorted values between which the p-quantile of n values lies; they may be one.
func (m Method) needs(n int, p float64) (low, high int) {
	if m == Linear {
		low = min(int(float64(n-1)*p), n-1)
		return low, min(low+1, n-1)
	}
	h := float64(n) * p
	if whole := math.Round(h); math.Abs(h-whole) < 1e-9*float64(n) {
		low = min(max(int(whole), 1), n) - 1
		return low, min(low+1, n-1)
	}
	low = min(max(int(math.Ceil(h)), 1), n) - 1
	return low, low
}

// Distribution describes a set of latencies. With N == 0 every figure is undefined.
type Distribution struct {
	N                       int
	Mean                    time.Duration
	P50, P90, P95, P99, Max time.Duration
}

// Few reports whether n samples are too few for the p-quantile: fewer than one is expected beyond it, n·(1−p) < 1, so that
// it is no more than the largest of them. A P99 takes 100.
func Few(n int, p float64) bool { return float64(n)*(1-p) < 1-1e-9 }

// Describe describes values, and changes their order.
func (m Method) Describe(values []time.Duration) Distribution {
	n := len(values)
	if n == 0 {
		return Distribution{}
	}
	var sum float64
	for _, v := range values {
		sum += float64(v)
	}
	indices := make([]int, 0, 8)
	for _, p := range [...]float64{0.50, 0.90, 0.95, 0.99} {
		low, high := m.needs(n, p)
		indices = append(indices, low, high)
	}
	arrange(values, indices)
	return Distribution{
		N:    n,
		Mean: time.Duration(math.Round(sum / float64(n))),
		P50:  m.Percentile(values, 0.50),
		P90:  m.Percentile(values, 0.90),
		P95:  m.Percentile(values, 0.95),
		P99:  m.Percentile(values, 0.99),
		Max:  slices.Max(values),
	}
}
