// This file turns the knobs.

package engine

import (
	"fmt"
	"time"

	"tokdyno/engine/journal"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
)

// Apply turns the knobs. It takes effect for the next request, and shows in the next Snapshot. An error, one sentence,
// means that nothing was changed. A change of the load opens a stage; a change of the SLO scores again what is stored, and
// shows, where that is a great deal, as soon as it is done.
func (e *Engine) Apply(k snapshot.Knobs) error {
	if err := loadable(k, &e.cfg); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.startsNoMore() {
		old := &e.knobs
		k.Load, k.Shape, k.Paused = old.Load, old.Shape, old.Paused // no request will start that they could matter to
	}
	by := k
	if e.takesTurns() {
		by.Paused = e.knobs.Paused // that a turn ends takes nothing out of its hands
	}
	if takesOver(by, &e.knobs) && e.autopilot.release("stopped: a knob was turned by hand", e.generator.State()) {
		if k.SameLoad(e.knobs) {
			e.openStage(now) // the one before has ended already
		}
		e.command()
	}
	e.change(k, now)
	e.publish(now)
	return nil
}

// loadable says what is wrong with knobs, or why this machine, or its workers, can't put that load on anything.
func loadable(k snapshot.Knobs, cfg *Config) error {
	if err := k.Validate(); err != nil {
		return err
	}
	return cfg.fits(k)
}

// startsNoMore reports whether no request will start any more.
func (e *Engine) startsNoMore() bool { return e.drained || e.over != 0 || e.state == snapshot.Ended }

// takesOver reports whether turned knobs take the load out of the autopilot's hands.
func takesOver(k snapshot.Knobs, old *snapshot.Knobs) bool {
	return !k.SameLoad(*old) || k.Paused && !old.Paused ||
		k.SLO != old.SLO || k.Target != old.Target || k.Objectives != old.Objectives
}

// change puts knobs into force, by whomever they were turned. A change of the load opens a stage. A pause ends the steady
// part of its stage, and the stage after it is a new one. What changes nothing of the load is none of the pool's business.
func (e *Engine) change(k snapshot.Knobs, now record.Instant) {
	old := e.knobs
	e.turn(k, now)
	e.score()
	e.tracker.Set(k.Objectives)
	pauses, resumes, draining := k.Paused && !old.Paused, old.Paused && !k.Paused, e.autopilot.draining()
	if e.start != 0 && (!k.SameLoad(old) || resumes && !draining) {
		e.openStage(now)
	}
	labelled := k
	if e.takesTurns() {
		labelled.Paused = old.Paused // no mark says whose turn it is
	}
	if label := changeLabel(old, labelled); label != "" {
		e.mark(now, label)
	}
	switch {
	case pauses:
		e.pausedAt = now
	case resumes && e.start != 0:
		since, _ := now.Since(max(e.pausedAt, e.start))
		e.paused += since
		e.autopilot.waits = false
	}
	if e.start != 0 {
		if pauses && !draining {
			e.endMeasuring(now)
		}
		if !e.drained && e.over == 0 {
			e.state = runningOr(k.Paused)
		}
	}
	if k.Load != old.Load || k.Paused != old.Paused {
		e.command()
	}
}

// command tells the pool what to do. What stops new requests comes first, so that none slips in between.
func (e *Engine) command() {
	setting, paused := e.autopilot.told(&e.knobs)
	if paused {
		e.generator.Pause(true)
	}
	e.generator.Set(setting)
	if !paused {
		e.generator.Pause(false)
	}
}

// NewStage opens a stage with the same load: what is measured begins anew. Once no request will start any more, it does
// nothing.
func (e *Engine) NewStage() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.start == 0 || e.drained || e.over != 0 {
		return
	}
	e.openStage(now)
	e.mark(now, "new stage")
	e.publish(now)
}

// Mark puts a note on the time axis; long ones are shown as far as there is room.
func (e *Engine) Mark(label string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.start == 0 || e.over != 0 {
		return
	}
	e.mark(now, label)
	e.happen(journal.Note(now, label))
	e.publish(now)
}

// StageValues returns a latency of every completed request of stage n; see stats.Collector.StageValues. There are none
// where there is no such stage.
func (e *Engine) StageValues(n int, m slo.Metric) []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n < 1 || n > len(e.points.rows) {
		return nil
	}
	return e.collector.StageValues(n, m)
}

func runningOr(paused bool) snapshot.State {
	if paused {
		return snapshot.Paused
	}
	return snapshot.Running
}

// changeLabel says in a few characters what a change of the load was; "" for none.
func changeLabel(old, k snapshot.Knobs) string {
	switch {
	case old.Load.Mode != k.Load.Mode:
		return k.Load.String()
	case old.Load.Mode == load.Closed && old.Load.Concurrency != k.Load.Concurrency:
		return fmt.Sprintf("c %d→%d", old.Load.Concurrency, k.Load.Concurrency)
	case !old.Load.Same(k.Load) && old.Load.Same(k.Load.AtLevel(old.Load.Level())) && k.Load.Mode == load.Open:
		return fmt.Sprintf("%.3g→%.3g/s", old.Load.Level(), k.Load.Level())
	case !old.Load.Same(k.Load):
		return k.Load.String()
	case old.Shape.Prompt != k.Shape.Prompt:
		return fmt.Sprintf("in %s→%s", old.Shape.Prompt, k.Shape.Prompt)
	case old.Shape.Output != k.Shape.Output:
		return fmt.Sprintf("out %s→%s", old.Shape.Output, k.Shape.Output)
	case old.Canary != k.Canary:
		return fmt.Sprintf("canary %g→%g/s", old.Canary, k.Canary)
	case old.Shape != k.Shape:
		return "shape"
	case k.Paused && !old.Paused:
		return "pause"
	case old.Paused && !k.Paused:
		return "resume"
	}
	return ""
}
