// This file decides what stands where: a pure function of the screen's size and what is to be seen.

package ui

import (
	"cmp"
	"slices"

	"tokdyno/engine"
)

// part is a piece of the screen that draws itself. A page counts its own from 0.
type part int

// partKnobs is the knobs, on whichever page shows them: the console asks whether the hand sees what it turns.
const partKnobs part = 1000

// place is a part and its rectangle.
type place struct {
	part       part
	x, y, w, h int
}

// The smallest screen that shows anything.
const (
	leastWidth  = 60
	leastHeight = 16
)

// class is how generous a screen is.
type class int

const (
	tooSmall class = iota
	compact        // a line per gauge, one chart
	standard       // boxed gauges, two columns
	wide           // boxed gauges, four charts and a column of numbers
)

func classOf(w, h int) class {
	switch {
	case w < leastWidth || h < leastHeight:
		return tooSmall
	case w >= 150 && h >= 40:
		return wide
	case w >= 100 && h >= 30:
		return standard
	}
	return compact
}

// arranger collects the places of a screen.
type arranger struct {
	class  class
	shown  *engine.Snapshot // what the places are for
	places []place
}

// newArranger returns one for a screen of w by h cells on which nothing has a place yet.
func newArranger(w, h int, shown *engine.Snapshot) *arranger {
	return &arranger{class: classOf(w, h), shown: shown}
}

func (a *arranger) add(p part, r rect) {
	if r.w > 0 && r.h > 0 {
		a.places = append(a.places, place{p, r.x, r.y, r.w, r.h})
	}
}

// shows reports whether a part has a place already.
func (a *arranger) shows(p part) bool {
	for _, placed := range a.places {
		if placed.part == p {
			return true
		}
	}
	return false
}

// rect is a rectangle that parts are cut from.
type rect struct{ x, y, w, h int }

func (r *rect) top(n int) rect {
	n = min(max(n, 0), r.h)
	cut := rect{r.x, r.y, r.w, n}
	r.y, r.h = r.y+n, r.h-n
	return cut
}

func (r *rect) bottom(n int) rect {
	n = min(max(n, 0), r.h)
	r.h -= n
	return rect{r.x, r.y + r.h, r.w, n}
}

func (r *rect) left(n int) rect {
	n = min(max(n, 0), r.w)
	cut := rect{r.x, r.y, n, r.h}
	r.x, r.w = r.x+n, r.w-n
	return cut
}

func (r *rect) right(n int) rect {
	n = min(max(n, 0), r.w)
	r.w -= n
	return rect{r.x + r.w, r.y, n, r.h}
}

// compose puts drawn parts together into h lines.
func compose(places []place, w, h int, draw func(place) []string) []string {
	type row struct {
		out []byte
		at  int
	}
	rows := make([]row, h)
	for i := range rows {
		rows[i].out = make([]byte, 0, 2*w)
	}
	// Parts are placed from left to right on every row that they share.
	ordered := slices.SortedFunc(slices.Values(places), func(a, b place) int { return cmp.Compare(a.x, b.x) })
	for _, p := range ordered {
		for i, l := range draw(p) {
			r := &rows[p.y+i]
			for ; r.at < p.x; r.at++ {
				r.out = append(r.out, ' ')
			}
			r.out = append(r.out, l...)
			r.at += p.w
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
