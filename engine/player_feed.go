// This file tells the collector of a player what a recording has of requests, at the folds at which the run's heard it.

package engine

import (
	"cmp"
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
)

// fed is something of a batch that the collector is told, and in which fold it is taken in.
type fed struct {
	fold int
	at   record.Instant
	what fedKind
	i    int // in the batch's list of that kind
}

type fedKind uint8

const (
	fedBegun fedKind = iota
	fedDoing
	fedEnded
	fedGaps
)

// feed is what the collector is told of a batch, ordered by when it is taken in.
func (p *Player) feed(b *runfile.Batch, first int) []fed {
	list := make([]fed, 0, len(b.Begun)+len(b.Doings)+len(b.Ended)+len(b.Gaps))
	add := func(what fedKind, i int, at record.Instant, late int) {
		fold, _ := slices.BinarySearch(p.folds, at)
		list = append(list, fed{max(fold+late, first), at, what, i})
	}
	for i := range b.Begun {
		add(fedBegun, i, b.Begun[i].Started, b.Begun[i].Late)
	}
	for i := range b.Doings {
		add(fedDoing, i, b.Doings[i].Token.At, b.Doings[i].Late)
	}
	for i := range b.Ended {
		add(fedEnded, i, b.Ended[i].Record.End, b.Ended[i].Late)
	}
	for i := range b.Gaps {
		add(fedGaps, i, b.Gaps[i].At, 0)
	}
	slices.SortStableFunc(list, func(a, b fed) int {
		return cmp.Or(cmp.Compare(a.fold, b.fold), cmp.Compare(a.at, b.at))
	})
	return list
}

// tell tells the collector. What speaks of a request that never began, no recorder wrote.
func (p *Player) tell(b *runfile.Batch, list []fed) {
	for _, f := range list {
		switch f.what {
		case fedBegun:
			x := &b.Begun[f.i]
			r := &record.Record{ID: x.ID, Stage: x.Stage, Slot: x.Slot, Endpoint: x.Endpoint, Scheduled: x.Scheduled, Started: x.Started, Residual: x.Residual}
			p.running[x.ID] = p.collector.Begin(r, x.InputGuess)
		case fedDoing:
			x := &b.Doings[f.i]
			if r := p.running[x.ID]; r != nil && x.Sent {
				r.Sent(x.Token.At)
			} else if r != nil {
				r.Token(x.Token)
			}
		case fedEnded:
			x := b.Ended[f.i].Record
			if r := p.running[x.ID]; r != nil {
				r.Finish(x)
				delete(p.running, x.ID)
			}
		case fedGaps:
			x := &b.Gaps[f.i]
			p.collector.TakeGaps(x.At, x.Gaps, x.ITL)
		}
	}
}
