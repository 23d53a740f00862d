// This file is the queue of arrivals that wait for a slot.

package load

import "tokdyno/engine/record"

// arrival is an arrival that waits.
type arrival struct {
	number    uint64
	scheduled record.Instant
	work      any // of a replay
}

// backlog is the queue of arrivals that wait for a slot, oldest first. It has no bound: some bytes an arrival are a fair
// price for never dropping one unseen. The zero backlog is empty.
type backlog struct {
	waiting []arrival
	head    int
}

func (b *backlog) len() int { return len(b.waiting) - b.head }

func (b *backlog) push(a arrival) {
	// Once half of the array is spent it is used again: every arrival is copied at most once on average.
	if len(b.waiting) == cap(b.waiting) && b.head > len(b.waiting)/2 {
		n := copy(b.waiting, b.waiting[b.head:])
		clear(b.waiting[n:])
		b.waiting, b.head = b.waiting[:n], 0
	}
	b.waiting = append(b.waiting, a)
}

// pop takes the oldest arrival; the backlog must not be empty.
func (b *backlog) pop() arrival {
	a := b.waiting[b.head]
	b.waiting[b.head] = arrival{} // its work belongs to the request now, and may be large
	b.head++
	if b.head == len(b.waiting) {
		b.waiting, b.head = b.waiting[:0], 0
	}
	return a
}

// clear forgets every arrival, and their memory, and returns how many there were.
func (b *backlog) clear() int {
	n := b.len()
	*b = backlog{}
	return n
}
