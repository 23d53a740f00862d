// This file estimates a figure of one run, and between which bounds it lies.

package compare

import "math"

// estimate is what one run says of a figure, on the scale on which it is compared.
type estimate struct {
	value   float64 // on its own scale; NaN: it has none
	n       float64 // samples
	freedom int     // degrees of freedom
	// bounds are where the figure lies within t deviations, infinite where it may be beyond all that was seen; nil: the run is
	// too short to say.
	bounds func(t float64) (low, high float64)
	needs  float64 // seconds of measuring that would make the figure known; 0: it is
}

// estimate estimates a figure of a series, and its bounds where that has so many blocks at least. It has no value where nothing
// was measured.
func (m *Metric) estimate(s *Series, fewest int) estimate {
	unknown := estimate{value: math.NaN()}
	if s == nil || s.Seconds <= 0 {
		return unknown
	}
	var e estimate
	blocks := s.blocks()
	if m.values != nil {
		e = m.percentile(s, m.values(s), blocks)
	} else {
		e = m.quotient(s, m.sums(s), blocks)
	}
	if math.IsNaN(e.value) || !m.Share && e.value <= 0 {
		return unknown
	}
	if blocks < fewest {
		e.bounds = nil
		e.needs = max(1.1*float64(fewest)*s.shortest(), e.needs)
	}
	return e
}

// percentile estimates the p-quantile of samples by Woodruff's interval: the share of samples that exceed the quantile has a
// standard error, which the blocks tell, and the interval reaches from the quantile of p less t of these to that of p and as
// many more. So no density has to be guessed, which is least known in the tail. (Woodruff, JASA 47, 1952; for simulations
// in batches: Nakayama, ACM TOMACS 24, 2014.) The error is never taken for less than that of independent samples.
func (m *Metric) percentile(s *Series, v *Values, blocks int) estimate {
	all := v.sorted()
	e := estimate{value: all.quantile(m.P), n: all.n, freedom: max(blocks-1, 1)}
	if all.n == 0 || blocks < 2 {
		return e
	}
	beyond := Sums{At: v.At, Num: make([]float64, len(v.V)), Den: make([]float64, len(v.V))}
	for i, value := range v.V {
		beyond.Den[i] = v.Weight(i)
		if value > e.value {
			beyond.Num[i] = beyond.Den[i]
		}
	}
	_, deviation, _ := ratio(s.byBlock(&beyond, blocks))
	deviation = max(deviation, math.Sqrt(m.P*(1-m.P)/all.n))
	e.bounds = func(t float64) (low, high float64) {
		low, high = math.Inf(-1), math.Inf(1)
		if p := m.P - t*deviation; p > 0 {
			low = m.on(all.quantile(p))
		}
		if p := m.P + t*deviation; p < 1-0.5/all.n {
			high = m.on(all.quantile(p))
		}
		return low, high
	}
	if reach := student(Alpha, e.freedom) * deviation / (1 - m.P); reach >= 1 {
		e.needs = room * s.Seconds * reach * reach
	}
	return e
}

// room is how much longer a run is asked for than one of which a percentile's upper bound just exists: of such a one it is
// the largest sample.
const room = 4

// quotient estimates one sum over another by batch means. The error of a share is never taken for less than that of
// independent requests, with two good ones and two bad ones beside those that were seen, or a share of all would be certain
// (Agresti and Coull, Am. Stat. 52, 1998).
func (m *Metric) quotient(s *Series, of *Sums, blocks int) estimate {
	if blocks < 2 {
		value, _, n := ratio(of.Num, of.Den)
		return estimate{value: value, n: n}
	}
	value, deviation, n := ratio(s.byBlock(of, blocks))
	if m.Share {
		p := (value*n + 2) / (n + 4)
		deviation = max(deviation, math.Sqrt(p*(1-p)/(n+4)))
	} else {
		deviation /= value
	}
	return estimate{
		value: value, n: n, freedom: blocks - 1,
		bounds: func(t float64) (low, high float64) { return m.on(value) - t*deviation, m.on(value) + t*deviation },
	}
}
