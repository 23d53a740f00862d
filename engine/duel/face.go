// This file is what can be asked of a duel and done to it: of the side that shows, or of all.

package duel

import (
	"fmt"
	"slices"
	"time"

	"tokdyno/engine"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Snapshot returns the latest moment of the side that shows, with those of the others. It never blocks and is never nil.
func (d *Duel) Snapshot() *snapshot.Snapshot { return d.snapshotOf(int(d.shown.Load()), Side.Snapshot) }

// Over is Snapshot with all sides over another window than their knobs have, for somebody who looks besides.
func (d *Duel) Over(w stats.Window) *snapshot.Snapshot {
	return d.snapshotOf(int(d.shown.Load()), func(s Side) *snapshot.Snapshot {
		if of, ok := s.(windows); ok {
			return of.Over(w)
		}
		return s.Snapshot()
	})
}

// snapshotOf is that of any side, of the latest moments of all.
func (d *Duel) snapshotOf(side int, latest func(Side) *snapshot.Snapshot) *snapshot.Snapshot {
	view := &snapshot.Duel{Mode: d.mode, Side: side, Sides: make([]*snapshot.Snapshot, len(d.sides)), Turn: int(d.inTurn.Load())}
	ended := true
	for i := range d.sides {
		view.Sides[i] = latest(d.sides[i])
		ended = ended && view.Sides[i].State == snapshot.Ended
	}
	if f := d.found.Load(); f != nil {
		view.Looks, view.Unlike = f.looks, f.unlike
		view.Measured, view.NextLook = f.measured, f.next
	}
	s := *view.Sides[side]
	s.Duel = view
	if d.recorded && d.mode == snapshot.Alternate {
		view.Turn = slices.IndexFunc(view.Sides, func(s *snapshot.Snapshot) bool { return s.State == snapshot.Running })
	}
	if s.State == snapshot.Ended && !ended && !d.recorded {
		s.State = snapshot.Draining // who leaves at the end is not to leave before the others'
	}
	if d.mode == snapshot.Alternate && s.Knobs.Paused && !d.byHand() { // that it is held is nothing that a person did
		s.Knobs.Paused = false
	}
	return &s
}

// Engines are the sides, from A on; of recordings, there are none.
func (d *Duel) Engines() []*engine.Engine { return d.engines }

// Show chooses the side that is asked from now on where one has to answer, from 0.
func (d *Duel) Show(side int) { d.shown.Store(int32(side % len(d.sides))) }

// present is the side that shows.
func (d *Duel) present() Side { return d.sides[d.shown.Load()] }

// Apply turns knobs of all sides: what differs from those of the side that shows. Where a side refuses, those before it have
// them, and the error says which it was.
func (d *Duel) Apply(k snapshot.Knobs) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if k.Paused && !d.paused && d.mode == snapshot.Alternate {
		d.StopAutopilot() // of those that are held, which don't see that a person pauses, as well
	}
	from := d.present().Snapshot().Knobs
	from.Paused = d.paused
	d.paused = k.Paused && !d.recorded
	for i := range d.sides {
		if d.recorded {
			from.Paused, k.Paused = false, false // whether it was, it stays
		}
		if err := d.apply(i, d.sides[i].Snapshot().Knobs.Carry(from, k)); err != nil {
			return of(i, err)
		}
	}
	return nil
}

// ApplyTo turns the knobs of one side alone, from 0.
func (d *Duel) ApplyTo(side int, k snapshot.Knobs) error {
	if side < 0 || side >= len(d.sides) {
		return fmt.Errorf("there is no side %s; they are A to %s", snapshot.Letter(side), snapshot.Letter(len(d.sides)-1))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.apply(side, k)
}

// apply hands knobs to a side, which stays paused while it is held. The lock is held.
func (d *Duel) apply(side int, k snapshot.Knobs) error {
	if !d.recorded {
		k.Paused = d.paused || d.held[side]
	}
	if k == d.sides[side].Snapshot().Knobs {
		return nil
	}
	return d.sides[side].Apply(k)
}

// What is done to all of them; see engine.Engine.

// NewStage opens a stage on all sides.
func (d *Duel) NewStage() { d.each(Side.NewStage) }

// StartAutopilot hands the load of each side over to a pilot of its own. The error is that of the first side that has one.
func (d *Duel) StartAutopilot(run snapshot.AutopilotRun) error {
	d.goOn()
	for i, side := range d.sides {
		if err := side.StartAutopilot(run); err != nil {
			return of(i, err)
		}
	}
	return nil
}

// goOn ends a pause by hand, of the sides that have their turns; the others end it themselves.
func (d *Duel) goOn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mode != snapshot.Alternate || !d.paused {
		return
	}
	d.paused = false
	for i := range d.sides {
		d.pause(i)
	}
}

// StopAutopilot takes the load of all sides back.
func (d *Duel) StopAutopilot() { d.each(Side.StopAutopilot) }

// Mark puts a note on the time axis of all sides.
func (d *Duel) Mark(label string) { d.each(func(s Side) { s.Mark(label) }) }

// Drain ends all sides when their running requests have ended.
func (d *Duel) Drain() { d.each(Side.Drain) }

// Stop ends all sides now.
func (d *Duel) Stop() { d.each(Side.Stop) }

func (d *Duel) each(do func(Side)) {
	for _, side := range d.sides {
		do(side)
	}
}

// What the side that shows is asked; see engine.Engine.

// StageValues are those of the side that shows.
func (d *Duel) StageValues(n int, m slo.Metric) []time.Duration { return d.present().StageValues(n, m) }

// StageSeries is that of the side that shows.
func (d *Duel) StageSeries(n int) *compare.Series { return d.present().StageSeries(n) }

// StageSeriesOf is that of any side, from 0.
func (d *Duel) StageSeriesOf(side, n int) *compare.Series { return d.sides[side].StageSeries(n) }

// Requests answers from the side that shows.
func (d *Duel) Requests(q query.Query) *query.View { return d.present().Requests(q) }

// EachRequest tells of those of all sides, one side after the other, each with its side.
func (d *Duel) EachRequest(q query.Query, tell func(*query.Row) error) error {
	for i, side := range d.sides {
		err := side.EachRequest(q, func(r *query.Row) error {
			r.Side = snapshot.Letter(i)
			return tell(r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// OpenRequest opens one of the side that shows.
func (d *Duel) OpenRequest(id uint64) (stats.Opened, bool) { return d.present().OpenRequest(id) }

// Alpha is how likely a comparison at the end may find a difference that is not there, for all sides together: what the looks
// while it ran have left of it, where there were any.
func (d *Duel) Alpha() float64 {
	d.looking.Lock()
	defer d.looking.Unlock()
	return d.looks.Last()
}

// Spend is that of one more comparison while it runs, which whoever asks for it takes: a look at a time that a person chose.
func (d *Duel) Spend() float64 {
	d.looking.Lock()
	defer d.looking.Unlock()
	if !d.watched {
		return d.looks.Last() // nobody looks but at the end
	}
	alpha := d.looks.Spend()
	d.keepLooks()
	return alpha
}

// keepLooks puts down in the files of the sides how many looks were taken. The lock of looking is held.
func (d *Duel) keepLooks() {
	for _, eng := range d.engines {
		eng.Looked(d.looks.Made())
	}
}
