// This file finds samples on a page.

package promtext

import (
	"iter"
	"math"
)

// Label is a label's name and the value that is asked for.
type Label struct{ Name, Value string }

// Has reports whether the sample has all these labels with these values.
func (s Sample) Has(where ...Label) bool {
	for _, want := range where {
		if value, ok := s.Labels[want.Name]; !ok || value != want.Value {
			return false
		}
	}
	return true
}

// All gives the samples with a name and, if any are asked for, labels, in the order of the page.
func (p Page) All(name string, where ...Label) iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		for _, s := range p.Samples {
			if s.Name == name && s.Has(where...) && !yield(s) {
				return
			}
		}
	}
}

// Find returns the first sample with a name and labels.
func (p Page) Find(name string, where ...Label) (Sample, bool) {
	for s := range p.All(name, where...) {
		return s, true
	}
	return Sample{}, false
}

// Sum adds up the values of all samples with a name and labels; those that are NaN are left out. It is false where no
// value is left.
func (p Page) Sum(name string, where ...Label) (float64, bool) {
	sum, found := 0.0, false
	for s := range p.All(name, where...) {
		if !math.IsNaN(s.Value) {
			sum, found = sum+s.Value, true
		}
	}
	return sum, found
}

// Max returns the largest value of all samples with a name and labels; those that are NaN are left out. It is false where
// no value is left.
func (p Page) Max(name string, where ...Label) (float64, bool) {
	largest, found := 0.0, false
	for s := range p.All(name, where...) {
		if !math.IsNaN(s.Value) && (!found || s.Value > largest) {
			largest, found = s.Value, true
		}
	}
	return largest, found
}
