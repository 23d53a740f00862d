// This file tells a collector what batches have of requests: those of a recording, or those of a run that goes on elsewhere.

package runfile

import (
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// Feed tells a collector what requests did. The zero Feed knows of no request.
type Feed struct {
	known  map[uint64]*stats.Running // the requests that run
	folds  []record.Instant          // those of the batch, and as many before them as something can be late by
	begun  []Begun
	doings [][]Doing // by request
	ended  []Ended
	gaps   []Gaps
	record record.Record // scratch
}

// Fill takes what a batch has, when nothing is left of the one before. folds are those at which the recorder heard it, and as many
// before as something can be late by; none: everything is told at once.
func (f *Feed) Fill(b *Batch, folds []record.Instant) {
	*f = Feed{
		known: f.known, folds: append(f.folds[:0], folds...),
		begun: b.Begun, doings: f.doings[:0], ended: b.Ended, gaps: b.Gaps,
	}
	if f.known == nil {
		f.known = make(map[uint64]*stats.Running)
	}
	for from := 0; from < len(b.Doings); {
		to := from + 1
		for to < len(b.Doings) && b.Doings[to].ID == b.Doings[from].ID {
			to++
		}
		f.doings = append(f.doings, b.Doings[from:to])
		from = to
	}
}

// due reports whether what happened at an instant, and was late by so many folds, was taken in by a fold.
func (f *Feed) due(fold int, at record.Instant, late int) bool {
	in := fold - late
	return in >= 0 && (in >= len(f.folds) || at <= f.folds[in])
}

// Tell tells the collector what was taken in by a fold: of each request, in order. What speaks of a request that never began,
// no recorder wrote. By the highest fold that there can be, everything was.
func (f *Feed) Tell(c *stats.Collector, fold int) {
	for ; len(f.begun) > 0 && f.due(fold, f.begun[0].Started, f.begun[0].Late); f.begun = f.begun[1:] {
		x := &f.begun[0]
		f.record = record.Record{
			ID: x.ID, Stage: x.Stage, Slot: x.Slot, Endpoint: x.Endpoint, Scheduled: x.Scheduled, Started: x.Started, Residual: x.Residual,
		}
		f.known[x.ID] = c.Begin(&f.record, x.InputGuess)
	}
	left := f.doings[:0]
	for _, doings := range f.doings {
		n := 0
		for n < len(doings) && f.due(fold, doings[n].Token.At, doings[n].Late) {
			n++
		}
		f.tellOf(c, doings[:n])
		if n < len(doings) {
			left = append(left, doings[n:])
		}
	}
	f.doings = left
	for ; len(f.ended) > 0 && f.due(fold, f.ended[0].Record.End, f.ended[0].Late); f.ended = f.ended[1:] {
		x := f.ended[0].Record
		if f.ended[0].Late < 0 { // chunks that are kept by number only may seem to come later than they were taken in
			f.tellOf(c, f.takeDoings(x.ID))
		}
		if r := f.known[x.ID]; r != nil {
			r.Finish(x)
			delete(f.known, x.ID)
		}
	}
	for ; len(f.gaps) > 0 && f.due(fold, f.gaps[0].At, 0); f.gaps = f.gaps[1:] {
		c.TakeGaps(f.gaps[0].At, f.gaps[0].Gaps, f.gaps[0].ITL)
	}
}

// takeDoings are those of a request that are left.
func (f *Feed) takeDoings(id uint64) []Doing {
	i := slices.IndexFunc(f.doings, func(doings []Doing) bool { return doings[0].ID == id })
	if i < 0 {
		return nil
	}
	doings := f.doings[i]
	f.doings = slices.Delete(f.doings, i, i+1)
	return doings
}

// tellOf tells what one request did.
func (f *Feed) tellOf(c *stats.Collector, doings []Doing) {
	if len(doings) == 0 {
		return
	}
	r := f.known[doings[0].ID]
	if r == nil {
		return
	}
	for len(doings) > 0 {
		n := 0
		for n < len(doings) && !doings[n].Sent {
			n++
		}
		if n == 0 {
			r.Sent(doings[0].Token.At)
			n = 1
		} else if c.TakesAtOnce() {
			r.Tokens(n, func(i int) *record.Token { return &doings[i].Token })
		} else {
			for i := range doings[:n] {
				r.Token(doings[i].Token)
			}
		}
		doings = doings[n:]
	}
}

// Running are the requests that have begun and not ended, by number. The map is the feed's.
func (f *Feed) Running() map[uint64]*stats.Running { return f.known }

// Resume has the feed go on where these requests run.
func (f *Feed) Resume(running map[uint64]*stats.Running) { *f = Feed{known: running} }

// TellAll tells the collector of all that is left of the batch.
func (f *Feed) TellAll(c *stats.Collector) { f.Tell(c, 1<<40) }
