// This file takes in gaps that somebody else has counted.

package stats

import (
	"tokdyno/engine/record"
)

// TakeGaps takes in chunk gaps and the same per token, of about one second, of token events that came without: a recording
// may keep no more of them. They count where an instant lies, whatever becomes of their requests.
func (c *Collector) TakeGaps(at record.Instant, gaps, itl Sparse) {
	i := c.time.at(at)
	s := &c.time.slices[i]
	if d := c.time.detail(i); d != nil {
		d.itl.take(itl)
	}
	for _, p := range c.during(s) {
		if p.itl == nil {
			p.itl = new(Histogram)
		}
		p.apart()
		p.itl.take(itl)
		p.gaps.take(gaps)
	}
	c.changed(s)
}

// take adds what a Sparse holds.
func (h *Histogram) take(o Sparse) {
	for _, b := range o.Buckets {
		h.add(b.At, int64(b.N), 0)
	}
	h.sum += o.Sum
}
