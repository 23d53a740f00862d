// This file keeps conversations between their turns.

package engine

import (
	"container/heap"
	"sync"

	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/wire"
)

// talk is one conversation; a single request is one of a single turn. It belongs to one request at a time.
type talk struct {
	number   int  // from 1; 0: a single request
	recorded bool // its script is of a recording
	endpoint int  // which of several holds it, from 0
	shape    shape.Shape
	script   shape.Script
	turn     int            // the next one, from 0
	history  []wire.Message // what was said so far, with the model's own answers
	tokens   int            // of the history, as far as it is known
	due      record.Instant // when the next turn may be sent
}

// turnNumber is that of the next turn, from 1; 0: it is a single request.
func (t *talk) turnNumber() int {
	if t.number == 0 {
		return 0
	}
	return t.turn + 1
}

// counted reports whether it is among the talks that are taken.
func (t *talk) counted() bool { return !t.recorded && t.shape.MayConverse() }

// over reports whether nothing is left to be said.
func (t *talk) over() bool { return t.turn >= len(t.script.Turns) }

// answered adds a turn and its answer to the history, and sets when the next one is due.
func (t *talk) answered(answer string, r *record.Record) {
	said := &t.script.Turns[t.turn]
	t.history = append(addMessages(t.history, said), wire.Message{Role: wire.RoleUser, Content: said.Text})
	t.turn++
	if t.over() {
		return
	}
	t.history = append(t.history, wire.Message{Role: wire.RoleAssistant, Content: answer})
	if n, ok := r.InputTokens.Get(); ok {
		t.tokens = int(n + r.OutputTokens.Or(0))
	}
	t.due = r.End.Add(t.script.Turns[t.turn].Think)
}

// talks are the conversations that wait for their next turn.
type talks struct {
	mu      sync.Mutex
	waiting dueFirst
	taken   int // those that a request has
	begun   int
}

// next takes the conversation whose turn is due first, if it is due at an instant, or whenever it is if patient; nil if
// there is none. Conversations of another shape are dropped: they would put another load on the endpoint.
func (t *talks) next(s shape.Shape, at record.Instant, patient bool) *talk {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.waiting) > 0 && t.waiting[0].shape != s {
		heap.Pop(&t.waiting)
	}
	if len(t.waiting) == 0 || !patient && t.waiting[0].due > at {
		return nil
	}
	t.taken++
	return heap.Pop(&t.waiting).(*talk)
}

// put gives a conversation back, to wait for its next turn, unless there are as many already as may be: then its user
// leaves.
func (t *talks) put(one *talk, most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taken--
	if len(t.waiting)+t.taken < most {
		heap.Push(&t.waiting, one)
	}
}

// leave ends a conversation that a request has.
func (t *talks) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taken--
}

// begin counts a conversation that begins, and returns its number.
func (t *talks) begin() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun++
	t.taken++
	return t.begun
}

// dueFirst is a heap of conversations, by when they are due.
type dueFirst []*talk

func (d dueFirst) Len() int           { return len(d) }
func (d dueFirst) Less(i, j int) bool { return d[i].due < d[j].due }
func (d dueFirst) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }

// Push and Pop are for package heap.
func (d *dueFirst) Push(x any) { *d = append(*d, x.(*talk)) }

// Pop is for package heap.
func (d *dueFirst) Pop() any {
	last := len(*d) - 1
	t := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	return t
}
