// This file hands out the latencies of one stage one by one, for statistics of the caller's own.

package stats

import (
	"time"

	"tokdyno/engine/slo"
)

// StageValues returns a latency of every completed request of stage n that has one and is still kept: of its steady
// part, or of all of it if nothing in that has ended. They come in the order in which the requests ended; the slice is
// the caller's.
func (c *Collector) StageValues(n int, m slo.Metric) []time.Duration {
	d := &c.dones
	column := d.ttft
	switch m {
	case slo.TPOT:
		column = d.tpot
	case slo.E2EL:
		column = d.e2el
	}
	sc := c.stageScope(n)
	end := until(len(d.at), d.dropped, sc.donesTo)
	var values []time.Duration
	for i := c.reach(sc, d.at, d.dropped, sc.donesFrom); i < end; i++ {
		if column[i] != undefined && d.ending[i] == slo.OK && c.belongs(sc, d.at[i], d.sent[i], d.stage[i]) {
			values = append(values, column[i])
		}
	}
	return values
}
