// This file scores the stored requests by a changed SLO, beside the load.

package engine

import (
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// scoreAtOnce is how many requests are scored before others get the lock again: some 40 µs of work.
const scoreAtOnce = 1 << 13

// score scores what is stored by the knobs' SLO: at once where it is little, else in a goroutine of its own, which ends by
// publishing the new scores. Its caller holds e.mu.
func (e *Engine) score() {
	if e.points.score(e.collector, &e.knobs) || e.scoring != nil { // one at work goes on with the SLO in force
		return
	}
	done := make(chan struct{})
	e.scoring = done
	go func() {
		defer close(done)
		for over := false; !over; {
			over = e.scoreMore()
		}
	}()
}

// scoreMore is a step of the goroutine that scores.
func (e *Engine) scoreMore() (over bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.points.score(e.collector, &e.knobs) {
		return false
	}
	e.scoring = nil
	e.publish(e.fold())
	return true
}

// score scores some of what is stored by the knobs' SLO, and reports whether all of it is. Then what was computed of stages is
// brought up to that, without computing the latencies anew.
func (p *points) score(from *stats.Collector, k *snapshot.Knobs) (all bool) {
	before := from.Criteria()
	if !from.Rescore(k.SLO, scoreAtOnce) {
		return false
	}
	p.target = k.Target
	if k.SLO == before {
		return true
	}
	again := func(of *stats.Summary, stages ...int) *stats.Summary {
		s := *of // others may have it
		from.ScoreAnew(&s, stages)
		return &s
	}
	for i := range p.rows {
		p.rows[i].Summary = again(p.rows[i].Summary, p.rows[i].Number)
	}
	for i := range p.pools {
		pool := &p.pools[i]
		pool.summary = again(pool.summary, pool.pooled...)
		if len(pool.stages) > 1 {
			pool.version, pool.earlier = -1, earlier{} // whether they agree is a matter of the SLO too
		}
	}
	return true
}

// scoredBy are the knobs as the scores are by them: until everything is scored by a changed SLO, with the one before and its
// target.
func (p *points) scoredBy(from *stats.Collector, k snapshot.Knobs) snapshot.Knobs {
	k.SLO, k.Target = from.Criteria(), p.target
	return k
}
