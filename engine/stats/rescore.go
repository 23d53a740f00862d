// This file judges stored requests anew when an SLO threshold is turned.

package stats

import (
	"math"

	"tokdyno/engine/slo"
)

// verdicts are what the SLO in force says of requests and, while they are scored anew, what the one to come says.
type verdicts struct{ now, next slo.Tally }

// rescoring is how far the stored requests are scored by an SLO to come. The zero rescoring is at no work.
type rescoring struct {
	criteria slo.Criteria
	atWork   bool
	next     int64 // the position of the first ended request that is not scored by it; valid at work
}

// Criteria is the SLO that every score is by.
func (l *store) Criteria() slo.Criteria { return l.criteria }

// SetCriteria changes the SLO and scores everything that is stored anew.
func (c *Collector) SetCriteria(criteria slo.Criteria) { c.Rescore(criteria, math.MaxInt) }

// Rescore scores at most so many of the stored requests by a changed SLO, going on where the last call for the same SLO
// stopped, and reports whether all of them are. Until then every score is by the SLO before, that of requests which end
// meanwhile too; from then on every score is by the new one. So whoever holds a lock may give way between two calls. A
// million requests take about 4 ms in all.
func (c *Collector) Rescore(criteria slo.Criteria, most int) (done bool) {
	r := &c.rescoring
	if criteria == c.criteria {
		r.atWork = false // it was turned back
		return true
	}
	if !r.atWork || r.criteria != criteria {
		*r = rescoring{criteria: criteria, atWork: true, next: c.dones.dropped}
		c.eachVerdicts(func(v *verdicts) { v.next = slo.Tally{} })
	}
	c.rescore(most)
	if r.next < c.dones.dropped+int64(len(c.dones.at)) {
		return false
	}
	c.eachVerdicts(func(v *verdicts) { v.now = v.next })
	c.criteria, r.atWork = criteria, false
	c.history.rescore(criteria)
	return true
}

// rescore scores at most so many further requests. Requests that lie next to each other mostly belong to the same slice
// and parts, so it goes from one such stretch to the next.
func (c *Collector) rescore(most int) {
	d, r := &c.dones, &c.rescoring
	first := int(max(r.next-d.dropped, 0))
	end := first + min(most, len(d.at)-first)
	cursor := len(c.time.slices) - 1
	for i := first; i < end; {
		cursor = c.time.seek(cursor, d.at[i])
		to := min(c.stretch(cursor, i), end)
		t := d.tally(r.criteria, i, to)
		s := &c.time.slices[cursor]
		if v := c.history.of(d.at[i]); v != nil {
			v.next.Add(t)
		}
		if s.recent != nil {
			s.recent.packed = nil
			s.recent.ended.tally.next.Add(t)
			if c.sentSteadyIn(cursor, i) {
				s.recent.steady.tally.next.Add(t)
			}
		}
		for _, p := range c.during(s) {
			p.completed.next.Add(t)
		}
		for _, p := range c.sentIn(int(d.stage[i]), d.sent[i]) {
			p.sent.tally.next.Add(t)
		}
		i = to
	}
	r.next = d.dropped + int64(end)
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
	return criteria.Score(slo.Requests{
		Endings: d.ending[i:end], TTFT: d.ttft[i:end], TTFA: d.ttfa[i:end], TPOT: d.tpot[i:end], E2EL: d.e2el[i:end],
	})
}

// eachVerdicts visits all that is kept of verdicts.
func (c *Collector) eachVerdicts(visit func(*verdicts)) {
	for i := range c.history.scores {
		visit(&c.history.scores[i])
	}
	for i := c.time.oldest; i < len(c.time.slices); i++ {
		if d := c.time.slices[i].recent; d != nil {
			d.packed = nil
			visit(&d.ended.tally)
			visit(&d.steady.tally)
		}
	}
	visitParts := func(parts []part) {
		for i := range parts {
			visit(&parts[i].completed)
			visit(&parts[i].sent.tally)
		}
	}
	visitParts(c.run[:])
	for i := range c.stages {
		visitParts(c.stages[i].parts[:])
	}
}

// ScoreAnew brings a summary that StageSummary or PooledSummary made of some stages up to the SLO in force, which changes
// nothing of it but score and goodput.
func (l *store) ScoreAnew(s *Summary, stages []int) {
	var judged, completed slo.Tally
	for _, n := range stages {
		st := &l.stages[n-1]
		if !s.Settling && !st.settled() {
			continue // it is not among those that were pooled
		}
		for _, p := range st.summarised() {
			judged.Add(p.sent.tally.now)
			completed.Add(p.completed.now)
		}
	}
	l.score(s, judged, completed)
}

// score puts in what the SLO says of the requests of a window. Goodput goes by those that completed in it.
func (l *store) score(s *Summary, judged, completed slo.Tally) {
	s.Score, s.Goodput, s.GoodputKnown = judged, 0, false
	if n, ok := completed.GoodCount(l.criteria); ok && s.Spans > 0 {
		s.Goodput, s.GoodputKnown = float64(n)/s.Spans.Seconds(), true
	}
}
