// This file lets a pilot move the load.

package engine

import (
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
)

// autopilot moves the load in the place of a hand on the knobs. It is handed how the load stands and hands back what is to
// be done, once a tick; whoever owns it does that.
type autopilot struct {
	whole bool        // the run is for its sake, and ends with it
	turns bool        // every level after the first waits for the run's next turn beside others; see Beside.Turns
	begun bool        // it has gone to a level
	waits bool        // for that turn, which begins as a pause ends
	pilot stage.Pilot // nil: there has been none
	from  float64     // the level at which a person left the load
	view  snapshot.PilotView
	// The requests of an overloaded server, or of a turn, end before the next stage opens, at this level. 0: nothing is waited
	// for.
	drainedTo float64
	before    int // arrivals that had been dropped when the overload began to end
	abandoned int // those that were dropped with overloads
}

// task is what the autopilot wants done. The zero task is to leave the load alone.
type task struct {
	drain bool         // start nothing new and measure no more, until the next task; see autopilot.told
	open  bool         // open a stage, with this load:
	load  load.Setting //
	over  bool         // it has finished
}

// take puts a pilot to work, in the place of one that is.
func (a *autopilot) take(f *snapshot.AutopilotRun, pilot stage.Pilot, k *snapshot.Knobs, pool load.State) {
	from := a.left(k)
	a.release("", pool)
	*a = autopilot{
		whole: a.whole, turns: a.turns, abandoned: a.abandoned, pilot: pilot, from: from,
		view: snapshot.PilotView{
			Kind: f.Kind, Axis: stage.Axis(k.Load.Axis()), Why: "takes over", Remark: f.Remark(k), Whole: a.whole,
		},
	}
}

// active reports whether a pilot has the load.
func (a *autopilot) active() bool { return a.pilot != nil && !a.view.Over }

// left is the level at which a person left the load, also where a pilot has moved it since.
func (a *autopilot) left(k *snapshot.Knobs) float64 {
	if a.active() {
		return a.from
	}
	return k.Load.Level()
}

// draining reports whether requests of an overload or of a turn are left to end.
func (a *autopilot) draining() bool { return a.drainedTo != 0 }

// next decides. status is how the present level stands, k what the knobs are at.
func (a *autopilot) next(status func() stage.Status, k *snapshot.Knobs, pool load.State) task {
	switch {
	case !a.active():
		return task{}
	case a.draining() && (pool.InFlight > 0 || a.waits):
		return task{}
	case a.draining():
		level := a.drainedTo
		a.endDrain(pool)
		return task{open: true, load: k.Load.AtLevel(level)}
	}
	d := a.pilot.Next(status())
	a.view.Why = d.Why
	if d.Moved && (d.Drain || a.turns && a.begun) {
		a.drainedTo, a.before, a.waits = d.Level, pool.Dropped, a.turns
		return task{drain: true}
	}
	a.begun = a.begun || d.Moved
	if d.Done {
		a.view.Over = true
		a.view.Result, a.view.Finished = a.pilot.Result()
	}
	return task{
		open: d.Moved || d.Done && !a.view.Axis.Same(d.Level, k.Load.Level()),
		load: k.Load.AtLevel(d.Level),
		over: d.Done,
	}
}

// told is what the pool is to be told: what the knobs say or, while an overload ends, nothing new. For as long as that
// lasts, the pool is a closed loop that is paused, which drops the arrivals that wait.
func (a *autopilot) told(k *snapshot.Knobs) (s load.Setting, paused bool) {
	if a.draining() {
		return load.Setting{Mode: load.Closed, Concurrency: 1}, true
	}
	return k.Load, k.Paused
}

// release takes the load back. It reports whether that cut short the end of an overload, so that a stage is to be opened
// and the pool told what to do.
func (a *autopilot) release(why string, pool load.State) (cutShort bool) {
	if !a.active() {
		return false
	}
	a.view.Over, a.view.Released, a.view.Why = true, true, why
	cutShort = a.draining()
	a.endDrain(pool)
	return cutShort
}

// endDrain is the end of a drain, whatever became of it.
func (a *autopilot) endDrain(pool load.State) {
	if a.draining() {
		a.drainedTo, a.waits = 0, false
		a.abandoned += pool.Dropped - a.before
	}
}

// show puts into a snapshot what a person sees of it. now is the time since the load began.
func (a *autopilot) show(s *snapshot.Snapshot, now time.Duration) {
	s.Abandoned = a.abandoned
	if a.pilot == nil {
		return
	}
	v := a.view
	v.Waits = a.waits
	v.Progress = a.pilot.Progress(now)
	s.Pilot = &v
}

// known is what a snapshot says of the levels of the present curve that are settled and have a verdict. misses is how many
// samples of some stages were judged by an objective, and how many missed it.
func known(s *snapshot.Snapshot, misses func(stages []int, o slo.Objective) (judged, missed int)) []stage.Known {
	var list []stage.Known
	for i := range s.Curve {
		p := &s.Curve[i]
		if !p.Settled || s.Verdict(p.Summary).Verdict == slo.Unknown {
			continue
		}
		level := stage.Known{Level: p.Level, N: p.N, Output: p.Summary.Throughput.Output}
		if goal, ok := stage.CriteriaGoal(p.Summary.Score, s.Knobs.SLO, s.Knobs.Target); ok {
			level.Goals = append(level.Goals, goal)
		}
		for _, o := range s.Knobs.Objectives.All() {
			judged, missed := misses(p.Stages, o)
			level.Goals = append(level.Goals, stage.ObjectiveGoal(o, judged, missed))
		}
		list = append(list, level)
	}
	return list
}

// newPilot makes an autopilot run's pilot, if this machine can load every level that is listed.
func newPilot(f snapshot.AutopilotRun, k snapshot.Knobs, cfg *Config, known ...stage.Known) (stage.Pilot, error) {
	pilot, err := snapshot.NewPilot(f, k, known...)
	if err != nil {
		return nil, err
	}
	for _, level := range f.Levels.Values {
		k.Load = k.Load.AtLevel(level)
		if err := loadable(k, cfg); err != nil {
			return nil, err
		}
	}
	return pilot, nil
}
