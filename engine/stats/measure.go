// This file measures what an objective is held against.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// LongestITLWindow is how far back ITL can be measured: its samples are too many to be kept for longer.
const LongestITLWindow = 5 * time.Minute

// Measure returns an objective's figure over its window as of now: a percentile of a latency, or the share of requests
// that failed, of those that completed or failed. A window that reaches back before the run, or before what is kept, is
// of what there is. TTFT enters when the first token arrives, ITL when the chunk does, TPOT, E2EL and errors when the
// request ends. Without samples, N is 0.
func (c *Collector) Measure(o slo.Objective, now record.Instant) slo.Measured {
	from := now.Add(-o.Window)
	switch o.Metric {
	case slo.TTFT:
		return c.percentile(o.Percentile, c.firsts.at, c.firsts.ttft, nil, from)
	case slo.TPOT:
		return c.percentile(o.Percentile, c.dones.at, c.dones.tpot, c.dones.ending, from)
	case slo.E2EL:
		return c.percentile(o.Percentile, c.dones.at, c.dones.e2el, c.dones.ending, from)
	case slo.ITL:
		return c.percentileITL(o, now)
	case slo.ErrorRate:
		return c.errorRate(from)
	}
	return slo.Measured{}
}

// percentile is of a column's values since an instant; endings, if any, have to be OK.
func (c *Collector) percentile(p float64, at []record.Instant, column []time.Duration, endings []slo.Ending, from record.Instant) slo.Measured {
	values := c.values[:0]
	for i := begin(at, from); i < len(column); i++ {
		if at[i] >= from && column[i] != undefined && (endings == nil || endings[i] == slo.OK) {
			values = append(values, column[i])
		}
	}
	c.values = values
	if len(values) == 0 {
		return slo.Measured{}
	}
	low, high := c.method.needs(len(values), p)
	arrange(values, []int{low, high})
	return slo.Measured{Latency: c.method.Percentile(values, p), N: len(values)}
}

func (c *Collector) percentileITL(o slo.Objective, now record.Instant) slo.Measured {
	c.merged.Reset()
	for i := c.time.since(now, min(o.Window, LongestITLWindow)); i < len(c.time.slices); i++ {
		if d := c.time.slices[i].recent; d != nil {
			c.merged.Merge(&d.itl)
		}
	}
	if c.merged.N() == 0 {
		return slo.Measured{}
	}
	return slo.Measured{Latency: c.merged.Quantiles(o.Percentile)[0], N: int(c.merged.N())}
}

func (c *Collector) errorRate(from record.Instant) slo.Measured {
	failed, judged := 0, 0
	for i := begin(c.dones.at, from); i < len(c.dones.at); i++ {
		if c.dones.at[i] < from || c.dones.ending[i] == slo.Cancelled {
			continue
		}
		judged++
		if c.dones.ending[i] == slo.Failed {
			failed++
		}
	}
	if judged == 0 {
		return slo.Measured{}
	}
	return slo.Measured{Errors: float64(failed) / float64(judged), N: judged}
}

// begin is the first index of a column that may lie after an instant. Events lie in order but for a fold's delay.
func begin(at []record.Instant, from record.Instant) int {
	i := len(at)
	for i > 0 && at[i-1] >= from.Add(-time.Second) {
		i--
	}
	return i
}
