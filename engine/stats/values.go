// This file hands out the latencies of one stage one by one, for statistics of the caller's own.

package stats

import (
	"slices"
	"time"

	"tokdyno/engine/chance"
	"tokdyno/engine/slo"
)

// StageValues returns a latency of every completed request of stage n that has one and is still kept: of its steady
// part, or of all of it if nothing in that has ended. They come in the order in which the requests ended; the slice is
// the caller's.
func (l *store) StageValues(n int, m slo.Metric) []time.Duration {
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

// MedianInterval returns the 95 % interval of the median of a latency over the steady parts of some stages, ascending; see
// chance.QuantileRanks. False where there are too few requests to say, or none of the stages settled. Of very many requests
// it is to the resolution of the histograms (0.4 %).
func (l *store) MedianInterval(stages []int, m slo.Metric) (low, high time.Duration, ok bool) {
	sc := l.pooledScope(stages)
	if len(sc.parts) == 0 {
		return 0, 0, false
	}
	if l.manyIn(sc) {
		var sum Histogram
		for _, p := range sc.parts {
			sum.Merge(p.many.of(m))
		}
		n := int(sum.N())
		lo, hi, ok := chance.QuantileRanks(n, 0.5, 0.95)
		if !ok {
			return 0, 0, false
		}
		bounds := sum.Quantiles(float64(lo)/float64(n), float64(hi)/float64(n))
		return bounds[0], bounds[1], true
	}
	var values []time.Duration
	for _, n := range sc.stages {
		values = append(values, l.StageValues(n, m)...)
	}
	lo, hi, ok := chance.QuantileRanks(len(values), 0.5, 0.95)
	if !ok {
		return 0, 0, false
	}
	slices.Sort(values)
	return values[lo-1], values[hi-1], true
}
