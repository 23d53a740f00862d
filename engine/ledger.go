// This file is what is known of a run by what requests and readings told: a run fills it, and so does a recording of one.

package engine

import (
	"fmt"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// ledger is what is known of a run. Its methods are called with whatever lock its owner has, and are what a recording
// keeps and does again.
type ledger struct {
	keep   *keeper // what is done is kept there; nil: it is not
	budget load.Budget
	seed   uint64

	knobs     snapshot.Knobs
	state     snapshot.State
	err       error
	collector *stats.Collector
	points    points
	tracker   slo.Tracker // of the objectives
	marks     []snapshot.Mark
	happened  []snapshot.Event // what was told of, in order
	live      costly
	always    bool           // everything that is shown is of the moment, however long that takes
	telemetry telemetry      // has a lock of its own, which may be taken under its owner's
	start     record.Instant // when the load began; 0: not yet
	startWall time.Time
	over      record.Instant // when the load ended; 0: it goes on
	stood     time.Duration  // how long the process stood still in all
	folded    record.Instant // when what requests had reported was taken in last
}

// begin is the beginning of the load.
func (l *ledger) begin(now record.Instant, wall time.Time) {
	l.start, l.startWall = now, wall
	l.telemetry.begin()
}

// fold takes in what requests have reported. At one instant it does so once: what comes after belongs to the next, so that a
// recording knows by the instant whether it was taken in before or after what was done to the run then.
func (l *ledger) fold(now record.Instant) {
	if now > l.folded {
		l.folded = now
		l.collector.Fold(now)
	}
}

// turn puts knobs into force, without what follows from that.
func (l *ledger) turn(k snapshot.Knobs, now record.Instant) {
	l.knobs = k
	l.keep.event(now, didTurn, keptKnobsOf(k))
}

// openStage begins a new operating point with the present knobs, and returns its number.
func (l *ledger) openStage(now record.Instant) int {
	l.fold(now)
	l.keep.event(now, didOpenStage, nil)
	if len(l.points.rows) > 0 {
		l.telemetry.next(now)
	}
	l.collector.Straddle()
	n := l.collector.OpenStage(now)
	if l.knobs.Load.Mode == load.Closed {
		l.collector.Turning(l.knobs.Load.Concurrency)
	}
	if dropped := l.points.dropped(l.collector, now); dropped > 0 {
		l.marks = append(l.marks, snapshot.Mark{At: now, Label: fmt.Sprintf("stage %d dropped", dropped)})
	}
	l.points.open(now, l.knobs)
	return n
}

// steady ends the settling of the present stage.
func (l *ledger) steady(now record.Instant) {
	l.keep.event(now, didSettle, nil)
	l.collector.MarkSteady(now)
	l.telemetry.steady(now)
}

// endMeasuring ends the steady part of the present stage, for figures as for telemetry.
func (l *ledger) endMeasuring(now record.Instant) {
	l.keep.event(now, didEndMeasuring, nil)
	l.collector.MarkDraining(now)
	l.telemetry.pause(now)
}

// disown keeps the requests in flight out of every stage.
func (l *ledger) disown(now record.Instant) {
	l.keep.event(now, didDisown, nil)
	l.collector.Disown()
}

// standStill takes note of a stretch in which the process did not run.
func (l *ledger) standStill(now record.Instant, gap time.Duration) {
	l.keep.event(now, didStandStill, gap)
	l.stood += gap
}

// mark puts a label on the time axis.
func (l *ledger) mark(now record.Instant, label string) {
	l.keep.event(now, didMark, label)
	l.marks = append(l.marks, snapshot.Mark{At: now, Label: label})
}

// happen takes note of what happened.
func (l *ledger) happen(what ...snapshot.Event) {
	if len(what) > 0 {
		l.keep.event(what[0].At, didHappen, what)
		l.happened = append(l.happened, what...)
	}
}

// finish ends the load for the statistics.
func (l *ledger) finish(at record.Instant) {
	if l.over == 0 {
		l.over = at
		l.fold(at)
		l.keep.event(at, didFinish, nil)
		l.collector.MarkOver(at)
		l.telemetry.end(at)
	}
}

// judge compares the objectives with what is measured, if a second has passed.
func (l *ledger) judge(now record.Instant) {
	judged := false
	l.tracker.Judge(now.Elapsed(), func(o slo.Objective) slo.Measured {
		judged = true
		return l.collector.Measure(o, now)
	})
	if judged {
		l.keep.event(now, didJudge, nil)
	}
}

// end is the instant at which figures stand: they stand still when the load is over.
func (l *ledger) end(now record.Instant) record.Instant {
	if l.over != 0 {
		return l.over
	}
	return now
}

// moment is the present as a snapshot, as far as it follows from what is known.
func (l *ledger) moment(now record.Instant) *snapshot.Snapshot {
	end, knobs := l.end(now), l.points.scoredBy(l.collector, l.knobs)
	s := &snapshot.Snapshot{
		At:         now,
		State:      l.state,
		Budget:     l.budget,
		Err:        l.err,
		Started:    l.startWall,
		Seed:       l.seed,
		Knobs:      knobs,
		Counts:     l.collector.Counts(),
		Tokens:     l.collector.Tokens(),
		Stood:      l.stood,
		Problems:   l.collector.Problems(),
		InFlight:   l.collector.InFlight(now),
		Live:       l.live.summary(l.collector, knobs, len(l.points.rows), end, l.always || l.over != 0),
		Stage:      l.collector.Summary(stats.ThisStage, end),
		Objectives: l.tracker.Standings(),
		History:    l.collector.History(),
		Marks:      l.marks[:len(l.marks):len(l.marks)],
		Events:     l.happened[:len(l.happened):len(l.happened)],
	}
	if l.start != 0 {
		s.Begun = l.start
		s.Elapsed, _ = end.Since(l.start)
	}
	s.Stages = l.points.list(l.collector, &s.Stage, end)
	s.Curve = l.points.curve(l.collector, knobs, &s.Stage, end, l.always)
	return s
}
