// This file says how a run stands against an earlier one.

package run

import (
	"slices"

	"tokdyno/engine/compare"
)

// Baseline is an earlier run that a run was held against, and what came of it.
type Baseline struct {
	Run      compare.Run         `json:"run"`
	Verdict  *string             `json:"verdict"`  // "held", "missed" or "unknown"; null: nothing was asked for
	Criteria []compare.Criterion `json:"criteria"` // what may be worse, and by how much
	Levels   []compare.Level     `json:"levels"`   // every difference, without the distributions
	Notes    []string            `json:"notes"`
	First    []compare.Criterion `json:"first"` // those of a first run, which this one was to confirm; empty: there was none
}

// NewBaseline judges a run, the only one of a comparison, by what is allowed.
func NewBaseline(d *compare.Document, allowed []compare.Allowance) *Baseline {
	c := &d.Runs[0]
	b := &Baseline{
		Run: d.Baseline[0], Criteria: c.Judge(allowed), Levels: slices.Clone(c.Levels), Notes: d.Notes, First: []compare.Criterion{},
	}
	for i := range b.Levels {
		b.Levels[i].Distributions = []compare.Distribution{}
	}
	if len(allowed) > 0 {
		verdict := compare.Worst(b.Criteria)
		b.Verdict = &verdict
	}
	return b
}

// Is reports whether the verdict is the given one. A run without a baseline has none.
func (b *Baseline) Is(verdict string) bool {
	return b != nil && b.Verdict != nil && *b.Verdict == verdict
}
