// This file is a list of objectives that can be compared.

package slo

import (
	"fmt"
	"iter"
	"strings"
)

// MaxObjectives is how many objectives one run can have: more than a person can watch.
const MaxObjectives = 8

// Objectives is a list of objectives. It is a value of fixed size, so that settings that contain it can be copied and
// compared with ==; two lists are equal if they hold the same objectives in the same order. The zero Objectives is empty.
type Objectives struct {
	list [MaxObjectives]Objective // zero from n on
	n    int
}

// NewObjectives makes a list. It fails with a sentence if an objective is not valid, if two are of the same metric,
// percentile and window, or if there are more than MaxObjectives.
func NewObjectives(list ...Objective) (Objectives, error) {
	var all Objectives
	for _, o := range list {
		if err := o.Validate(); err != nil {
			return Objectives{}, err
		}
		if err := all.add(o); err != nil {
			return Objectives{}, err
		}
	}
	return all, nil
}

func (l *Objectives) add(o Objective) error {
	for _, other := range l.All() {
		if o.sameSeries(other) {
			return fmt.Errorf("%q and %q limit the same figure; give it one limit", other, o)
		}
	}
	if l.n == MaxObjectives {
		return fmt.Errorf("there are more than %d objectives; leave some out", MaxObjectives)
	}
	l.list[l.n] = o
	l.n++
	return nil
}

// Len is the number of objectives.
func (l Objectives) Len() int { return l.n }

// At returns objective i, which is from 0 to below Len.
func (l Objectives) At(i int) Objective { return l.list[:l.n][i] }

// All returns the objectives in order.
func (l Objectives) All() iter.Seq2[int, Objective] {
	return func(yield func(int, Objective) bool) {
		for i := range l.n {
			if !yield(i, l.list[i]) {
				return
			}
		}
	}
}

// String returns the list in the form that ParseObjectives reads, separated by "; "; "" where it is empty.
func (l Objectives) String() string {
	var parts []string
	for _, o := range l.All() {
		parts = append(parts, o.String())
	}
	return strings.Join(parts, "; ")
}

// MarshalText writes the list as String does.
func (l Objectives) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what ParseObjectives reads.
func (l *Objectives) UnmarshalText(text []byte) (err error) {
	*l, err = ParseObjectives(string(text))
	return err
}
