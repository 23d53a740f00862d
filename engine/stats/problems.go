// This file groups failures, so that their kinds and numbers stand beside the latencies.

package stats

import (
	"cmp"
	"slices"

	"tokdyno/engine/record"
)

// Problem is a group of failures of the same kind.
type Problem struct {
	Kind    record.Kind
	Status  int // HTTP status; 0: none
	Count   int
	Example string         // what the first of them said
	Last    record.Instant // when the latest of them ended
}

type problemKey struct {
	kind   record.Kind
	status int
}

type problems map[problemKey]*Problem

func (p problems) add(r *record.Record) {
	key := problemKey{r.Kind, r.Status}
	if p[key] == nil {
		p[key] = &Problem{Kind: r.Kind, Status: r.Status, Example: r.Error}
	}
	p[key].Count++
	p[key].Last = max(p[key].Last, r.End)
}

// list returns the groups, the most frequent first.
func (p problems) list() []Problem {
	list := make([]Problem, 0, len(p))
	for _, problem := range p {
		list = append(list, *problem)
	}
	slices.SortFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Status, b.Status))
	})
	return list
}
