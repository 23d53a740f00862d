// This file says in which fold of the statistics something was taken in.

package runfile

import "tokdyno/engine/record"

// MostLate is by how many folds something can be late. That is half a minute in which a stream told nothing of what it had got.
const MostLate = 254

// folds are the instants of the latest folds, in a ring.
type folds struct {
	recent [MostLate + 2]record.Instant
	n      int
}

// add takes note of a fold. One that is no later than the one before is the same.
func (f *folds) add(at record.Instant) bool {
	if f.n > 0 && at <= f.last(1) {
		return false
	}
	f.recent[f.n%len(f.recent)] = at
	f.n++
	return true
}

// last is the instant of the latest fold (1), or of the one so many before it.
func (f *folds) last(back int) record.Instant { return f.recent[(f.n-back)%len(f.recent)] }

// late is that of an event that is taken in now; see Doing.Late.
func (f *folds) late(at record.Instant) int {
	n := 0
	for n < min(f.n, len(f.recent)) && f.last(n+1) >= at {
		n++
	}
	return n - 1
}
