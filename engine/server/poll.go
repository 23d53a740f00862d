// This file polls a source.

package server

import (
	"context"
	"errors"
	"time"
)

// Interval is how often a server is asked by default. Servers refresh their figures about once a second.
const Interval = time.Second

// staleAfter is how many intervals a reading stays good for.
const staleAfter = 3

// rareEvery is how many intervals are let pass before a server is asked again that does not offer its figures.
const rareEvery = 10

// Reading is what is known at one moment: the latest metrics, and what the last attempt to read them came to.
type Reading struct {
	At      time.Time // when the attempt ended
	Metrics Metrics   // of the last attempt that succeeded; where none has, their At is zero and nothing in them is known
	Err     error     // why the last attempt failed, in a sentence; nil: it did not
}

// Known reports whether the reading has metrics.
func (r Reading) Known() bool { return !r.Metrics.At.IsZero() }

// Stale reports whether the metrics are too old to be shown as present, at an interval of polling: the server has not
// answered since, or takes too long. Metrics that were never read are stale.
func (r Reading) Stale(now time.Time, every time.Duration) bool {
	return !r.Known() || now.Sub(r.Metrics.At) > staleAfter*every
}

// Reader is what is polled: a Source.
type Reader interface {
	Read(ctx context.Context) (Metrics, error)
}

// Poll reads at once and then at every interval, and hands each reading to store, until ctx ends. A read that takes longer
// than the interval lets the reads that were due pass. A read that fails gives a reading with its error and the metrics of
// the last that did not. A server that does not offer its figures is asked only every tenth interval. Poll returns when no
// read is under way any more, which a Source ends with ctx.
func Poll(ctx context.Context, src Reader, every time.Duration, store func(Reading)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	r := Reading{Metrics: unknown(reasonNoReading)}
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
