// This file decides what stands where: a pure function of the screen's size and what is to be seen.

package page

import (
	"cmp"
	"slices"

	"tokdyno/engine/snapshot"
)

// Part is a piece of the screen that draws itself. A page counts its own from 0.
type Part int

// Knobs is the knobs, on whichever page shows them: the console asks whether the hand sees what it turns.
const Knobs Part = 1000

// Place is a part and its rectangle.
type Place struct {
	Part       Part
	X, Y, W, H int
}

// The smallest screen that shows anything.
const (
	LeastWidth  = 60
	LeastHeight = 16
)

// Class is how generous a screen is.
type Class int

// The classes.
const (
	TooSmall Class = iota
	Compact        // a line per gauge, one chart
	Standard       // boxed gauges, two columns
	Wide           // boxed gauges, four charts and a column of numbers
)

// ClassOf is the class of a screen of w by h cells.
func ClassOf(w, h int) Class {
	switch {
	case w < LeastWidth || h < LeastHeight:
		return TooSmall
	case w >= 150 && h >= 40:
		return Wide
	case w >= 100 && h >= 30:
		return Standard
	}
	return Compact
}

// Arranger collects the places of a screen.
type Arranger struct {
	Class  Class
	Shown  *snapshot.Snapshot // what the places are for
	Places []Place
}

// NewArranger returns one for a screen of w by h cells on which nothing has a place yet.
func NewArranger(w, h int, shown *snapshot.Snapshot) *Arranger {
	return &Arranger{Class: ClassOf(w, h), Shown: shown}
}

// Add gives a part a place; one without cells is none.
func (a *Arranger) Add(p Part, r Rect) {
	if r.W > 0 && r.H > 0 {
		a.Places = append(a.Places, Place{p, r.X, r.Y, r.W, r.H})
	}
}

// Shows reports whether a part has a place already.
func (a *Arranger) Shows(p Part) bool {
	for _, placed := range a.Places {
		if placed.Part == p {
			return true
		}
	}
	return false
}

// Rect is a rectangle that parts are cut from.
type Rect struct{ X, Y, W, H int }

// Top cuts n lines off the top and returns them; Bottom, Left and Right do so at the other sides.
func (r *Rect) Top(n int) Rect {
	n = min(max(n, 0), r.H)
	cut := Rect{r.X, r.Y, r.W, n}
	r.Y, r.H = r.Y+n, r.H-n
	return cut
}

// Bottom cuts n lines off the bottom.
func (r *Rect) Bottom(n int) Rect {
	n = min(max(n, 0), r.H)
	r.H -= n
	return Rect{r.X, r.Y + r.H, r.W, n}
}

// Left cuts n columns off the left.
func (r *Rect) Left(n int) Rect {
	n = min(max(n, 0), r.W)
	cut := Rect{r.X, r.Y, n, r.H}
	r.X, r.W = r.X+n, r.W-n
	return cut
}

// Right cuts n columns off the right.
func (r *Rect) Right(n int) Rect {
	n = min(max(n, 0), r.W)
	r.W -= n
	return Rect{r.X + r.W, r.Y, n, r.H}
}

// Compose puts drawn parts together into h lines.
func Compose(places []Place, w, h int, draw func(Place) []string) []string {
	type row struct {
		out []byte
		at  int
	}
	rows := make([]row, h)
	for i := range rows {
		rows[i].out = make([]byte, 0, 2*w)
	}
	// Parts are placed from left to right on every row that they share.
	ordered := slices.SortedFunc(slices.Values(places), func(a, b Place) int { return cmp.Compare(a.X, b.X) })
	for _, p := range ordered {
		for i, l := range draw(p) {
			r := &rows[p.Y+i]
			for ; r.at < p.X; r.at++ {
				r.out = append(r.out, ' ')
			}
			r.out = append(r.out, l...)
			r.at += p.W
		}
	}
	lines := make([]string, h)
	for i, r := range rows {
		for ; r.at < w; r.at++ {
			r.out = append(r.out, ' ')
		}
		lines[i] = string(r.out)
	}
	return lines
}
