// This file keeps what single answers show of their server that a user should know once, not with every answer.

package wire

import (
	"fmt"
	"slices"
	"sync"
)

// The kinds of remark.
type remarkKind int

const (
	remarkUnknownFinish remarkKind = iota
	remarkFiltered
	remarkUnknownField
	remarkUsageNames
	remarkUsageBelow
	remarkCounts // whose name is the sentence
)

// remark is something odd in an answer; its name is the server's own.
type remark struct {
	kind remarkKind
	name string
}

// maxRemarks bounds the remarks that are kept of an answer, and of an endpoint, for the names are the server's to choose.
const maxRemarks = 8

// remarks counts the answers that each remark was made of.
type remarks struct {
	mu    sync.Mutex
	said  []remark
	count map[remark]int
}

// add takes the remarks of one answer.
func (r *remarks) add(of []remark) {
	if len(of) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == nil {
		r.count = map[remark]int{}
	}
	for _, one := range of {
		if r.count[one] == 0 {
			if len(r.said) == maxRemarks {
				continue
			}
			r.said = append(r.said, one)
		}
		r.count[one]++
	}
}

// forget begins anew.
func (r *remarks) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said, r.count = nil, nil
}

// sentences returns the remarks in the order in which they were first made.
func (r *remarks) sentences() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, one := range r.said {
		all = append(all, one.sentence(r.count[one]))
	}
	return all
}

func (r remark) sentence(n int) string {
	answers := "answers"
	if n == 1 {
		answers = "answer"
	}
	switch r.kind {
	case remarkFiltered:
		return fmt.Sprintf("the server's content filter ended %d %s (finish_reason %q); they count as ok", n, answers, r.name)
	case remarkUnknownField:
		return fmt.Sprintf("output came in a field %q, which is not known here, in %d %s; it counts as output", r.name, n, answers)
	case remarkUsageNames:
		return fmt.Sprintf("tokens are counted by the server's usage under the names %s, in %d %s", r.name, n, answers)
	case remarkUsageBelow:
		return fmt.Sprintf("tokens are counted by a usage inside %q, in %d %s", r.name, n, answers)
	case remarkCounts:
		return fmt.Sprintf("%s, in %d %s", r.name, n, answers)
	default:
		return fmt.Sprintf("%d %s ended with finish_reason %q, which is not known here; they count as ok", n, answers, r.name)
	}
}

// remark notes something odd, once an answer.
func (a *answer) remark(kind remarkKind, name string) {
	one := remark{kind, name}
	if len(a.remarks) < maxRemarks && !slices.Contains(a.remarks, one) {
		a.remarks = append(a.remarks, one)
	}
}

// remarkField is remark for a member of a delta that is not known; it comes with every chunk.
func (a *answer) remarkField(name []byte) { a.remarkName(remarkUnknownField, name) }

// remarkName is remark for a name in a chunk, without an allocation where it was met before.
func (a *answer) remarkName(kind remarkKind, name []byte) {
	for _, one := range a.remarks {
		if one.kind == kind && one.name == string(name) {
			return
		}
	}
	a.remark(kind, string(name))
}

// remarkUsage notes where a usage stood, and under which names, if neither is as usual.
func (a *answer) remarkUsage(u *usage) {
	if u.names != "" {
		a.remark(remarkUsageNames, u.names)
	}
	if u.below != nil {
		a.remarkName(remarkUsageBelow, u.below)
	}
}
