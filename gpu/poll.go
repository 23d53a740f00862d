// This file polls a source.

package gpu

import (
	"context"
	"errors"
	"time"
)

const (
	// DefaultInterval is how often a source is read.
	DefaultInterval = time.Second

	// ShortestInterval is the least time between two readings: a driver is not for asking more often, and its own
	// figures change no faster.
	ShortestInterval = 100 * time.Millisecond

	// StaleAfter is how many intervals a source may take before its last reading counts as old.
	StaleAfter = 3
)

// ErrNoAnswer stands in a reading until the source has answered for the first time.
var ErrNoAnswer = errors.New("no answer yet")

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
	reader := NewReader(src)
	defer reader.End()

	last := Reading{Source: src.Name(), Simulated: src.Simulated(), Err: ErrNoAnswer}
	reader.Ask(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-reader.Answers():
			reader.Take()
			if ctx.Err() != nil {
				return
			}
			last = Reading{At: a.At, Source: src.Name(), Simulated: src.Simulated(), Devices: a.Devices}
			if len(a.Devices) > 0 {
				last.Partial = a.Err
			} else {
				last.Err = a.Err
			}
			store(last)
		case <-tick.C:
			reader.Ask(ctx)
			if open := reader.Open(); open >= StaleAfter*every {
				last.Stale = open
				store(last)
			}
		}
	}
}
