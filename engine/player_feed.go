// This file tells the collector of a player what a recording has of requests, at the folds at which the run's heard it.

package engine

import (
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
)

// feed is what requests did in a batch, as far as the collector has not been told of it.
type feed struct {
	folds  []record.Instant // those of the batch, and as many before them as something can be late by
	begun  []runfile.Begun
	doings [][]runfile.Doing // by request
	ended  []runfile.Ended
	gaps   []runfile.Gaps
	record record.Record // scratch
}

// fill takes what a batch has, when nothing is left of the one before.
func (f *feed) fill(b *runfile.Batch, folds []record.Instant) {
	*f = feed{folds: append(f.folds[:0], folds...), begun: b.Begun, doings: f.doings[:0], ended: b.Ended, gaps: b.Gaps}
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
func (f *feed) due(fold int, at record.Instant, late int) bool {
	in := fold - late
	return in >= 0 && (in >= len(f.folds) || at <= f.folds[in])
}

// tell tells the collector what was taken in by a fold: of each request, in order. What speaks of a request that never began,
// no recorder wrote.
func (b *playback) tell(fold int) {
	f := &b.feed
	for ; len(f.begun) > 0 && f.due(fold, f.begun[0].Started, f.begun[0].Late); f.begun = f.begun[1:] {
		x := &f.begun[0]
		f.record = record.Record{
			ID: x.ID, Stage: x.Stage, Slot: x.Slot, Endpoint: x.Endpoint, Scheduled: x.Scheduled, Started: x.Started, Residual: x.Residual,
		}
		b.known[x.ID] = b.collector.Begin(&f.record, x.InputGuess)
	}
	left := f.doings[:0]
	for _, doings := range f.doings {
		n := 0
		for n < len(doings) && f.due(fold, doings[n].Token.At, doings[n].Late) {
			n++
		}
		b.tellOf(doings[:n])
		if n < len(doings) {
			left = append(left, doings[n:])
		}
	}
	f.doings = left
	for ; len(f.ended) > 0 && f.due(fold, f.ended[0].Record.End, f.ended[0].Late); f.ended = f.ended[1:] {
		x := f.ended[0].Record
		if f.ended[0].Late < 0 { // chunks that are kept by number only may seem to come later than they were taken in
			b.tellOf(f.takeDoings(x.ID))
		}
		if r := b.known[x.ID]; r != nil {
			r.Finish(x)
			delete(b.known, x.ID)
		}
	}
	for ; len(f.gaps) > 0 && f.due(fold, f.gaps[0].At, 0); f.gaps = f.gaps[1:] {
		b.collector.TakeGaps(f.gaps[0].At, f.gaps[0].Gaps, f.gaps[0].ITL)
	}
}

// takeDoings are those of a request that are left.
func (f *feed) takeDoings(id uint64) []runfile.Doing {
	i := slices.IndexFunc(f.doings, func(doings []runfile.Doing) bool { return doings[0].ID == id })
	if i < 0 {
		return nil
	}
	doings := f.doings[i]
	f.doings = slices.Delete(f.doings, i, i+1)
	return doings
}

// tellOf tells what one request did.
func (b *playback) tellOf(doings []runfile.Doing) {
	if len(doings) == 0 {
		return
	}
	r := b.known[doings[0].ID]
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
		} else {
			r.Tokens(n, func(i int) *record.Token { return &doings[i].Token })
		}
		doings = doings[n:]
	}
}
