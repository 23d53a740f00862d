// This file tells the collector of a player what a recording has of requests, at the folds at which the run's heard it.

package engine

import (
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
}

func newFeed(b *runfile.Batch, folds []record.Instant) *feed {
	f := &feed{folds: folds, begun: b.Begun, ended: b.Ended, gaps: b.Gaps}
	for from := 0; from < len(b.Doings); {
		to := from + 1
		for to < len(b.Doings) && b.Doings[to].ID == b.Doings[from].ID {
			to++
		}
		f.doings = append(f.doings, b.Doings[from:to])
		from = to
	}
	return f
}

// due reports whether what happened at an instant, and was late by so many folds, was taken in by a fold.
func (f *feed) due(fold int, at record.Instant, late int) bool {
	in := fold - late
	return in >= 0 && (in >= len(f.folds) || at <= f.folds[in])
}

// tell tells the collector what was taken in by a fold: of each request, in order. What speaks of a request that never began,
// no recorder wrote.
func (p *Player) tell(f *feed, fold int) {
	for ; len(f.begun) > 0 && f.due(fold, f.begun[0].Started, f.begun[0].Late); f.begun = f.begun[1:] {
		x := &f.begun[0]
		r := &record.Record{ID: x.ID, Stage: x.Stage, Scheduled: x.Scheduled, Started: x.Started, Residual: x.Residual}
		p.running[x.ID] = p.collector.Begin(r, x.InputGuess)
	}
	left := f.doings[:0]
	for _, doings := range f.doings {
		n := 0
		for n < len(doings) && f.due(fold, doings[n].Token.At, doings[n].Late) {
			n++
		}
		if n > 0 {
			if r := p.running[doings[0].ID]; r != nil {
				for i := range doings[:n] {
					if x := &doings[i]; x.Sent {
						r.Sent(x.Token.At)
					} else {
						r.Token(x.Token)
					}
				}
			}
		}
		if n < len(doings) {
			left = append(left, doings[n:])
		}
	}
	f.doings = left
	for ; len(f.ended) > 0 && f.due(fold, f.ended[0].Record.End, f.ended[0].Late); f.ended = f.ended[1:] {
		x := f.ended[0].Record
		if r := p.running[x.ID]; r != nil {
			r.Finish(x)
			delete(p.running, x.ID)
		}
	}
	for ; len(f.gaps) > 0 && f.due(fold, f.gaps[0].At, 0); f.gaps = f.gaps[1:] {
		p.collector.TakeGaps(f.gaps[0].At, f.gaps[0].Gaps, f.gaps[0].ITL)
	}
}
