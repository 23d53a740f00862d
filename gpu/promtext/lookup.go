// This file finds samples on a page.

package promtext

import "iter"

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
