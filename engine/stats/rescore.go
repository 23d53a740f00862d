// This file judges stored requests anew when an SLO threshold is turned.

package stats

import (
	"math"

	"tokdyno/engine/slo"
)

// SetCriteria changes the SLO and scores everything that is stored anew.
func (c *Collector) SetCriteria(criteria slo.Criteria) {
	if criteria != c.criteria {
		c.criteria = criteria
		c.rescore()
	}
}

// rescore judges all stored requests by the present criteria. Requests that lie next to each other mostly belong to the
// same slice and parts, so it goes from one such stretch to the next.
func (c *Collector) rescore() {
	c.clearTallies()
	c.history.clear()
	d := &c.dones
	cursor := 0
	for i := 0; i < len(d.at); {
		cursor = c.time.seek(cursor, d.at[i])
		end := c.stretch(cursor, i)
		t := d.tally(c.criteria, i, end)
		s := &c.time.slices[cursor]
		c.history.add(d.at[i], t)
		if s.recent != nil {
			s.recent.ended.tally.Add(t)
		}
		for _, p := range c.during(s) {
			p.completed.Add(t)
		}
		for _, p := range c.sentIn(int(d.stage[i]), d.sent[i]) {
			p.sent.tally.Add(t)
		}
		i = end
	}
	c.history.rescore(c.criteria)
}

// stretch is the end of the requests from i on that ended in the same slice and were sent in the same part of the same
// stage.
func (c *Collector) stretch(slice, i int) int {
	d := &c.dones
	from, to := c.time.slices[slice].from, c.time.slices[slice].to
	if to == 0 {
		to = math.MaxInt64
	}
	stage := d.stage[i]
	begin := int64(math.MaxInt64)
	if stage > 0 && c.stages[stage-1].steady != 0 {
		begin = int64(c.stages[stage-1].steady)
	}
	isSteady := int64(d.sent[i]) >= begin
	end := i + 1
	for end < len(d.at) && d.at[end] >= from && d.at[end] < to && d.stage[end] == stage &&
		(int64(d.sent[end]) >= begin) == isSteady {
		end++
	}
	return end
}

// tally judges the requests from i to before end.
func (d *dones) tally(criteria slo.Criteria, i, end int) slo.Tally {
	return criteria.Judge(slo.Requests{
		Endings: d.ending[i:end], TTFT: d.ttft[i:end], TPOT: d.tpot[i:end], E2EL: d.e2el[i:end],
	})
}

func (c *Collector) clearTallies() {
	clearPart := func(p *part) { p.completed, p.sent.tally = slo.Tally{}, slo.Tally{} }
	for i := c.time.oldest; i < len(c.time.slices); i++ {
		if d := c.time.slices[i].recent; d != nil {
			d.ended.tally = slo.Tally{}
		}
	}
	for which := range phases {
		clearPart(&c.run[which])
		for i := range c.stages {
			clearPart(&c.stages[i].parts[which])
			c.stages[i].version++
		}
	}
}
