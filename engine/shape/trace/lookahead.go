// This file puts events into the order of their times.

package trace

import (
	"slices"
	"time"
)

// lookAhead is how many events are read before the first of them is handed out. Logs that are written when a request
// ends, or by several machines, have small disorder; this evens it out.
const lookAhead = 1024

// queue holds events in the order of their times, equal ones in the order in which they came.
type queue struct {
	events []Event
	head   int // events before it have been taken
}

func (q *queue) len() int { return len(q.events) - q.head }

// put is fast where an event is not, or little, earlier than those before it.
func (q *queue) put(e Event) {
	if q.head > lookAhead {
		q.events = slices.Delete(q.events, 0, q.head)
		q.head = 0
	}
	i := len(q.events)
	for i > q.head && q.events[i-1].At > e.At {
		i--
	}
	q.events = slices.Insert(q.events, i, e)
}

// take takes the earliest event. There must be one.
func (q *queue) take() Event {
	e := q.events[q.head]
	q.events[q.head].Blocks = nil // may be collected
	q.head++
	return e
}

// clock makes times that begin at 0 and never fall. The zero clock is ready.
type clock struct {
	started     bool
	first, last time.Duration
	clamped     int // times that would have fallen
}

func (c *clock) read(at time.Duration) time.Duration {
	if !c.started {
		c.started, c.first, c.last = true, at, at
	}
	if at < c.last {
		at = c.last
		c.clamped++
	}
	c.last = at
	return at - c.first
}
