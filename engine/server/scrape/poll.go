// This file polls a source.

package scrape

import (
	"context"
	"errors"
	"time"

	"tokdyno/engine/server"
)

// Interval is how often a server is asked by default. Servers refresh their figures about once a second.
const Interval = time.Second

// rareEvery is how many intervals are let pass before a server is asked again that does not offer its figures.
const rareEvery = 10

// Reader is what is polled: a Source.
type Reader interface {
	Read(ctx context.Context) (server.Metrics, error)
}

// Poll reads at once and then at every interval, and hands each reading to store, until ctx ends. A read that takes longer
// than the interval lets the reads that were due pass. A read that fails gives a reading with its error and the metrics of
// the last that did not. A server that does not offer its figures is asked only every tenth interval. Poll returns when no
// read is under way any more, which a Source ends with ctx.
func Poll(ctx context.Context, src Reader, every time.Duration, store func(server.Reading)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	r := server.Reading{Metrics: server.Unread()}
	for {
		m, err := src.Read(ctx)
		if ctx.Err() != nil {
			return
		}
		r.At, r.Err = time.Now(), err
		if err == nil {
			r.Metrics = m
		}
		store(r)
		wait := 1
		if errors.Is(err, ErrNotOffered) {
			wait = rareEvery
		}
		for range wait {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}
