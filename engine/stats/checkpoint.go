// This file goes back to what a collector once was, for who plays a recording.

package stats

import (
	"maps"
	"slices"
	"time"

	"tokdyno/engine/slo"
)

// Checkpoint is what a collector was at a moment. The figures of single requests are not in it: they stand in the collector's
// columns, of which a checkpoint knows how long they were. So it belongs to its collector, and what that is told afterwards
// must be the same run again. The rest takes a few hundred kilobytes.
type Checkpoint struct {
	criteria slo.Criteria
	counts   Counts
	outside  tokenTotals
	ratio    tokenRatio
	late     time.Duration

	time   timeline        // its slices without details
	recent []*packedDetail // of the slices from time.oldest on; nil: the slice has none
	stages []stagePart     // without histograms
	packed []*packedParts  // of the stages
	run    [phases]part    // likewise
	ran    *packedParts

	firsts, dones         int
	firstsGone, donesGone int64
	edits                 int
	lag, dispatch         packedRecent
	running               []*Running
	problems              problems
	history               history // without scores
	scores                int
	latestScores          []verdicts // those to which something may be added, or which a point may be of
}

// keepScores is how many of the latest seconds' scores a checkpoint has. The others are made anew where the SLO is turned.
const keepScores = 60

// Keep has Checkpoint and Restore work from now on. It is to be called before the first request.
func (c *Collector) Keep() { c.edits.kept = true }

// Checkpoint is what the collector is now.
func (c *Collector) Checkpoint() *Checkpoint {
	k := &Checkpoint{
		criteria: c.criteria, counts: c.counts, outside: c.outside, ratio: c.ratio, late: c.late,
		time: c.time, stages: slices.Clone(c.stages), run: c.run, ran: packParts(&c.run),
		firsts: len(c.firsts.at), firstsGone: c.firsts.dropped, dones: len(c.dones.at), donesGone: c.dones.dropped,
		edits: c.edits.done, lag: c.lag.pack(), dispatch: c.dispatch.pack(), problems: c.problems.clone(),
		history: c.history, scores: len(c.history.scores),
		latestScores: slices.Clone(c.history.scores[max(len(c.history.scores)-keepScores, 0):]),
	}
	k.history.points, k.history.scores = slices.Clip(c.history.points), nil
	k.time.slices, k.time.free = slices.Clone(c.time.slices), nil
	for i := range k.time.slices {
		d := k.time.slices[i].recent
		k.time.slices[i].recent = nil
		if i >= c.time.oldest {
			k.recent = append(k.recent, d.pack())
		}
	}
	for i := range c.stages {
		st := &c.stages[i]
		if st.packed == nil || st.packed.version != st.version {
			st.packed = packParts(&st.parts)
			st.packed.version = st.version
		}
		k.packed = append(k.packed, st.packed)
		k.stages[i].sends.latest = slices.Clone(st.sends.latest)
	}
	for f := range c.running {
		k.running = append(k.running, f.clone())
	}
	return k
}

// Restore has the collector be what it was at a checkpoint, before or after what it is now. It returns the requests that run,
// by their number; those that ran before are no longer known. ok is false where the columns do not reach back so far.
func (c *Collector) Restore(k *Checkpoint) (running map[uint64]*Running, ok bool) {
	if k.firstsGone != c.firsts.dropped || k.donesGone != c.dones.dropped {
		return nil, false
	}
	c.edits.apply(&c.firsts, k.edits)
	c.firsts.truncate(k.firsts)
	c.dones.truncate(k.dones)
	c.criteria, c.counts, c.outside, c.ratio, c.late = k.criteria, k.counts, k.outside, k.ratio, k.late
	c.rescoring, c.misses, c.sliding = rescoring{}, missCounters{}, [slidingWindows]sliding{}
	c.whole = openable{most: c.whole.most} // of what is told from now on
	c.problems = k.problems.clone()
	c.lag.unpack(&k.lag)
	c.dispatch.unpack(&k.dispatch)
	c.restoreTime(k)
	c.stages, c.run = slices.Clone(k.stages), k.run
	for i := range c.stages {
		st := &c.stages[i]
		k.packed[i].unpack(&st.parts)
		st.packed = k.packed[i]
		st.sends.latest = slices.Clone(st.sends.latest)
	}
	k.ran.unpack(&c.run)
	c.history = k.history
	c.history.scores = make([]verdicts, k.scores)
	copy(c.history.scores[k.scores-len(k.latestScores):], k.latestScores)
	clear(c.running)
	running = make(map[uint64]*Running, len(k.running))
	for _, f := range k.running {
		f := f.clone()
		c.running[f] = struct{}{}
		running[f.id] = f
	}
	return running, true
}

func (c *Collector) restoreTime(k *Checkpoint) {
	free := c.time.free
	for i := range c.time.slices {
		if d := c.time.slices[i].recent; d != nil {
			d.reset()
			free = append(free, d)
		}
	}
	c.time = k.time
	c.time.slices, c.time.free = slices.Clone(k.time.slices), free
	for i, p := range k.recent {
		if p != nil {
			p.unpack(c.time.detail(c.time.oldest + i))
		}
	}
}

// clone is the request as it stands now.
func (f *Running) clone() *Running {
	copied := *f
	copied.runs = slices.Clone(f.runs)
	for i := range copied.runs {
		copied.runs[i].gaps = slices.Clone(copied.runs[i].gaps)
	}
	return &copied
}

func (p problems) clone() problems {
	copied := maps.Clone(p)
	for key, problem := range copied {
		of := *problem
		copied[key] = &of
	}
	return copied
}
