// This file does what the autopilot wants.

package engine

import (
	"errors"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
)

// StartAutopilot hands the load over to a pilot, in the place of one that is at work. Any knob of the load or of the SLO
// that is turned by hand, and a pause, take it back.
func (e *Engine) StartAutopilot(f snapshot.AutopilotRun) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.startsNoMore() {
		return errors.New("the load is over; there is nothing left to move")
	}
	now := e.fold()
	e.publish(now)
	var levels []stage.Known
	if s := e.snapshot.Load(); s.Knobs.SLO == e.knobs.SLO && s.Knobs.Target == e.knobs.Target { // all is scored by them
		levels = known(s, e.collector.PooledMisses)
	}
	k := e.knobs
	k.Load = k.Load.AtLevel(e.autopilot.left(&k))
	pilot, err := newPilot(f, k, &e.cfg, levels...)
	if err != nil {
		return err
	}
	if e.knobs.Paused && !e.takesTurns() { // whose turn it is not waits
		k := e.knobs
		k.Paused = false
		e.change(k, now)
	}
	e.autopilot.take(&f, pilot, &e.knobs, e.generator.State())
	e.publish(now)
	return nil
}

// StopAutopilot takes the load back from the autopilot. It stays where it is.
func (e *Engine) StopAutopilot() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.autopilot.release("stopped by hand", e.generator.State()) {
		e.openStage(now)
		e.command()
	}
	e.publish(now)
}

// steer asks the autopilot what to do, and does it.
func (e *Engine) steer(now record.Instant) {
	if e.startsNoMore() || e.knobs.Paused && e.takesTurns() {
		return
	}
	drained := e.autopilot.draining()
	want := e.autopilot.next(func() stage.Status { return e.status(now) }, &e.knobs, e.generator.State())
	switch {
	case want.drain:
		e.endMeasuring(now)
		e.command()
	case want.open:
		k := e.knobs
		k.Load = want.load
		if err := e.moveTo(k, now); err != nil {
			e.giveUpAutopilot(err, drained, now)
			return
		}
	}
	if want.over && e.autopilot.whole {
		e.generator.Drain()
	}
}

// moveTo opens a stage with the autopilot's knobs.
func (e *Engine) moveTo(k snapshot.Knobs, now record.Instant) error {
	if err := loadable(k, &e.cfg); err != nil {
		return err
	}
	if k.SameLoad(e.knobs) {
		e.openStage(now)
		e.command()
		return nil
	}
	e.change(k, now)
	return nil
}

// giveUpAutopilot ends an autopilot run that can't go on, and a run that was for its sake with it. stageOver says that the present
// stage has ended already.
func (e *Engine) giveUpAutopilot(why error, stageOver bool, now record.Instant) {
	if e.autopilot.release("stopped: "+why.Error(), e.generator.State()) || stageOver {
		e.openStage(now)
	}
	e.command()
	if e.autopilot.whole {
		e.generator.Drain()
	}
}

// status is how the current level stands, for the pilot.
func (e *Engine) status(now record.Instant) stage.Status {
	s := e.collector.StageSummary(len(e.points.rows), now)
	k := e.points.scoredBy(e.collector, e.knobs)
	st := stage.Observe(now, e.collector.Turnover(), &s, e.collector.InFlight(now).Total, k.SLO, k.Target)
	st.Now, st.Level = e.age(now), k.Load.Level()
	if st.Settled && !s.Settling {
		st.Doubt = e.snapshot.Load().Doubt(&s)
	}
	for _, o := range k.Objectives.All() {
		judged, missed := 0, 0
		if st.Settled && !s.Settling {
			judged, missed = e.collector.StageMisses(o)
		}
		st.Goals = append(st.Goals, stage.ObjectiveGoal(o, judged, missed))
	}
	return st
}

// age is the time since the load began in which it was not paused, which is the pilot's clock.
func (e *Engine) age(now record.Instant) time.Duration {
	if e.knobs.Paused {
		now = max(e.pausedAt, e.start)
	}
	d, _ := now.Since(e.start)
	return d - e.paused
}

// takesTurns reports whether the run has its turns beside others, and is paused between them.
func (e *Engine) takesTurns() bool { return e.cfg.Beside != nil && e.cfg.Beside.Turns }
