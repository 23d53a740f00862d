// This file measures by how much a worker's clock is ahead of the console's.

package remote

import (
	"time"

	"tokdyno/engine/record"
)

// pings is how many round trips an offset is the best of.
const pings = 8

// ping is one round trip.
type ping struct {
	trip  time.Duration
	ahead record.Instant
	wall  time.Duration // by how much the machine's clock is ahead of the console's machine's
}

// offset is by how much a worker's clock is ahead, by the round trip that took least: whatever else a message waited for was then
// least, so that the error is half of that trip at most. Older round trips are forgotten, for clocks drift. The zero offset is not known.
type offset struct {
	recent []ping
}

// add takes in a round trip: when it was sent and came back by the console's clock, the worker's clock in between, and by how much the
// wall clock was ahead then of the console's when it came back.
func (o *offset) add(sent, back, there record.Instant, wall time.Duration) {
	if back < sent {
		return
	}
	if len(o.recent) == pings {
		o.recent = o.recent[1:]
	}
	o.recent = append(o.recent, ping{time.Duration(back - sent), there - (sent + (back-sent)/2), wall + time.Duration(back-sent)/2})
}

// best is the offset and its error; false where it is not known.
func (o *offset) best() (ahead record.Instant, err time.Duration, ok bool) {
	p, ok := o.shortest()
	return p.ahead, p.trip / 2, ok
}

// shortest is the round trip that took least; false where there was none.
func (o *offset) shortest() (best ping, ok bool) {
	for i, p := range o.recent {
		if i == 0 || p.trip < best.trip {
			best = p
		}
	}
	return best, len(o.recent) > 0
}
