// This file keeps the operating points of a run: its stages, one by one and pooled by load.

package engine

import (
	"slices"
	"time"

	"tokdyno/engine/chance"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// points remembers summaries of stages, and computes only those anew that something has changed.
type points struct {
	rows     []snapshot.StageRow
	versions []int
	pools    []level
	target   float64 // the attainment asked for by the SLO that the scores are by
}

// level is the stages of one load, as one point of the curve.
type level struct {
	knobs   snapshot.Knobs
	stages  []int
	version int // the sum of the stages'; -1: not computed
	made    record.Instant
	summary *stats.Summary
	pooled  []int // the stages that the summary is of
	differ  bool  // the rest of them differ from the newest, which then stands alone
	earlier earlier
}

// earlier is what is kept of the stages of a level before the newest. They are over, so that it rarely changes.
type earlier struct {
	stages  []int
	version int // the sum of theirs
	gist    gist
}

// gist is what is compared of stages to know whether they are of one load.
type gist struct {
	score      slo.Tally
	ttft, tpot interval
}

// interval is the 95 % interval of a median.
type interval struct {
	low, high time.Duration
	known     bool
}

// freshPool is how often a point that several stages make up is computed anew while one of them goes on.
const freshPool = time.Second

// open begins a row.
func (p *points) open(now record.Instant, k snapshot.Knobs) {
	if n := len(p.rows); n > 0 {
		p.rows[n-1].Closed = now
	}
	p.rows = append(p.rows, snapshot.StageRow{Number: len(p.rows) + 1, Knobs: k, Opened: now, Summary: &stats.Summary{Settling: true}})
	p.versions = append(p.versions, -1)
	i := slices.IndexFunc(p.pools, func(known level) bool { return known.knobs.SameLoad(k) })
	if i < 0 {
		i = len(p.pools)
		p.pools = append(p.pools, level{knobs: k, summary: &stats.Summary{Settling: true}})
	}
	pool := &p.pools[i]
	pool.stages = append(pool.stages, len(p.rows))
	pool.version = -1
}

// dropped is the number of the last stage, which ends now, where nothing happened in it, so that list leaves it out;
// else 0.
func (p *points) dropped(from *stats.Collector, now record.Instant) int {
	n := len(p.rows)
	if n == 0 {
		return 0
	}
	s := from.StageSummary(n, now)
	if row := (snapshot.StageRow{Summary: &s}); !row.Empty() {
		return 0
	}
	return n
}

// list returns a row for every stage in which something happened, and for the current one. current is the summary of
// the latter.
func (p *points) list(from *stats.Collector, current *stats.Summary, now record.Instant) []snapshot.StageRow {
	list := make([]snapshot.StageRow, 0, len(p.rows))
	for i := range p.rows {
		row := &p.rows[i]
		switch version := from.StageVersion(row.Number); {
		case i == len(p.rows)-1:
			row.Summary = current
		case version != p.versions[i]:
			s := from.StageSummary(row.Number, now)
			row.Summary, p.versions[i] = &s, version
		}
		if i == len(p.rows)-1 || !row.Empty() {
			list = append(list, *row)
		}
	}
	return list
}

// curve returns a point for every level of the present mode and shape. current is the summary of the current stage; always
// has every point be of now.
func (p *points) curve(from *stats.Collector, k snapshot.Knobs, current *stats.Summary, now record.Instant, always bool) stage.Curve {
	var list []stage.Point
	for i := range p.pools {
		pooled := &p.pools[i]
		if !k.OnCurveOf(pooled.knobs) {
			continue
		}
		level := pooled.knobs.Load.Level()
		isCurrent := pooled.stages[len(pooled.stages)-1] == len(p.rows)
		pooled.update(from, current, isCurrent, now, always)
		s := pooled.summary
		n := s.Requests.OK + s.Requests.Failed
		if settled := !s.Settling && n > 0; settled || isCurrent {
			list = append(list, stage.Point{
				Level: level, Stages: pooled.pooled, N: n, Settled: settled, Summary: s, EarlierDiffer: pooled.differ,
			})
		}
	}
	return stage.NewCurve(list)
}

// update computes a point anew if it has changed. One that is still settling is what the current stage shows.
func (p *level) update(from *stats.Collector, current *stats.Summary, isCurrent bool, now record.Instant, always bool) {
	if isCurrent && len(p.stages) == 1 {
		p.summary, p.pooled, p.version = current, p.stages, -1
		return
	}
	version := versionOf(from, p.stages)
	stands := version == p.version
	if isCurrent { // time passes in it
		stands = !always && (stands || p.version >= 0 && now < p.made.Add(freshPool))
	}
	if stands {
		return
	}
	p.pool(from, now)
	if p.summary.Requests.Ended() == 0 && isCurrent {
		p.summary = current
	}
	p.version, p.made = version, now
}

// pool makes one set of requests of a level's stages if they agree; else the newest that settled stands alone.
func (p *level) pool(from *stats.Collector, now record.Instant) {
	settled := from.SettledOf(p.stages)
	p.pooled, p.differ = p.stages, false
	if n := len(settled) - 1; n > 0 {
		newest := from.PooledSummary(settled[n:], now)
		if p.differ = !gistOf(from, settled[n:], &newest).agrees(p.before(from, settled[:n], now)); p.differ {
			p.pooled, p.summary = settled[n:], &newest
			return
		}
	}
	s := from.PooledSummary(p.stages, now)
	p.summary = &s
}

// before is the gist of the settled stages before the newest.
func (p *level) before(from *stats.Collector, stages []int, now record.Instant) *gist {
	e := &p.earlier
	if version := versionOf(from, stages); version != e.version || !slices.Equal(stages, e.stages) {
		s := from.PooledSummary(stages, now)
		*e = earlier{stages, version, gistOf(from, stages, &s)}
	}
	return &e.gist
}

// versionOf changes with each change of any of the stages.
func versionOf(from *stats.Collector, stages []int) (sum int) {
	for _, n := range stages {
		sum += from.StageVersion(n)
	}
	return sum
}

// gistOf is that of some settled stages and their summary.
func gistOf(from *stats.Collector, stages []int, s *stats.Summary) gist {
	median := func(m slo.Metric) (i interval) {
		i.low, i.high, i.known = from.MedianInterval(stages, m)
		return i
	}
	return gist{s.Score, median(slo.TTFT), median(slo.TPOT)}
}

// agrees reports whether the newest stage of a level and those before may be of one load: their shares of good requests differ
// by no more than chance would have it (Fisher's exact test), and their median TTFT and TPOT do not lie apart.
func (g gist) agrees(before *gist) bool {
	a, b := g.score, before.score
	return chance.Alike(a.Good, a.OK+a.Failed, b.Good, b.OK+b.Failed) >= stage.ChanceOfApart &&
		!g.ttft.apart(before.ttft) && !g.tpot.apart(before.tpot)
}

// noise is by what part the medians of two stages may differ whatever their intervals say. Requests of a stage share batches and
// queues, so that the intervals, which take them as independent, are too narrow.
const noise = 0.05

// apart reports whether two intervals neither overlap nor lie within the noise of each other.
func (i interval) apart(o interval) bool {
	return i.known && o.known && (above(o.low, i.high) || above(i.low, o.high))
}

// above reports whether an interval that begins at low lies above one that ends at high, by more than noise.
func above(low, high time.Duration) bool { return float64(low) > (1+noise)*float64(high) }
