// This file is the monotonic clock, and instants on it.

package record

import "time"

// Instant is a point on the run's monotonic clock: nanoseconds since the run's epoch. The epoch itself is one
// nanosecond, so that the zero Instant can mean "never".
type Instant int64

// Clock tells the present instant.
type Clock func() Instant

// NewClock returns a monotonic clock whose epoch is the present.
func NewClock() Clock {
	epoch := time.Now()
	return func() Instant { return Instant(time.Since(epoch)) + 1 }
}

// Since returns the time that passed from o to i; false where either never happened.
func (i Instant) Since(o Instant) (time.Duration, bool) {
	if i == 0 || o == 0 {
		return 0, false
	}
	return time.Duration(i - o), true
}

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Elapsed returns the time since the epoch, in seconds' resolution of time.Duration; 0 for "never".
func (i Instant) Elapsed() time.Duration { return time.Duration(max(i-1, 0)) }

// Count is a number that may be unknown. The zero Count is unknown.
type Count struct {
	n     int64
	known bool
}

// Known returns the count n.
func Known(n int64) Count { return Count{n: n, known: true} }

// Get returns the number; false where it is unknown.
func (c Count) Get() (int64, bool) { return c.n, c.known }

// Or returns the number, or alt where it is unknown.
func (c Count) Or(alt int64) int64 {
	if !c.known {
		return alt
	}
	return c.n
}
