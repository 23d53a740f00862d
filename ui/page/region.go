// This file is what the mouse does where: regions, which drawing gives back beside the text, so that a click finds what was drawn.

package page

import "slices"

// Region is a rectangle of the screen and what the mouse does in it: a key that means the same, or a choice and then a key.
type Region struct {
	Rect
	Hit      func(Host) // what a click does first: it chooses the row that was hit; nil: nothing
	Key      string     // the key that it presses then, by Bubble Tea's name; "": none
	Up, Down string     // those that the wheel presses; "": none
	Turns    bool       // the wheel turns what it is over, so it does Hit first, and a notch is one key; else it scrolls
}

// Regions are those of one frame. Of several in one place, the last that does anything counts.
type Regions []Region

// At is what a click does at a place, or the wheel; nil where it does nothing.
func (rs Regions) At(x, y int, wheel bool) *Region {
	for i := range slices.Backward(rs) {
		r := &rs[i]
		does := r.Hit != nil || r.Key != ""
		if wheel {
			does = r.Up != "" || r.Down != ""
		}
		if does && x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H {
			return r
		}
	}
	return nil
}

// Point is a cell of the screen.
type Point struct{ X, Y int }

// Region adds a region of the screen, where somebody asks for them.
func (v *Frame) Region(r Region) {
	if v.Regions != nil && r.W > 0 && r.H > 0 {
		*v.Regions = append(*v.Regions, r)
	}
}

// inner is the room within the frame of the part that is being drawn.
func (v *Frame) inner() Rect { return Rect{v.Drawn.X + 1, v.Drawn.Y + 1, v.Drawn.W - 2, v.Drawn.H - 2} }

// Rows has a region be n lines of the room within the frame of the part that is being drawn, from line y on.
func (v *Frame) Rows(y, n int, r Region) {
	in := v.inner()
	v.Cells(0, y, in.W, n, r)
}

// Cells has it be n lines of w cells there, as far as there are any.
func (v *Frame) Cells(x, y, w, n int, r Region) {
	in := v.inner()
	r.Rect = Rect{in.X + x, in.Y + y, min(w, in.W-x), min(n, in.H-y)}
	v.Region(r)
}

// Edge has it be the upper edge of the frame, where the heading is.
func (v *Frame) Edge(r Region) {
	r.Rect = Rect{v.Drawn.X, v.Drawn.Y, v.Drawn.W, 1}
	v.Region(r)
}

// Pointed is where the mouse points within the frame of the part that is being drawn; false where it points elsewhere.
func (v *Frame) Pointed() (x, y int, ok bool) {
	if v.Pointer == nil {
		return 0, 0, false
	}
	in := v.inner()
	x, y = v.Pointer.X-in.X, v.Pointer.Y-in.Y
	return x, y, x >= 0 && y >= 0 && x < in.W && y < in.H
}
