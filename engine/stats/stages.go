// This file divides the run into stages and their parts.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

// stagePart is what the collector keeps of one stage.
type stagePart struct {
	opened record.Instant
	steady record.Instant // 0: still settling
	parts  [phases]part
	// The positions between which first tokens and ended requests of it lie, among others.
	firstsFrom, firstsTo int64
	donesFrom, donesTo   int64
	version              int // grows with everything that changes a summary of it

	sends sends // of its steady part, the latest

	packed *packedParts // its histograms for a checkpoint, as of some version; nil: not yet

	ended int           // requests sent within it that completed or failed
	e2els int           // those that completed with an E2EL
	e2el  time.Duration // the sum of it
}

// settled reports whether there is something in the steady part to summarise the stage by.
func (s *stagePart) settled() bool {
	counts := s.parts[steady].sent.counts
	return counts.OK+counts.Failed > 0
}

// steadySince is when the present stage became steady; 0 while nothing that was sent since has ended.
func (l *store) steadySince() record.Instant {
	if n := len(l.stages); n > 0 && l.stages[n-1].settled() {
		return l.stages[n-1].steady
	}
	return 0
}

// summarised are the parts that the stage is summarised by: the steady one, or all while nothing in that has ended.
func (s *stagePart) summarised() []part {
	if s.settled() {
		return s.parts[steady:]
	}
	return s.parts[:]
}

// turnOver counts a request of the stage that completed or failed.
func (s *stagePart) turnOver(r *record.Record) {
	s.ended++
	if d, ok := r.E2EL(); ok && r.Outcome == record.OK {
		s.e2els++
		s.e2el += d
	}
}

// OpenStage ends the current stage and opens the next, which starts by settling. Its number is returned, from 1. What
// requests reported before is to be folded first.
func (c *Collector) OpenStage(at record.Instant) int {
	if n := len(c.stages); n > 0 {
		c.stages[n-1].sends.close()
	}
	c.stages = append(c.stages, stagePart{
		opened:     at,
		firstsFrom: c.firsts.dropped + int64(len(c.firsts.at)),
		donesFrom:  c.dones.dropped + int64(len(c.dones.at)),
	})
	c.time.cut(at, len(c.stages), false, c.closeSlice)
	return len(c.stages)
}

// Turning says how many requests of the current stage are meant to be in flight, each started when one ends: of these it
// is measured whether they move in step.
func (c *Collector) Turning(slots int) { c.stages[len(c.stages)-1].sends = newSends(slots) }

// MarkSteady ends the settling of the current stage.
func (c *Collector) MarkSteady(at record.Instant) {
	if n := len(c.stages); n > 0 && c.stages[n-1].steady == 0 {
		c.stages[n-1].steady = at
		c.time.cut(at, n, true, c.closeSlice)
	}
}

// MarkDraining ends the steady part of the current stage: from now on no new requests are sent. Requests that were sent
// before count on, but the time until the last has ended is in no throughput of a stage that settled.
func (c *Collector) MarkDraining(at record.Instant) {
	c.time.cut(at, len(c.stages), false, c.closeSlice)
}

// MarkOver ends the load: what comes after belongs to no stage and not to the run.
func (c *Collector) MarkOver(at record.Instant) {
	c.time.over = true
	c.time.cut(at, len(c.stages), false, c.closeSlice)
}

// What stands in the place of a stage's number for requests that belong to none.
const (
	disowned   = 0  // something that is not the endpoint's doing befell them
	straddling = -1 // they were in flight when one stage made way for the next
)

// Straddle takes the requests in flight out of the current stage, because the load is about to change: how they end is
// the next one's doing as well. What is known of them already, their first token, stays. Without it, a stage's figures
// would go on changing after its end, and be polluted by its neighbour's. Sliding windows
// show them while the next stage settles; nothing judges them.
func (c *Collector) Straddle() {
	for f := range c.running {
		if f.stage <= disowned {
			continue
		}
		f.straddles = true
		if f.firstToken == 0 {
			f.stage = straddling
		}
	}
}

// Disown takes the requests in flight out of their stage: something that is not the endpoint's doing befell them. Sliding
// windows show them only while a stage settles. No objective judges them, nor any token event from the open slice on, which whoever knows
// when it began has cut there by MarkDraining, until the phase changes again, by OpenStage as a rule.
func (c *Collector) Disown() {
	c.time.last().disowned = true
	for f := range c.running {
		c.countFirst(f, -1)
		f.stage = disowned
		if i := f.ttft - c.firsts.dropped; f.ttft >= 0 && i >= 0 {
			c.edits.note(&c.firsts, f.ttft, firstToken{disowned, c.firsts.ttft[i], c.firsts.fromSchedule[i]})
			c.firsts.stage[i] = disowned
		}
	}
}

// Turnover is what decides whether a stage has settled.
type Turnover struct {
	Opened   record.Instant
	Ended    int           // requests sent within the stage that completed or failed
	MeanE2EL time.Duration // of those that have one; 0: none yet
	Steady   bool
}

// Turnover reports on the current stage; the zero Turnover if none is open.
func (l *store) Turnover() Turnover {
	if len(l.stages) == 0 {
		return Turnover{}
	}
	s := &l.stages[len(l.stages)-1]
	t := Turnover{Opened: s.opened, Ended: s.ended, Steady: s.steady != 0}
	if s.e2els > 0 {
		t.MeanE2EL = s.e2el / time.Duration(s.e2els)
	}
	return t
}

// closeSlice adds the time of a slice that has ended to its parts.
func (c *Collector) closeSlice(s *slice) {
	for _, p := range c.during(s) {
		p.time += time.Duration(s.to - s.from)
	}
}

// during returns the parts, of the stage and of the run, to which what happens in a slice belongs; none before the
// first stage and after the load.
func (l *store) during(s *slice) []*part {
	if s.stage == 0 || s.over {
		return nil
	}
	return l.partsOf(s.stage, s.steady)
}

// sentIn returns the parts to which a request belongs by when it was sent; none if it belongs to no stage.
func (l *store) sentIn(stage int, sent record.Instant) []*part {
	if stage < 1 || stage > len(l.stages) {
		return nil
	}
	return l.partsOf(stage, l.sentSteady(stage, sent))
}

// sentSteady reports whether a request of a stage was sent in its steady part.
func (l *store) sentSteady(stage int, sent record.Instant) bool {
	begin := l.stages[stage-1].steady
	return begin != 0 && sent >= begin
}

// sentSteadyIn reports whether ended request i was sent in the steady part of the stage of a slice.
func (l *store) sentSteadyIn(slice, i int) bool {
	stage := int(l.dones.stage[i])
	return stage > disowned && stage == l.time.slices[slice].stage && l.sentSteady(stage, l.dones.sent[i])
}

func (l *store) partsOf(stage int, isSteady bool) []*part {
	which := phaseOf(isSteady)
	l.both[0], l.both[1] = &l.stages[stage-1].parts[which], &l.run[which]
	return l.both[:]
}

func phaseOf(isSteady bool) int {
	if isSteady {
		return steady
	}
	return settling
}

// countFirst counts the first token of a request in its parts, or, with n = -1, takes it back.
func (c *Collector) countFirst(f *Running, n int) {
	i := f.ttft - c.firsts.dropped
	if f.ttft < 0 || i < 0 || c.firsts.ttft[i] == undefined {
		return
	}
	if n < 0 {
		c.misses.retract(&c.firsts, f.ttft)
	}
	for _, p := range c.sentIn(f.stage, f.counted()) {
		p.firsts += n
		if p.many != nil {
			p.many.addFirst(&c.firsts, int(i), int64(n))
		}
	}
	if f.stage > 0 {
		st := &c.stages[f.stage-1]
		st.firstsTo = max(st.firstsTo, f.ttft+1)
		st.version++
	}
}

// changed notes that what happened in a slice has changed, and with it any summary of its stage, whichever stage the
// request in question belongs to.
func (c *Collector) changed(s *slice) {
	if s.stage > 0 && !s.over {
		c.stages[s.stage-1].version++
	}
}

// StageVersion is a number that changes whenever a summary of stage n may have, but for the passing of time, for the usual
// tokens per chunk, by which requests that still run are counted, and for another SLO; see ScoreAnew.
func (l *store) StageVersion(n int) int { return l.stages[n-1].version }
