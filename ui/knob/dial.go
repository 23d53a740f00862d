// This file holds knobs while a hand is on them: shown at once, applied when the hand rests.

package knob

import (
	"time"

	"tokdyno/engine/snapshot"
)

const (
	// quiet is how long no key must have turned a knob before the engine hears of it: a held key is one change, and
	// opens one stage.
	quiet = 250 * time.Millisecond
	// settleIn is how long applied knobs are shown without a snapshot that has them.
	settleIn = time.Second
)

// dial is the knobs between the keyboard and the engine. The zero dial has none in hand.
type dial struct {
	Turned  snapshot.Knobs // as turned by hand; valid while turning
	Turning bool
	touched time.Time // when the last key turned one

	applied  snapshot.Knobs // as the engine took them; valid while awaited
	awaited  bool           // no snapshot has shown them yet
	accepted time.Time
}

// Shown returns the knobs as the person set them.
func (d *dial) Shown(s *snapshot.Snapshot) snapshot.Knobs {
	if d.Turning {
		return d.Turned
	}
	return d.Current(s)
}

// Current returns the knobs as the engine has them.
func (d *dial) Current(s *snapshot.Snapshot) snapshot.Knobs {
	if d.awaited {
		return d.applied
	}
	return s.Knobs
}

// turn takes changed knobs; they are due after quiet.
func (d *dial) turn(k snapshot.Knobs, now time.Time) {
	d.Turned, d.Turning, d.touched = k, true, now
}

// Due reports whether the hand has rested long enough.
func (d *dial) Due(now time.Time) bool { return d.Turning && now.Sub(d.touched) >= quiet }

// Drop forgets what was turned but not applied.
func (d *dial) Drop() { d.Turning = false }

// Forget forgets what was turned, and what is awaited.
func (d *dial) Forget() { d.Turning, d.awaited = false, false }

// Accept notes that the engine took the knobs.
func (d *dial) Accept(k snapshot.Knobs, now time.Time) {
	d.applied, d.awaited, d.accepted = k, true, now
}

// See compares with a new snapshot and lets go of what has arrived.
func (d *dial) See(s *snapshot.Snapshot, now time.Time) {
	if d.awaited && (s.Knobs == d.applied || now.Sub(d.accepted) >= settleIn) {
		d.awaited = false
	}
}
