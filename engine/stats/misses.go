// This file counts what of a stage missed an objective's limit.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// StageMisses returns how many samples of the current stage an objective can be held against, and how many of them are
// beyond its limit: requests or, for ITL, tokens, whose limit is taken to the resolution of the histogram (0.4 %). They
// are those of its steady part, or of all of it while nothing in that has ended; the objective's window does not count.
//
// It may be called at every tick: a call looks at what has come since the last one with the same metric and limit.
func (l *store) StageMisses(o slo.Objective) (judged, missed int) {
	if len(l.stages) == 0 {
		return 0, 0
	}
	current := &l.stages[len(l.stages)-1]
	switch o.Metric {
	case slo.TTFT, slo.TTFA, slo.TPOT, slo.E2EL:
		m := l.misses.of(o)
		m.enter(l, current)
		m.count(l)
		return m.judged, m.missed
	}
	return missesOf(current.summarised(), o)
}

// missesOf counts tokens or failures of parts of stages.
func missesOf(parts []part, o slo.Objective) (judged, missed int) {
	limit := bucketOf(o.Limit)
	for i := range parts {
		switch p := &parts[i]; o.Metric {
		case slo.ITL:
			if p.itl != nil {
				judged += int(p.itl.N())
				missed += int(p.itl.above(limit))
			}
		case slo.ErrorRate:
			judged += p.sent.counts.OK + p.sent.counts.Failed
			missed += p.sent.counts.Failed
		}
	}
	return judged, missed
}

// PooledMisses returns the same of those of some stages that settled, of requests that completed. It looks at all of them: it is
// not to be called at every tick.
func (l *store) PooledMisses(stages []int, o slo.Objective) (judged, missed int) {
	for _, n := range l.SettledOf(stages) {
		switch o.Metric {
		case slo.TTFT, slo.TTFA, slo.TPOT, slo.E2EL:
			for _, v := range l.StageValues(n, o.Metric) {
				judged++
				missed += one(v > o.Limit)
			}
		default:
			j, m := missesOf(l.stages[n-1].summarised(), o)
			judged, missed = judged+j, missed+m
		}
	}
	return judged, missed
}

// misses counts the requests of a stage that missed a limit, and remembers how far it has looked.
type misses struct {
	metric slo.Metric
	limit  time.Duration

	stage  int            // 0: nothing is counted yet
	since  record.Instant // requests that were sent before are not counted; 0: all are
	next   int64          // the position from which on nothing is counted yet
	judged int
	missed int
}

// enter begins to count anew, unless what is counted is the same stretch of the same stage.
func (m *misses) enter(l *store, current *stagePart) {
	stage, since, from := len(l.stages), record.Instant(0), current.donesFrom
	if current.settled() {
		since = current.steady
	}
	if m.metric == slo.TTFT {
		from = current.firstsFrom
	}
	if m.stage != stage || m.since != since {
		*m = misses{metric: m.metric, limit: m.limit, stage: stage, since: since, next: from}
	}
}

// count takes in what has come since the last time.
func (m *misses) count(l *store) {
	f, d := &l.firsts, &l.dones
	if m.metric == slo.TTFT {
		for i := int(max(m.next-f.dropped, 0)); i < len(f.at); i++ {
			m.add(f.stage[i], f.sent[i], f.ttft[i], 1)
		}
		m.next = f.dropped + int64(len(f.at))
		return
	}
	column := d.of(m.metric)
	for i := int(max(m.next-d.dropped, 0)); i < len(d.at); i++ {
		if d.ending[i] == slo.OK {
			m.add(d.stage[i], d.sent[i], column[i], 1)
		}
	}
	m.next = d.dropped + int64(len(d.at))
}

// add counts a request n times, if it belongs to what is counted and has the latency.
func (m *misses) add(stage int32, sent record.Instant, latency time.Duration, n int) {
	if latency != undefined && int(stage) == m.stage && sent >= m.since {
		m.judged += n
		m.missed += n * one(latency > m.limit)
	}
}

// missCounters are one counter for each of as many objectives as there can be.
type missCounters struct {
	list [slo.MaxObjectives]misses
	next int // the one to be given up for an objective that has none
}

// of returns the counter for an objective's metric and limit.
func (m *missCounters) of(o slo.Objective) *misses {
	for i := range m.list {
		if k := &m.list[i]; k.metric == o.Metric && k.limit == o.Limit {
			return k
		}
	}
	k := &m.list[m.next]
	m.next = (m.next + 1) % len(m.list)
	*k = misses{metric: o.Metric, limit: o.Limit}
	return k
}

// retract takes a first token out, before it is lost or leaves its stage.
func (m *missCounters) retract(f *firsts, position int64) {
	i := position - f.dropped
	for k := range m.list {
		if k := &m.list[k]; k.metric == slo.TTFT && position < k.next {
			k.add(f.stage[i], f.sent[i], f.ttft[i], -1)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
