// This file is the timetable of the open loop: when the next arrival is due, and which arrivals wait.

package load

import (
	"math"
	"math/rand/v2"
	"time"

	"tokdyno/engine/record"
)

// schedule is an absolute timetable: an arrival is due at the epoch plus the sum of the gaps drawn since. A dispatcher
// that wakes up late thus takes an arrival up late, but never moves the ones behind it.
type schedule struct {
	random *rand.Rand
	draw   process
	epoch  record.Instant
	mean   float64        // nanoseconds
	sum    float64        // nanoseconds from the epoch to the next arrival; kept unrounded, so that rounding can't add up
	next   record.Instant // 0: stopped
}

// restart draws the gaps anew from the instant at, for a valid open-loop setting.
func (s *schedule) restart(at record.Instant, setting Setting) {
	s.draw, s.epoch, s.sum = setting.Arrival.process(), at, 0
	s.mean = float64(time.Second) / setting.Rate
	s.advance()
}

// advance moves on to the arrival after the next.
func (s *schedule) advance() {
	s.sum += s.draw(s.random) * s.mean
	s.next = s.epoch.Add(time.Duration(math.Round(s.sum)))
}

// stop makes no arrival due until the next restart.
func (s *schedule) stop() { s.next = 0 }

// due reports whether an arrival is due at or before now.
func (s *schedule) due(now record.Instant) bool { return s.next != 0 && s.next <= now }

// backlog is the queue of arrivals that wait for a slot, oldest first, each by its scheduled instant. It has no bound:
// eight bytes an arrival is a fair price for never dropping one unseen. The zero backlog is empty.
type backlog struct {
	waiting []record.Instant
	head    int
}

func (b *backlog) len() int { return len(b.waiting) - b.head }

func (b *backlog) push(scheduled record.Instant) {
	// Once half of the array is spent it is used again: every arrival is copied at most once on average.
	if len(b.waiting) == cap(b.waiting) && b.head > len(b.waiting)/2 {
		b.waiting = b.waiting[:copy(b.waiting, b.waiting[b.head:])]
		b.head = 0
	}
	b.waiting = append(b.waiting, scheduled)
}

// pop takes the oldest arrival; the backlog must not be empty.
func (b *backlog) pop() record.Instant {
	scheduled := b.waiting[b.head]
	b.head++
	if b.head == len(b.waiting) {
		b.waiting, b.head = b.waiting[:0], 0
	}
	return scheduled
}

// clear forgets every arrival, and their memory, and returns how many there were.
func (b *backlog) clear() int {
	n := b.len()
	*b = backlog{}
	return n
}
