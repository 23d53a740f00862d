// This file plays a duel that was kept: the recordings of its sides, in step.

package duel

import (
	"errors"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/snapshot"
)

// Replay is a duel of recordings. What is asked of one of them is asked of all.
type Replay struct {
	*Duel
	players []*engine.Player
}

// NewReplay puts recordings side by side, which are those of one duel, from A on.
func NewReplay(players []*engine.Player) *Replay {
	r := &Replay{newDuel(len(players), snapshot.DuelMode(players[0].Header().Duel.Mode)), players}
	for i, p := range players {
		r.sides[i] = p
	}
	r.watched, r.recorded = true, true
	close(r.begun)
	return r
}

// Play plays or pauses all; see engine.Player.
func (r *Replay) Play(on bool) error {
	return r.all(func(p *engine.Player) error { return p.Play(on) })
}

// SetSpeed sets the speed of all.
func (r *Replay) SetSpeed(speed float64) {
	for _, p := range r.players {
		p.SetSpeed(speed)
	}
}

// Seek goes to a time since the load began, on all sides.
func (r *Replay) Seek(at time.Duration) error {
	return r.all(func(p *engine.Player) error { return p.Seek(at) })
}

// Jump goes to the next stage or mark of the side that shows, or to the one before, on all sides.
func (r *Replay) Jump(by int) error {
	shown := r.players[r.shown.Load()]
	if err := shown.Jump(by); err != nil {
		return err
	}
	view := shown.Snapshot().Replay
	at := view.At
	if view.Seeking {
		at = view.Target
	}
	return r.all(func(p *engine.Player) error {
		if p == shown {
			return nil
		}
		return p.Seek(at)
	})
}

func (r *Replay) all(do func(*engine.Player) error) error {
	var errs []error
	for i, p := range r.players {
		errs = append(errs, of(i, do(p)))
	}
	return errors.Join(errs...)
}
