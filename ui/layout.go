// This file decides what stands where: a pure function of the screen's size and what is to be seen.

package ui

import (
	"cmp"
	"slices"
)

// part is a piece of the screen that draws itself.
type part int

// The parts of the Live page, whose charts come first because they are counted from 0, and those that every page has.
// Those up to lastFocusable can be given the focus, in this order. Other pages count theirs from a hundred times their number.
const (
	partTTFT part = iota
	partITL
	partOutput
	partGoodput
	partPercentiles
	partGPU

	partGaugeTTFT
	partGaugeITL
	partGaugeOutput
	partGaugeGoodput
	partInFlight
	partGaugeGPU
	partGaugeMemory
	partThroughput // numbers, and the output chart where there is room
	partRates      // numbers only
	partKnobs
	partNotes
	partObjectives

	partHeader
	partAdvice
	partFooter
	partHelp
	partPicker
	partPreview
)

const (
	lastFocusable = partGPU
	focusable     = int(lastFocusable) + 1
)

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

// framing is what the layout depends on besides the size.
type framing struct {
	focus    part
	zoomed   bool
	help     bool
	openLoop bool // latencies from schedule and the dispatch lag take two more rows
	picking  bool
	knobs    int
	devices  int

	objectives int
}

// arrange places the parts of a page, or of what covers it, between those that every page has. The rectangles tile the
// screen: no gap, no overlap.
func arrange(w, h int, p page, f framing) []place {
	if classOf(w, h) == tooSmall {
		return nil
	}
	a := arranger{framing: f, class: classOf(w, h)}
	body := rect{0, 0, w, h}
	a.add(partHeader, body.top(1))
	footer := body.bottom(1)
	advice := body.bottom(1)

	switch {
	case f.help:
		a.add(partHelp, body)
	case f.picking:
		names := body.left(min(max(body.w*2/5, 24), 48))
		a.add(partPicker, names)
		a.add(partPreview, body)
	default:
		p.arrange(&a, body)
	}
	a.add(partAdvice, advice)
	a.add(partFooter, footer)
	return a.places
}

// arranger collects the places of a screen.
type arranger struct {
	framing
	class  class
	places []place
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
