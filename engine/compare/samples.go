// This file is what a comparison is made of: what was measured of one load, with the times at which it was.

package compare

import (
	"cmp"
	"math"
	"slices"
)

// Values are samples of a figure, in any order.
type Values struct {
	At []float64 // when each was taken, in seconds of the Series' time
	V  []float64
	N  []float64 // how often each counts; nil: once

	bySize *sorted // nil: nobody has asked yet
}

// Grow makes room for n samples that count once.
func (v *Values) Grow(n int) {
	v.At, v.V = slices.Grow(v.At, n), slices.Grow(v.V, n)
}

// Add adds a sample that counts n times.
func (v *Values) Add(at, value, n float64) {
	v.bySize = nil
	if v.N == nil && n != 1 {
		v.N = slices.Repeat([]float64{1}, len(v.V))
	}
	v.At, v.V = append(v.At, at), append(v.V, value)
	if v.N != nil {
		v.N = append(v.N, n)
	}
}

// Sums are the parts of a figure that is one sum over another: tokens over seconds, good requests over all.
type Sums struct {
	At       []float64 // in seconds of the Series' time
	Num, Den []float64
}

// Add adds a part.
func (s *Sums) Add(at, num, den float64) {
	s.At, s.Num, s.Den = append(s.At, at), append(s.Num, num), append(s.Den, den)
}

// Series is what one run has measured of one load, once that had settled. Several stages lie end to end.
type Series struct {
	Seconds float64 // its time goes from 0 to there

	TTFT, TPOT, E2EL Values // of requests, by when they were sent; ms
	ITL              Values // of tokens, by when they came; ms. Empty where chunks carry other than one token
	Output, Requests Sums   // tokens and completed requests, over seconds
	Goodput          Sums   // completed requests that kept the SLO, over seconds; empty without an SLO
	Good             Sums   // requests that kept the SLO, over those that completed or failed; empty without an SLO
	Failed           Sums   // requests that failed, over those that completed or failed
}

// residence is how long a request is there on average, in seconds; 0: none completed.
func (s *Series) residence() float64 {
	if len(s.E2EL.V) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range s.E2EL.V {
		sum += v
	}
	return sum / float64(len(s.E2EL.V)) / 1e3
}

// sorted are samples by size, with how many there are up to each.
type sorted struct {
	v, upTo []float64
	n       float64
}

// sorted puts samples in order, once for all percentiles.
func (v *Values) sorted() *sorted {
	if v.bySize != nil {
		return v.bySize
	}
	order := make([]int, len(v.V))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v.V[i], v.V[j]) })
	s := &sorted{v: make([]float64, len(order)), upTo: make([]float64, len(order))}
	for to, i := range order {
		s.n += v.Weight(i)
		s.v[to], s.upTo[to] = v.V[i], s.n
	}
	v.bySize = s
	return s
}

// Weight is how often sample i counts.
func (v *Values) Weight(i int) float64 {
	if v.N == nil {
		return 1
	}
	return v.N[i]
}

// quantile is the p-quantile (0 < p < 1) as stats.Inverted has it; of none it is NaN.
func (s *sorted) quantile(p float64) float64 {
	if len(s.v) == 0 {
		return math.NaN()
	}
	h := s.n * p
	slack := 1e-9 * s.n
	i, _ := slices.BinarySearch(s.upTo, h-slack) // the first with that many up to it
	i = min(i, len(s.v)-1)
	if j := i + 1; j < len(s.v) && math.Abs(s.upTo[i]-h) <= slack {
		return (s.v[i] + s.v[j]) / 2
	}
	return s.v[i]
}
