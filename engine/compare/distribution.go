// This file is how latencies are spread on both sides of a comparison.

package compare

import (
	"math"
	"slices"
)

// Distribution is how a latency was spread on both sides.
type Distribution struct {
	Metric string    `json:"metric"` // "ttft"
	Unit   string    `json:"unit"`
	A      []float64 `json:"a"` // quantiles at equal distances, from the least to the largest; empty: none was measured
	B      []float64 `json:"b"`
}

// Within is the share of what was measured, from 0 to 1, that lies within a value, by quantiles as a Distribution has them;
// between two of them it is interpolated. NaN where there are none.
func Within(quantiles []float64, value float64) float64 {
	n := len(quantiles)
	above, _ := slices.BinarySearchFunc(quantiles, value, func(q, v float64) int { // the first that is larger
		if q <= v {
			return -1
		}
		return 1
	})
	switch {
	case n == 0:
		return math.NaN()
	case above == 0:
		return 0
	case above == n:
		return 1
	}
	below := quantiles[above-1]
	return (float64(above-1) + (value-below)/(quantiles[above]-below)) / float64(n-1)
}

// distributions are those of the latencies of two sets of runs.
func distributions(a, b []*Series) []Distribution {
	list := []Distribution{}
	for _, of := range []struct {
		name   string
		values func(*Series) *Values
	}{
		{"ttft", func(s *Series) *Values { return &s.TTFT }},
		{"tpot", func(s *Series) *Values { return &s.TPOT }},
		{"itl", func(s *Series) *Values { return &s.ITL }},
		{"e2el", func(s *Series) *Values { return &s.E2EL }},
	} {
		list = append(list, Distribution{Metric: of.name, Unit: "ms", A: sketch(a, of.values), B: sketch(b, of.values)})
	}
	return list
}

// sketch is a distribution in so few values that it can be drawn: as many quantiles, or all where there are fewer.
func sketch(runs []*Series, of func(*Series) *Values) []float64 {
	const points = 101
	var all Values
	for _, s := range runs {
		if s == nil {
			continue
		}
		v := of(s)
		for i := range v.V {
			all.Add(0, v.V[i], v.Weight(i))
		}
	}
	sorted := all.sorted()
	for i, v := range sorted.v { // to the microsecond, which is finer than anything here is measured
		sorted.v[i] = math.Round(1e3*v) / 1e3
	}
	n := min(points, len(sorted.v))
	out := make([]float64, n)
	for i := range out {
		switch {
		case i == 0:
			out[i] = sorted.v[0]
		case i == n-1:
			out[i] = sorted.v[len(sorted.v)-1]
		default:
			out[i] = sorted.quantile(float64(i) / float64(n-1))
		}
	}
	return out
}
