// This file groups failures, so that their kinds and numbers stand beside the latencies.

package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tokdyno/engine/record"
)

// Problem is a group of failures of the same kind.
type Problem struct {
	Kind    record.Kind
	Status  int // HTTP status; 0: none
	Count   int
	Example string         // what the first of them said
	First   record.Instant // when the earliest of them ended
	Last    record.Instant // when the latest of them did
}

// Name is what a person calls the group: "HTTP 503", "timeout idle".
func (p *Problem) Name() string {
	name := strings.ReplaceAll(string(p.Kind), "_", " ")
	if p.Status != 0 && strings.HasPrefix(name, "http") {
		return fmt.Sprintf("HTTP %d", p.Status)
	}
	return name
}

type problemKey struct {
	kind   record.Kind
	status int
}

type problems map[problemKey]*Problem

func (p problems) add(r *record.Record) {
	key := problemKey{r.Kind, r.Status}
	if p[key] == nil {
		p[key] = &Problem{Kind: r.Kind, Status: r.Status, Example: r.Error, First: r.End}
	}
	p[key].Count++
	p[key].First = min(p[key].First, r.End)
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
