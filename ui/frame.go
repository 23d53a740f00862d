// This file is what drawing gets: the snapshots, the theme and the places of one frame.

package ui

import (
	"slices"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// Frame is what a panel may look at while it draws itself. Drawing reads it and changes nothing.
type Frame struct {
	w, h   int // of the whole screen
	th     *theme.Theme
	shown  *engine.Snapshot // what is drawn: the latest, or the one that was frozen
	latest *engine.Snapshot
	places []place // of everything on the screen
}

// shows reports whether a part has a place on the screen.
func (v *Frame) shows(p part) bool {
	return slices.ContainsFunc(v.places, func(placed place) bool { return placed.part == p })
}

// inner is the room within the frame of a part that has a place; 0 for one that has none.
func (v *Frame) inner(p part) (w, h int) {
	for _, placed := range v.places {
		if placed.part == p {
			return placed.w - 2, placed.h - 2
		}
	}
	return 0, 0
}
