// This file keeps the latencies of the sliding windows as running sums.

package stats

import "tokdyno/engine/record"

// slidingWindows is the number of windows that slide: the first ones.
const slidingWindows = int(Last5m) + 1

// sliding is the spectrum of a sliding window. It is brought up to date by adding what has come and taking away what has
// left, so that a look at a window of a million requests costs what happened since the last look. The zero sliding is
// that of a collector in which nothing has happened yet.
//
// What has come and gone is told by position, and events lie in order but for a fold's delay: one may leave a tenth of a
// second late, which among so many shows in no figure. Nor do the few in a window that were sent before its stage was steady.
type sliding struct {
	begun              bool
	sum                spectrum
	firstFrom, firstTo int64 // positions of the first tokens in sum
	doneFrom, doneTo   int64 // and of the ended requests
}

// slide brings the sums of all sliding windows up to date, so that none costs more to look at for not having been
// looked at before.
func (c *Collector) slide(now record.Instant) {
	for w := range c.sliding {
		c.sliding[w].update(&c.store, c.slidingScope(Window(w), now).from)
	}
}

// update brings the sum up to a window that begins at an instant.
func (r *sliding) update(l *store, from record.Instant) *spectrum {
	f, d := &l.firsts, &l.dones
	first, done := f.dropped+int64(begin(f.at, from)), d.dropped+int64(begin(d.at, from))
	left := r.firstTo < first && r.doneTo < done
	if !r.begun || left || r.firstFrom < f.dropped || r.doneFrom < d.dropped { // or some of the sum can't be taken away any more
		*r = sliding{begun: true, firstFrom: first, doneFrom: done}
		r.firstTo, r.doneTo = r.firstFrom, r.doneFrom
	}
	for end := f.dropped + int64(len(f.at)); r.firstTo < end; r.firstTo++ {
		r.sum.addFirst(f, int(r.firstTo-f.dropped), 1)
	}
	for end := d.dropped + int64(len(d.at)); r.doneTo < end; r.doneTo++ {
		r.sum.addDone(d, int(r.doneTo-d.dropped), 1)
	}
	// A new load settles: its window reaches further back, and then by the disorder of a fold at least.
	if r.firstFrom > f.dropped && f.at[r.firstFrom-f.dropped-1] >= from {
		for ; r.firstFrom > first; r.firstFrom-- {
			r.sum.addFirst(f, int(r.firstFrom-1-f.dropped), 1)
		}
	}
	if r.doneFrom > d.dropped && d.at[r.doneFrom-d.dropped-1] >= from {
		for ; r.doneFrom > done; r.doneFrom-- {
			r.sum.addDone(d, int(r.doneFrom-1-d.dropped), 1)
		}
	}
	for r.firstFrom < r.firstTo && f.at[r.firstFrom-f.dropped] < from {
		r.sum.addFirst(f, int(r.firstFrom-f.dropped), -1)
		r.firstFrom++
	}
	for r.doneFrom < r.doneTo && d.at[r.doneFrom-d.dropped] < from {
		r.sum.addDone(d, int(r.doneFrom-d.dropped), -1)
		r.doneFrom++
	}
	return &r.sum
}

// retract takes a first token out, before its value is lost.
func (r *sliding) retract(f *firsts, position int64) {
	if position >= r.firstFrom && position < r.firstTo && position >= f.dropped {
		r.sum.addFirst(f, int(position-f.dropped), -1)
	}
}
