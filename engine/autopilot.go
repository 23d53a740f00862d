// This file lets a pilot move the load.

package engine

import (
	"errors"
	"fmt"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/stage"
)

// AutopilotRun is what a pilot is to do.
type AutopilotRun struct {
	Kind   PilotKind
	Levels load.Levels  // of a ladder and of steps; none, for a ladder: 1, 2, 4, 8 …
	Effort stage.Effort // how long a level is measured
}

// autopilot is the autopilot at work.
type autopilot struct {
	pilot stage.Pilot // nil: there has been none
	view  PilotView
	// An overloaded server's requests end before the next stage opens, at this level. 0: nothing is waited for.
	drainedTo float64
	before    int // arrivals that had been dropped when the overload began to end
	abandoned int // those that were dropped with overloads
}

// NewPilot makes a pilot for an autopilot run, for what the knobs are at. Its errors are sentences.
func NewPilot(f AutopilotRun, k Knobs) (stage.Pilot, error) {
	axis := stage.Axis(k.Load.Axis())
	if k.Load.Mode == load.Replay && !k.Load.Loop {
		return nil, errors.New("an autopilot needs a load that goes on; let the replay begin again when it is over (--loop)")
	}
	switch f.Kind {
	case Search:
		if !k.SLO.Active() && k.Objectives.Len() == 0 {
			return nil, errors.New("a search needs an SLO to hold, such as ttft=500ms; without one, walk a ladder")
		}
		within := stage.Range{}
		if axis != stage.Concurrency {
			within.First = k.Load.Level()
		}
		return stage.NewSearch(axis, within, f.Effort)
	case Steps, Ladder:
		if f.Kind == Steps && (f.Levels.Dwell <= 0 || len(f.Levels.Values) == 0) {
			return nil, errors.New("steps are levels and a time for each, such as 1,2,4,8@30s")
		}
		return stage.NewLadder(stage.Plan{Axis: axis, Levels: f.Levels.Values, Dwell: f.Levels.Dwell, Effort: f.Effort})
	}
	return nil, fmt.Errorf("there is no autopilot %q; there are ladder, search and steps", f.Kind)
}

// pilot makes the run's pilot, if this machine can load every level that is listed.
func (f *AutopilotRun) pilot(k Knobs, simulated bool) (stage.Pilot, error) {
	pilot, err := NewPilot(*f, k)
	if err != nil {
		return nil, err
	}
	for _, level := range f.Levels.Values {
		k.Load = k.Load.AtLevel(level)
		if err := loadable(k, simulated); err != nil {
			return nil, err
		}
	}
	return pilot, nil
}

// StartAutopilot hands the load over to a pilot, in the place of one that is at work. Any knob of the load or of the SLO that is turned
// by hand, and a pause, take it back.
func (e *Engine) StartAutopilot(f AutopilotRun) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	pilot, err := f.pilot(e.knobs, e.cfg.Simulated)
	if err != nil {
		return err
	}
	if e.startsNoMore() {
		return errors.New("the load is over; there is nothing to fly")
	}
	now := e.fold()
	if e.knobs.Paused {
		k := e.knobs
		k.Paused = false
		e.change(k, now)
	}
	e.take(f.Kind, pilot)
	e.publish(now)
	return nil
}

// take seats a pilot.
func (e *Engine) take(kind PilotKind, pilot stage.Pilot) {
	e.release("")
	e.autopilot = autopilot{abandoned: e.autopilot.abandoned, pilot: pilot, view: PilotView{Kind: kind, Axis: stage.Axis(e.knobs.Load.Axis()), Why: "takes over"}}
}

// StopAutopilot takes the load back from the autopilot. It stays where it is.
func (e *Engine) StopAutopilot() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.release("let go by hand") {
		e.openStage(now)
	}
	e.order()
	e.publish(now)
}

// release ends the autopilot run. It reports whether that cut short the end of an overload, so that a stage is to be opened and
// the pool told what to do.
func (e *Engine) release(why string) (cutShort bool) {
	v := &e.autopilot.view
	if e.autopilot.pilot == nil || v.Over {
		return false
	}
	v.Over, v.Released, v.Why = true, true, why
	cutShort = e.autopilot.drainedTo != 0
	e.endDrain()
	return cutShort
}

// crash ends an autopilot run that can't go on. A run that was for its sake ends with it.
func (e *Engine) crash(why error, now record.Instant) {
	if e.release("let go: " + why.Error()) {
		e.openStage(now)
	}
	e.order()
	if e.cfg.Autopilot != nil {
		e.pool.Drain()
	}
}

// handed reports whether turned knobs take the load out of the autopilot's hands.
func handed(k, old Knobs) bool {
	return !k.SameLoad(old) || k.SLO != old.SLO || k.Target != old.Target || k.Objectives != old.Objectives || k.Paused && !old.Paused
}

// steer asks the pilot what to do, and does it.
func (e *Engine) steer(now record.Instant) {
	v := &e.autopilot.view
	if e.autopilot.pilot == nil || v.Over || e.drained || e.over != 0 {
		return
	}
	if e.autopilot.drainedTo != 0 {
		e.drainedStage(now)
		return
	}
	d := e.autopilot.pilot.Next(e.status(now))
	v.Why = d.Why
	if d.Moved && d.Drain {
		e.drainFor(d.Level, now)
		return
	}
	if d.Moved || d.Done && !e.at(d.Level) {
		if err := e.moveTo(d.Level, now); err != nil {
			e.crash(err, now)
			return
		}
	}
	if !d.Done {
		return
	}
	v.Over = true
	v.Result, v.Finished = e.autopilot.pilot.Result()
	if e.cfg.Autopilot != nil {
		e.pool.Drain() // the run was for its sake
	}
}

// at reports whether the load is at a level.
func (e *Engine) at(level float64) bool {
	l := &e.knobs.Load
	return stage.Axis(l.Axis()).Same(level, l.Level())
}

// drainFor lets the requests of an overload end before the next level's stage opens.
func (e *Engine) drainFor(level float64, now record.Instant) {
	e.autopilot.drainedTo = level
	e.autopilot.before = e.pool.State().Dropped
	e.endMeasuring(now)
	e.order()
}

// endDrain is the end of what drainFor began, whatever became of it.
func (e *Engine) endDrain() {
	if e.autopilot.drainedTo != 0 {
		e.autopilot.drainedTo = 0
		e.autopilot.abandoned += e.pool.State().Dropped - e.autopilot.before
	}
}

// drainedStage opens the stage that was waited for, once nothing is in flight any more.
func (e *Engine) drainedStage(now record.Instant) {
	if e.pool.State().InFlight > 0 {
		return
	}
	level := e.autopilot.drainedTo
	e.endDrain()
	if err := e.moveTo(level, now); err != nil {
		e.openStage(now)
		e.crash(err, now)
		return
	}
	e.order()
}

// moveTo opens a stage at a level.
func (e *Engine) moveTo(level float64, now record.Instant) error {
	k := e.knobs
	k.Load = k.Load.AtLevel(level)
	if err := loadable(k, e.cfg.Simulated); err != nil {
		return err
	}
	if k.SameLoad(e.knobs) {
		e.openStage(now)
		return nil
	}
	e.change(k, now)
	return nil
}

// status is how the current level stands, for the pilot.
func (e *Engine) status(now record.Instant) stage.Status {
	s := e.collector.StageSummary(len(e.points.rows), now)
	k := &e.knobs
	st := stage.Observe(now, e.collector.Turnover(), &s, e.collector.InFlight(now).Total, k.SLO, k.Target)
	st.Now, st.Level = e.pilotTime(now), k.Load.Level()
	for _, o := range k.Objectives.All() {
		judged, missed := 0, 0
		if st.Settled && !s.Settling {
			judged, missed = e.collector.StageMisses(o)
		}
		st.Goals = append(st.Goals, stage.ObjectiveGoal(o, judged, missed))
	}
	return st
}

// pilotTime is the pilot's clock: the time since the load began.
func (e *Engine) pilotTime(now record.Instant) time.Duration {
	d, _ := now.Since(e.start)
	return d
}

// pilotView is what a person sees of the autopilot; nil: there has been none.
func (e *Engine) pilotView(now record.Instant) *PilotView {
	if e.autopilot.pilot == nil {
		return nil
	}
	v := e.autopilot.view
	v.Whole = e.cfg.Autopilot != nil
	v.Progress = e.autopilot.pilot.Progress(e.pilotTime(now))
	return &v
}
