// This file reads several servers, of which each has a part of one load.

package scrape

import (
	"context"
	"errors"
	"sync"

	"tokdyno/engine/server"
)

// Several reads all of some sources at once, and sums up what they say; see server.Sum.
type Several []*Source

// Read reads the figures. Where one of them can't be read, nothing is known of all; the error is that of the first.
func (s Several) Read(ctx context.Context) (server.Metrics, error) {
	all, errs := make([]server.Metrics, len(s)), make([]error, len(s))
	var reading sync.WaitGroup
	for i, source := range s {
		reading.Go(func() { all[i], errs[i] = source.Read(ctx) })
	}
	reading.Wait()
	for _, err := range errs {
		if err != nil {
			return server.Metrics{}, err
		}
	}
	return server.Sum(all), nil
}

// Close closes all; see Source.Close.
func (s Several) Close() error {
	var errs []error
	for _, source := range s {
		errs = append(errs, source.Close())
	}
	return errors.Join(errs...)
}
