// This file adds up one part of a stage, settling or steady, and the same part of the whole run.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// exactRequests is the number of requests up to which percentiles are taken from the values themselves. Above it they
// come from histograms, at most 0.4 % off: a person could not see the difference, but would see the console stutter.
const exactRequests = 32_768

// The parts of a stage.
const (
	settling = iota
	steady
	phases
)

// part is what happened in one part of a stage, by two measures: the time at which it happened, for rates, and the
// requests that were sent in it, for latencies.
type part struct {
	time      time.Duration // that its closed slices span
	tokens    float64       // output tokens whose number is known
	chunks    int64         // token events whose number of tokens is not known yet
	input     prompts       // of requests whose first token came
	completed verdicts      // requests that ended then
	itl       *Histogram    // of token events; nil: none
	gaps      *Histogram    // between these; nil: the same, for each was of one token

	firsts int       // first tokens of requests that were sent then
	sent   cohort    // requests that were sent then and have ended
	many   *spectrum // their latencies, as soon as there are more than exactRequests; else nil
}

// cohort adds up requests that ended.
type cohort struct {
	counts Counts // Started is not used
	tally  verdicts
	totals tokenTotals
}

// cohortOf is that of one request, on which there is a verdict.
func cohortOf(r *record.Record, verdict slo.Tally) (c cohort) {
	switch endingOf(r) {
	case slo.OK:
		c.counts.OK++
		c.totals.add(r)
	case slo.Failed:
		c.counts.Failed++
	case slo.Cancelled:
		c.counts.Cancelled++
	}
	c.tally.now = verdict
	return c
}

func (c *cohort) merge(o *cohort) {
	c.counts.OK += o.counts.OK
	c.counts.Failed += o.counts.Failed
	c.counts.Cancelled += o.counts.Cancelled
	c.tally.now.Add(o.tally.now)
	c.totals.merge(&o.totals)
}

// addGap counts a token event's gap, n times: -1 takes it back, with its exact sums to follow by addSums.
func (p *part) addGap(g counted, n int64) {
	if p.itl == nil {
		p.itl = new(Histogram)
	}
	if g.tokens != 1 {
		p.apart()
	}
	p.itl.add(g.itl, n*g.tokens, 0)
	if p.gaps != nil {
		p.gaps.add(g.gap, n, 0)
	}
}

func (p *part) addSums(itl, gap time.Duration) {
	if p.itl != nil {
		p.itl.sum += itl
	}
	if p.gaps != nil {
		p.gaps.sum += gap
	}
}

// apart has gaps between chunks be counted apart from those between tokens, from now on.
func (p *part) apart() {
	if p.gaps == nil {
		p.gaps = p.itl.clone()
	}
}

// chunkGaps are the gaps between its token events; nil: none.
func (p *part) chunkGaps() *Histogram {
	if p.gaps == nil {
		return p.itl
	}
	return p.gaps
}
