// This file describes values by the statistics that other tools print.

package peers

import (
	"math"
	"slices"
	"time"

	"tokdyno/engine/stats"
)

// unit is one of what a spread is of, in the integers that it keeps: a nanosecond is a millionth of a millisecond, and a token
// has as many.
const unit = 1_000_000

// unknown stands for a number that is not known, and is written as null.
var unknown = math.NaN()

// spread is a set of values, in millionths of what it is of: milliseconds, tokens. Its figures are in whole ones, and unknown
// where there is no value.
type spread struct {
	sorted []time.Duration
	sum    float64
}

// newSpread takes values, and changes their order.
func newSpread(values []time.Duration) spread {
	slices.Sort(values)
	s := spread{sorted: values}
	for _, v := range values {
		s.sum += float64(v)
	}
	return s
}

func (s spread) n() int { return len(s.sorted) }

func (s spread) mean() float64 { return s.sum / float64(s.n()) / unit }

func (s spread) total() float64 {
	if s.n() == 0 {
		return unknown
	}
	return s.sum / unit
}

func (s spread) min() float64 { return s.at(0) }

func (s spread) max() float64 { return s.at(1) }

// at is the p-quantile, linear between two values.
func (s spread) at(p float64) float64 {
	if s.n() == 0 {
		return unknown
	}
	return float64(stats.Linear.Percentile(s.sorted, p)) / unit
}

// deviation is the standard deviation: of the population with less = 0, of a sample with less = 1. That of fewer values than
// it takes is unknown.
func (s spread) deviation(less int) float64 {
	if s.n() <= less {
		return unknown
	}
	mean, squares := s.sum/float64(s.n()), 0.0
	for _, v := range s.sorted {
		off := float64(v) - mean
		squares += off * off
	}
	return math.Sqrt(squares/float64(s.n()-less)) / unit
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
