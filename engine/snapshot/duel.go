// This file is what a snapshot shows of a duel: endpoints side by side, each under the same load.

package snapshot

import (
	"strings"
	"time"

	"tokdyno/engine/compare"
)

// DuelMode says when the sides of a duel are under load.
type DuelMode string

// The modes.
const (
	Together  DuelMode = "together"  // all at the same time
	Alternate DuelMode = "alternate" // each in its turn, while the others are held
)

// Duel is the sides of a duel at one moment.
type Duel struct {
	Mode  DuelMode
	Side  int         // which of Sides the snapshot is of, from 0
	Sides []*Snapshot // each complete but for its Duel, which is nil
	Turn  int         // alternate: whose turn it is, from 0; -1: nobody's, while requests of the last one end
	// Looks is how each of the other sides differs from the first, as of the latest interim look; empty: there was none yet.
	Looks []compare.Look
	// Measured is for how long each side was measured at the present load, on the side that has less, and NextLook is for how
	// long it is to be for the next look; 0: nothing is looked at.
	Measured, NextLook time.Duration
	// Unlike says in a clause why the sides are not compared at present; "" where they are.
	Unlike string
}

// Letter is what a side is called, from 0: "A".
func Letter(side int) string { return string(rune('A' + side)) }

// SideOf is which of so many sides a letter names, from 0, as people write it; false: none.
func SideOf(letter string, sides int) (side int, ok bool) {
	letter = strings.ToUpper(strings.TrimSpace(letter))
	if len(letter) != 1 || letter[0] < 'A' || int(letter[0]-'A') >= sides {
		return 0, false
	}
	return int(letter[0] - 'A'), true
}

// Letter is what the snapshot's side is called; "" where there is no duel.
func (s *Snapshot) Letter() string {
	if s.Duel == nil {
		return ""
	}
	return Letter(s.Duel.Side)
}
