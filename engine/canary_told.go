// This file is what the canary was answered: each answer as it is told and kept, and the figures of a window and of the run.

package engine

import (
	"sort"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// canaryAnswer is what came of one request of the canary. A recording has it. Latencies are 0 where there is none.
type canaryAnswer struct {
	At              record.Instant // its end
	TTFT, E2EL, Lag time.Duration
	Failed, Skipped bool   `json:",omitempty"`
	Why             string `json:",omitempty"` // it failed, in a sentence
}

func canaryAnswerOf(r *record.Record) canaryAnswer {
	a := canaryAnswer{At: r.End}
	a.Lag, _ = r.DispatchLag()
	if r.Outcome != record.OK {
		a.Failed, a.Why = true, r.Error
		return a
	}
	a.TTFT, _ = r.TTFT()
	a.E2EL, _ = r.E2EL()
	return a
}

// canaryKept is how many answers are kept.
const canaryKept = 10_000

// canaryTold is what the canary was answered so far.
type canaryTold struct {
	answers   []canaryAnswer // the latest, in the order in which they were told; what was seen never changes
	taken     int            // in all, with those that are no longer kept
	run, live canaryFigures
	counts    snapshot.CanaryFigures // of the run, those that are no longer kept included
}

// canaryFigures are the figures of some answers, until there are others.
type canaryFigures struct {
	from, to int // the answers, counted from the first that was told
	snapshot.CanaryFigures
}

// clone is the same, which can go on by itself.
func (t *canaryTold) clone() canaryTold {
	c := *t
	c.answers = c.answers[:len(c.answers):len(c.answers)]
	return c
}

func (t *canaryTold) add(a canaryAnswer) {
	t.answers = append(t.answers, a)
	if len(t.answers) > canaryKept {
		t.answers = t.answers[1:]
	}
	t.taken++
	count(&t.counts, &a)
}

// show is what a snapshot has of it, which has its stages; nil: there was never a canary.
func (t *canaryTold) show(s *snapshot.Snapshot, m stats.Method) *snapshot.Canary {
	if t.taken == 0 && s.Knobs.Canary == 0 {
		return nil
	}
	from := record.Instant(0)
	switch s.Knobs.Window {
	case stats.WholeRun:
	case stats.ThisStage:
		if present := s.Present(); present != nil {
			from = present.Opened
		}
	default:
		from = s.At.Add(-s.Knobs.Window.Duration())
	}
	first := sort.Search(len(t.answers), func(i int) bool { return t.answers[i].At > from })
	t.live.describe(t, first, m)
	t.run.describe(t, 0, m)
	c := &snapshot.Canary{Live: t.live.CanaryFigures, Run: t.run.CanaryFigures}
	c.Run.OK, c.Run.Failed, c.Run.Skipped, c.Run.Problem = t.counts.OK, t.counts.Failed, t.counts.Skipped, t.counts.Problem
	return c
}

// describe brings the figures up to date: of the answers that are kept, from a first one on.
func (f *canaryFigures) describe(t *canaryTold, first int, m stats.Method) {
	from := t.taken - len(t.answers) + first
	if f.from == from && f.to == t.taken {
		return
	}
	*f = canaryFigures{from: from, to: t.taken}
	var ttft, e2el, lag []time.Duration
	add := func(to *[]time.Duration, d time.Duration) {
		if d > 0 {
			*to = append(*to, d)
		}
	}
	for i := range t.answers[first:] {
		a := &t.answers[first+i]
		count(&f.CanaryFigures, a)
		add(&ttft, a.TTFT)
		add(&e2el, a.E2EL)
		add(&lag, a.Lag)
	}
	f.TTFT, f.E2EL, f.DispatchLag = m.Describe(ttft), m.Describe(e2el), m.Describe(lag)
}

// count counts an answer.
func count(f *snapshot.CanaryFigures, a *canaryAnswer) {
	switch {
	case a.Skipped:
		f.Skipped++
	case a.Failed:
		f.Failed++
		f.Problem = a.Why
	default:
		f.OK++
	}
}
