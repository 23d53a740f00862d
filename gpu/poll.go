// This file polls a source.

package gpu

import (
	"context"
	"time"
)

const (
	// DefaultInterval is how often a source is read.
	DefaultInterval = time.Second

	// ShortestInterval is the least time between two readings: a driver is not for asking more often, and its own
	// figures change no faster.
	ShortestInterval = 100 * time.Millisecond

	// staleAfter is how many intervals a source may take before its last reading counts as old.
	staleAfter = 3
)

// Poll reads a source at once and then at every interval (ShortestInterval at least; DefaultInterval for 0), and hands
// each reading to store, until ctx ends. A read that fails gives a reading with its error. While one takes longer, ticks
// pass; after three intervals the last reading is handed on again at each, marked Stale.
//
// Store is called from Poll's goroutine, and not after Poll returned. Poll returns when ctx ended, though a read may hang
// in a driver: it waits 0.1 s for one that is under way, and leaves its goroutine behind if that is not enough.
func Poll(ctx context.Context, src Source, every time.Duration, store func(Reading)) {
	if every == 0 {
		every = DefaultInterval
	}
	every = max(every, ShortestInterval)
	tick := time.NewTicker(every)
	defer tick.Stop()
	reader := newReader(src)
	defer reader.end()

	last := Reading{Source: src.Name(), Simulated: src.Simulated(), Err: errNoAnswer}
	reader.ask(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-reader.answers:
			reader.take()
			if ctx.Err() != nil {
				return
			}
			last = Reading{At: a.at, Source: src.Name(), Simulated: src.Simulated(), Devices: a.devices}
			if len(a.devices) > 0 {
				last.Partial = a.err
			} else {
				last.Err = a.err
			}
			store(last)
		case <-tick.C:
			reader.ask(ctx)
			if open := reader.open(); open >= staleAfter*every {
				last.Stale = open
				store(last)
			}
		}
	}
}
