// This file gives each side its turn, where they share what they run on.

package duel

import (
	"context"
	"math"
	"slices"
	"time"

	"tokdyno/engine/snapshot"
)

const (
	// DefaultTurn is for how long a side is measured in its turn, unless somebody chose otherwise: long enough for a block of
	// a comparison where requests take seconds, and short enough for the machine's mood to be the same in the next turn.
	DefaultTurn = 20 * time.Second
	// A side that does not settle loses its turn after so many times as long, and one whose requests do not end is waited for
	// as long.
	turnsWaited = 3
	// turnStream sets the order of turns apart from whatever else is drawn from the same seed.
	turnStream = 0x7475_726e_7300 // "turns"
	// lookEvery is how often it is looked how far a turn is.
	lookEvery = 100 * time.Millisecond
)

// nextOrder draws an order of turns: one of the sides in any order, and then the other way round. So what drifts steadily
// hits all alike (ABBA), and what comes and goes finds no pattern.
func (d *Duel) nextOrder() []int {
	if d.order == nil {
		d.order = d.random.Perm(len(d.sides))
		back := slices.Clone(d.order)
		slices.Reverse(back)
		d.order = append(d.order, back...)
	}
	return d.order
}

// alternate gives turns until the context ends.
func (d *Duel) alternate(ctx context.Context) {
	select {
	case <-d.begun:
	case <-ctx.Done():
		return
	}
	for {
		given := false
		for _, side := range d.nextOrder() {
			if !d.takesTurns(side) {
				continue
			}
			given = true
			limit, over := d.give(side)
			if !d.until(ctx, limit, over) {
				return
			}
			d.hold(side)
			if !d.until(ctx, turnsWaited*d.turn, func() bool { return d.sides[side].Snapshot().InFlight.Total == 0 }) {
				return
			}
		}
		d.order = nil
		if !given && !d.until(ctx, lookEvery, func() bool { return false }) {
			return
		}
	}
}

// takesTurns reports whether a side is to have its turns: it has not ended, and, while autopilots are at work, has one. (Who has
// found what it looked for does not keep the others waiting.)
func (d *Duel) takesTurns(side int) bool {
	searching := false
	for i := range d.sides {
		searching = searching || piloted(d.sides[i].Snapshot())
	}
	s := d.sides[side].Snapshot()
	return s.State != snapshot.Ended && (!searching || piloted(s))
}

// piloted reports whether an autopilot has the load of a side.
func piloted(s *snapshot.Snapshot) bool {
	return s.State != snapshot.Ended && s.Pilot != nil && !s.Pilot.Over
}

// give lets a side load, and says when its turn is over, and for how long that is waited for: it was measured for long enough
// or, with an autopilot, that is done with a level, which takes as long as it takes.
func (d *Duel) give(side int) (limit time.Duration, over func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held[side] = false
	d.inTurn.Store(int32(side))
	d.pause(side)
	if !piloted(d.sides[side].Snapshot()) {
		return (1 + turnsWaited) * d.turn, func() bool {
			return d.measured(side) >= d.turn || piloted(d.sides[side].Snapshot())
		}
	}
	return math.MaxInt64, func() bool {
		s := d.sides[side].Snapshot()
		return !piloted(s) || s.Pilot.Waits
	}
}

// hold keeps a side from sending more requests.
func (d *Duel) hold(side int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held[side] = true
	d.inTurn.Store(-1)
	d.pause(side)
}

// pause has a side paused where it is held, or the person paused all. The lock is held.
func (d *Duel) pause(side int) {
	k := d.sides[side].Snapshot().Knobs
	if want := d.paused || d.held[side]; k.Paused != want {
		k.Paused = want
		_ = d.sides[side].Apply(k) // knobs that were in force are valid
	}
}

// measured is for how long the present turn of a side is measured.
func (d *Duel) measured(side int) time.Duration {
	s := d.sides[side].Snapshot()
	if s.Stage.Settling || s.Knobs.Paused {
		return 0
	}
	return s.Stage.Spans
}

// until waits until something is so, for no longer than a limit, or until the run ends; false: it did.
func (d *Duel) until(ctx context.Context, limit time.Duration, so func() bool) bool {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for waited := time.Duration(0); waited < limit; {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		if so() {
			return true
		}
		if !d.byHand() {
			waited += lookEvery
		}
	}
	return true
}

// byHand reports whether the person paused all sides.
func (d *Duel) byHand() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.paused
}
