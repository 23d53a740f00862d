// This file is what drawing gets: the snapshots, the theme and the places of one frame.

package page

import (
	"slices"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/theme"
)

// Frame is what a panel may look at while it draws itself. Drawing reads it, and changes nothing but Regions.
type Frame struct {
	W, H   int // of the whole screen
	Theme  *theme.Theme
	Shown  *snapshot.Snapshot // what is drawn: the latest, or the one that was frozen
	Latest *snapshot.Snapshot
	Places []Place // of everything on the screen

	Drawn   Place    // the part that is being drawn
	Pointer *Point   // where the mouse is; nil: unknown, or of no matter
	Regions *Regions // what the mouse does where, to be added to; nil: nobody asks
}

// Draw draws a part.
func (v *Frame) Draw(of Page, p Place) []string {
	v.Drawn = p
	return of.Draw(v, p)
}

// Shows reports whether a part has a place on the screen.
func (v *Frame) Shows(p Part) bool {
	return slices.ContainsFunc(v.Places, func(placed Place) bool { return placed.Part == p })
}

// Inner is the room within the frame of a part that has a place; 0 for one that has none.
func (v *Frame) Inner(p Part) (w, h int) {
	for _, placed := range v.Places {
		if placed.Part == p {
			return placed.W - 2, placed.H - 2
		}
	}
	return 0, 0
}
