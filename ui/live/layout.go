// This file is where each part of the Live page stands at which size.

package live

import (
	"math"

	"tokdyno/ui/page"
)

// layout places the parts of the Live page.
type layout struct {
	*page.Arranger
	focus      page.Part
	zoomed     bool
	openLoop   bool // latencies from schedule and the dispatch lag take two more rows
	knobs      int
	devices    int
	objectives int
	tpot       bool // TPOT has a limit, which takes a gauge and a chart
	itl        bool // ITL has an objective
}

// gauges are those of the load, in order, for so many cells in all. Where they would be narrow, TPOT takes the place of ITL,
// if that is not judged.
func (a *layout) gauges(w int) []page.Part {
	const least = 24
	switch {
	case !a.tpot:
		return []page.Part{partGaugeTTFT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight}
	case w < 6*least && !a.itl:
		return []page.Part{partGaugeTTFT, partGaugeTPOT, partGaugeOutput, partGaugeGoodput, partInFlight}
	}
	return []page.Part{partGaugeTTFT, partGaugeTPOT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight}
}

// pace is the chart of the time between tokens: of TPOT where that has a limit and ITL has none, unless the focus is on
// either.
func (a *layout) pace() page.Part {
	switch {
	case a.focus == partITL, a.focus == partTPOT:
		return a.focus
	case a.tpot && !a.itl:
		return partTPOT
	}
	return partITL
}

// leastChart is the least height of a chart beside percentiles on a compact screen, with its frame.
const leastChart = 6

// mostKnobRows is how many knobs show where other panels want the room; the panel scrolls to the rest.
const mostKnobRows = 7

// knobRows is the height of the knobs' panel, with its frame.
func (a *layout) knobRows() int { return min(a.knobs, mostKnobRows) + 2 }

// knobRowsIn is that height in a column of h lines, which the rates share, and the notes.
func (a *layout) knobRowsIn(h int) int {
	const others = 17
	return min(min(a.knobs, max(mostKnobRows, h-others))+2, h)
}

// percentileRows is the height that the percentile panel needs, with its frame.
func (a *layout) percentileRows() int {
	if a.openLoop {
		return 9
	}
	return 7
}

func (a *layout) gaugeLines(body *page.Rect) {
	lines := append(a.gauges(math.MaxInt), partGaugeGPU)
	if a.roomFor(len(lines)+1, *body) {
		lines = append(lines, partGaugeMemory)
	}
	for _, p := range lines {
		a.Add(p, body.Top(1))
	}
}

// roomFor reports whether there is room for so many lines of gauges without costing the percentiles theirs.
func (a *layout) roomFor(lines int, body page.Rect) bool {
	return body.H-lines-a.objectiveRows()-a.canaryRows()-a.percentileRows() >= leastChart
}

func (a *layout) gaugeBoxes(body *page.Rect, rows int) {
	row := body.Top(rows)
	gauges := a.gauges(row.W)
	for i, p := range gauges {
		a.Add(p, row.Left(row.W/(len(gauges)-i)))
	}
}

// compact: gauges in lines, one chart (that which has the focus), percentiles and knobs.
func (a *layout) compact(body page.Rect) {
	a.gaugeLines(&body)
	a.Add(partCanary, body.Top(a.canaryRows()))
	a.Add(partObjectives, body.Top(a.objectiveRows()))
	side := body.Right(min(max(body.W*3/8, 28), 44))
	knobRows := a.knobRowsIn(side.H)
	if rest := side.H - knobRows; rest >= 4 {
		a.Add(page.Knobs, side.Top(knobRows))
		if rest >= 16 {
			a.Add(partRates, side.Top(8))
			a.Add(partNotes, side)
		} else {
			a.Add(partRates, side)
		}
	} else {
		a.Add(page.Knobs, side)
	}
	if a.zoomed {
		a.Add(a.focus, body)
		return
	}

	if body.H-a.percentileRows() < leastChart {
		a.Add(a.focus, body)
		return
	}
	percentiles := body.Bottom(a.percentileRows())
	charts := []page.Part{a.slot(partTTFT)}
	for _, p := range []page.Part{partTTFT, a.pace(), partOutput, partGoodput} {
		if len(charts) < body.H/10 && p != charts[0] {
			charts = append(charts, p)
		}
	}
	for i, p := range charts {
		a.Add(p, body.Top(body.H/(len(charts)-i)))
	}
	a.Add(partPercentiles, percentiles)
}

// slot is the part for a place that shows what has the focus if nothing else does, and p otherwise.
func (a *layout) slot(p page.Part) page.Part {
	if a.focus == partPercentiles || a.Shows(a.focus) {
		return p
	}
	return a.focus
}

// standard: two columns, charts on the left, numbers on the right.
func (a *layout) standard(body page.Rect) {
	a.gaugeBoxes(&body, 4)
	a.Add(partCanary, body.Top(a.canaryRows()))
	a.Add(partObjectives, body.Top(a.objectiveRows()))
	low := body.Bottom(a.knobRows())
	if a.zoomed {
		body.H += low.H
		side := body.Right(min(max(body.W*3/10, 34), 54))
		a.Add(a.focus, body)
		a.Add(page.Knobs, side.Top(a.knobRowsIn(side.H)))
		a.addNumbers(side)
		return
	}

	leftWidth := body.W * 31 / 60
	left, right := body.Left(leftWidth), body
	rows := 2
	if body.H >= 33 {
		rows = 3
	}
	for i, p := range []page.Part{partTTFT, a.pace(), partGoodput}[:rows] {
		a.Add(p, left.Top(left.H/(rows-i)))
	}
	first := max(right.H/rows, a.percentileRows())
	a.Add(partPercentiles, right.Top(min(first, right.H)))
	if rows == 3 {
		a.Add(partThroughput, right.Top(right.H/2))
		a.Add(partNotes, right)
	} else if a.focus == partGoodput || a.focus == partOutput {
		a.Add(a.focus, right)
	} else {
		a.Add(partThroughput, right)
	}
	a.Add(partGPU, low.Left(leftWidth))
	a.Add(page.Knobs, low)
}

// addNumbers fills a column with rates and notes, as far as there is room.
func (a *layout) addNumbers(column page.Rect) {
	const rates = 8
	if column.H >= rates+4 {
		a.Add(partRates, column.Top(rates))
	} else {
		a.Add(partRates, column)
		return
	}
	a.Add(partNotes, column)
}

// wide: a grid of four charts above the GPU, and a column of numbers.
func (a *layout) wide(body page.Rect) {
	a.gaugeBoxes(&body, tall+3)
	a.Add(partCanary, body.Top(a.canaryRows()))
	a.Add(partObjectives, body.Top(a.objectiveRows()))
	side := body.Right(min(max(body.W*3/10, 54), 76))
	if !a.zoomed || a.focus != partPercentiles {
		a.Add(partPercentiles, side.Top(min(a.percentileRows()+3, side.H)))
	}
	a.Add(page.Knobs, side.Top(a.knobRowsIn(side.H)))
	a.addNumbers(side)
	if a.zoomed {
		a.Add(a.focus, body)
		return
	}

	devices := body.Bottom(min(max(a.devices, 1)+9, body.H/3))
	upper := body.Top(body.H / 2)
	a.Add(partTTFT, upper.Left(upper.W/2))
	a.Add(a.pace(), upper)
	a.Add(partOutput, body.Left(body.W/2))
	a.Add(partGoodput, body)
	a.Add(partGPU, devices)
}
