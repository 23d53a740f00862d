// This file decides what stands where: a pure function of the screen's size and what is to be seen.

package ui

import (
	"cmp"
	"slices"
)

// part is a piece of the screen that draws itself.
type part int

// The parts. Those up to lastFocusable can be given the focus, in this order.
const (
	partTTFT part = iota
	partITL
	partOutput
	partGoodput
	partPercentiles
	partGPU

	partHeader
	partGaugeTTFT
	partGaugeITL
	partGaugeOutput
	partGaugeGoodput
	partInFlight
	partGaugeGPU
	partThroughput // numbers, and the output chart where there is room
	partRates      // numbers only
	partKnobs
	partNotes
	partAdvice
	partFooter
	partHelp
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
	knobs    int
	devices  int
}

const gaugeCount = 5

// arrange places the parts of the Live page. The rectangles tile the screen: no gap, no overlap.
func arrange(w, h int, f framing) []place {
	c := classOf(w, h)
	if c == tooSmall {
		return nil
	}
	a := arranger{framing: f}
	body := rect{0, 0, w, h}
	a.add(partHeader, body.top(1))
	footer := body.bottom(1)
	advice := body.bottom(1)

	switch {
	case f.help:
		a.add(partHelp, body)
	case c == compact:
		a.compact(body)
	case c == standard:
		a.standard(body)
	default:
		a.wide(body)
	}
	a.add(partAdvice, advice)
	a.add(partFooter, footer)
	return a.places
}

type arranger struct {
	framing
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

// percentileRows is the height that the percentile panel needs, with its frame.
func (f framing) percentileRows() int {
	if f.openLoop {
		return 9
	}
	return 7
}

func (a *arranger) gaugeLines(body *rect) {
	for p := partGaugeTTFT; p <= partGaugeGPU; p++ {
		a.add(p, body.top(1))
	}
}

func (a *arranger) gaugeBoxes(body *rect, rows int) {
	row := body.top(rows)
	for i := range gaugeCount {
		a.add(partGaugeTTFT+part(i), row.left(row.w/(gaugeCount-i)))
	}
}

// compact: gauges in lines, one chart (that which has the focus), percentiles and knobs.
func (a *arranger) compact(body rect) {
	a.gaugeLines(&body)
	side := body.right(min(max(body.w*3/8, 28), 44))
	knobRows := min(a.knobs+2, side.h)
	if rest := side.h - knobRows; rest >= 4 {
		a.add(partKnobs, side.top(knobRows))
		if rest >= 16 {
			a.add(partRates, side.top(8))
			a.add(partNotes, side)
		} else {
			a.add(partRates, side)
		}
	} else {
		a.add(partKnobs, side)
	}
	if a.zoomed {
		a.add(a.focus, body)
		return
	}

	const leastChart = 6
	if body.h-a.percentileRows() < leastChart {
		a.add(a.focus, body)
		return
	}
	percentiles := body.bottom(a.percentileRows())
	charts := []part{a.slot(partTTFT)}
	for _, p := range []part{partTTFT, partITL, partOutput, partGoodput} {
		if len(charts) < body.h/10 && p != charts[0] {
			charts = append(charts, p)
		}
	}
	for i, p := range charts {
		a.add(p, body.top(body.h/(len(charts)-i)))
	}
	a.add(partPercentiles, percentiles)
}

// slot is the part for a place that shows what has the focus if nothing else does, and p otherwise.
func (a *arranger) slot(p part) part {
	if a.focus == partPercentiles || a.shows(a.focus) {
		return p
	}
	return a.focus
}

// standard: two columns, charts on the left, numbers on the right.
func (a *arranger) standard(body rect) {
	a.gaugeBoxes(&body, 4)
	low := body.bottom(a.knobs + 2)
	if a.zoomed {
		body.h += low.h
		side := body.right(min(max(body.w*3/10, 34), 54))
		a.add(a.focus, body)
		a.add(partKnobs, side.top(a.knobs+2))
		a.addNumbers(side)
		return
	}

	leftWidth := body.w * 31 / 60
	left, right := body.left(leftWidth), body
	rows := 2
	if body.h >= 33 {
		rows = 3
	}
	for i, p := range []part{partTTFT, partITL, partGoodput}[:rows] {
		a.add(p, left.top(left.h/(rows-i)))
	}
	first := max(right.h/rows, a.percentileRows())
	a.add(partPercentiles, right.top(min(first, right.h)))
	if rows == 3 {
		a.add(partThroughput, right.top(right.h/2))
		a.add(partNotes, right)
	} else if a.focus == partGoodput || a.focus == partOutput {
		a.add(a.focus, right)
	} else {
		a.add(partThroughput, right)
	}
	a.add(partGPU, low.left(leftWidth))
	a.add(partKnobs, low)
}

// addNumbers fills a column with rates and notes, as far as there is room.
func (a *arranger) addNumbers(column rect) {
	const rates = 8
	if column.h >= rates+4 {
		a.add(partRates, column.top(rates))
	} else {
		a.add(partRates, column)
		return
	}
	a.add(partNotes, column)
}

// wide: a grid of four charts above the GPU, and a column of numbers.
func (a *arranger) wide(body rect) {
	a.gaugeBoxes(&body, tall+3)
	side := body.right(min(max(body.w*3/10, 54), 76))
	if !a.zoomed || a.focus != partPercentiles {
		a.add(partPercentiles, side.top(min(a.percentileRows()+3, side.h)))
	}
	a.add(partKnobs, side.top(min(a.knobs+2, side.h)))
	a.addNumbers(side)
	if a.zoomed {
		a.add(a.focus, body)
		return
	}

	devices := body.bottom(min(max(a.devices, 1)+8, body.h/3))
	upper := body.top(body.h / 2)
	a.add(partTTFT, upper.left(upper.w/2))
	a.add(partITL, upper)
	a.add(partOutput, body.left(body.w/2))
	a.add(partGoodput, body)
	a.add(partGPU, devices)
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
