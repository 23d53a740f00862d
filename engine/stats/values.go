// This file hands out the latencies of one stage one by one, for statistics of the caller's own.

package stats

import (
	"time"

	"tokdyno/engine/slo"
)

// StageValues returns a latency of every completed request of stage n that has one and is still kept: of its steady
// part, or of all of it if nothing in that has ended. They come in the order in which the requests ended; the slice is
// the caller's.
func (l *ledger) StageValues(n int, m slo.Metric) []time.Duration {
	d := &l.dones
	column := d.of(m)
	sc := l.stageScope(n)
	end := until(len(d.at), d.dropped, sc.donesTo)
	completed := 0
	for _, p := range sc.parts {
		completed += p.sent.counts.OK
	}
	values := make([]time.Duration, 0, min(completed, len(d.at)))
	for i := l.reach(sc, d.at, d.dropped, sc.donesFrom); i < end; i++ {
		if column[i] != undefined && d.ending[i] == slo.OK && l.belongs(sc, d.at[i], d.sent[i], d.stage[i]) {
			values = append(values, column[i])
		}
	}
	return values
}
