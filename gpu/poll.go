// This file polls a source.

package gpu

import (
	"context"
	"time"
)

// Poll reads a source at once and then at every interval, and hands each reading to store, until ctx ends. A read that
// fails gives a reading with its error. It returns when no read is under way any more.
func Poll(ctx context.Context, src Source, every time.Duration, store func(Reading)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		devices, err := src.Read(ctx)
		if ctx.Err() != nil {
			return
		}
		store(Reading{At: time.Now(), Source: src.Name(), Simulated: src.Simulated(), Devices: devices, Err: err})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
