// This file keeps conversations between their turns.

package engine

import (
	"container/heap"
	"sync"

	"tokdyno/engine/chat"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
)

// conversation is a dialogue; a single request is one of a single turn. It belongs to one request at a time.
type conversation struct {
	number   int  // from 1; 0: a single request
	recorded bool // its script is of a recording
	endpoint int  // which of several holds it, from 0
	shape    shape.Shape
	script   shape.Script
	turn     int            // the next one, from 0
	history  []chat.Message // what was said so far, with the model's own answers
	tokens   int            // of the history, as far as it is known
	due      record.Instant // when the next turn may be sent
}

// turnNumber is that of the next turn, from 1; 0: it is a single request.
func (c *conversation) turnNumber() int {
	if c.number == 0 {
		return 0
	}
	return c.turn + 1
}

// counted reports whether it is among the conversations that are taken.
func (c *conversation) counted() bool { return !c.recorded && c.shape.MayConverse() }

// over reports whether nothing is left to be said.
func (c *conversation) over() bool { return c.turn >= len(c.script.Turns) }

// answered adds a turn and its answer to the history, and sets when the next one is due. An answer without text, of
// reasoning or a tool call alone, is no message that could be sent: what the person says next is then said in one with what
// they said before. It reports whether that is so.
func (c *conversation) answered(answer string, r *record.Record) (blank bool) {
	said := &c.script.Turns[c.turn]
	c.history = append(append(c.history, said.Messages...), chat.Message{Role: chat.User, Content: said.Text})
	c.turn++
	if c.over() {
		return false
	}
	c.due = r.End.Add(c.script.Turns[c.turn].Think)
	blank = chat.Blank(answer)
	spoken := int64(0)
	if !blank {
		c.history = append(c.history, chat.Message{Role: chat.Assistant, Content: answer})
		spoken = r.OutputTokens.Or(0) - r.ReasoningTokens.Or(0)
	}
	if n, ok := r.InputTokens.Get(); ok {
		c.tokens = int(n + spoken)
	}
	return blank
}

// conversations are those that wait for their next turn.
type conversations struct {
	mu      sync.Mutex
	waiting dueFirst
	taken   int // those that a request has
	begun   int
}

// next takes the conversation whose turn is due first, if it is due at an instant, or whenever it is if patient; nil if
// there is none. Conversations of another shape are dropped: they would put another load on the endpoint.
func (c *conversations) next(s shape.Shape, at record.Instant, patient bool) *conversation {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) > 0 && c.waiting[0].shape != s {
		heap.Pop(&c.waiting)
	}
	if len(c.waiting) == 0 || !patient && c.waiting[0].due > at {
		return nil
	}
	c.taken++
	return heap.Pop(&c.waiting).(*conversation)
}

// put gives a conversation back, to wait for its next turn, unless there are as many already as may be: then its user
// leaves.
func (c *conversations) put(one *conversation, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken--
	if len(c.waiting)+c.taken < most {
		heap.Push(&c.waiting, one)
	}
}

// leave ends a conversation that a request has.
func (c *conversations) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken--
}

// begin counts a conversation that begins, and returns its number.
func (c *conversations) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	c.taken++
	return c.begun
}

// dueFirst is a heap of conversations, by when they are due.
type dueFirst []*conversation

func (d dueFirst) Len() int           { return len(d) }
func (d dueFirst) Less(i, j int) bool { return d[i].due < d[j].due }
func (d dueFirst) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }

// Push and Pop are for package heap.
func (d *dueFirst) Push(x any) { *d = append(*d, x.(*conversation)) }

// Pop is for package heap.
func (d *dueFirst) Pop() any {
	last := len(*d) - 1
	t := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	return t
}
