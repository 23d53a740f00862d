// This file is where each part of the Live page stands at which size.

package ui

// liveLayout places the parts of the Live page.
type liveLayout struct {
	*arranger
	focus      part
	zoomed     bool
	openLoop   bool // latencies from schedule and the dispatch lag take two more rows
	knobs      int
	devices    int
	objectives int
}

const gaugeCount = 5

// leastChart is the least height of a chart beside percentiles on a compact screen, with its frame.
const leastChart = 6

// mostKnobRows is how many knobs show where other panels want the room; the panel scrolls to the rest.
const mostKnobRows = 7

// knobRows is the height of the knobs' panel, with its frame.
func (a *liveLayout) knobRows() int { return min(a.knobs, mostKnobRows) + 2 }

// knobRowsIn is that height in a column of h lines, which the rates share, and the notes.
func (a *liveLayout) knobRowsIn(h int) int {
	const others = 17
	return min(min(a.knobs, max(mostKnobRows, h-others))+2, h)
}

// percentileRows is the height that the percentile panel needs, with its frame.
func (a *liveLayout) percentileRows() int {
	if a.openLoop {
		return 9
	}
	return 7
}

func (a *liveLayout) gaugeLines(body *rect) {
	last := partGaugeGPU
	if a.roomForMemory(*body) {
		last = partGaugeMemory
	}
	for p := partGaugeTTFT; p <= last; p++ {
		a.add(p, body.top(1))
	}
}

// roomForMemory reports whether the GPU's memory can have a line of its own without costing the percentiles theirs.
func (a *liveLayout) roomForMemory(body rect) bool {
	lines := int(partGaugeMemory-partGaugeTTFT) + 1
	return body.h-lines-a.objectiveRows()-a.percentileRows() >= leastChart
}

func (a *liveLayout) gaugeBoxes(body *rect, rows int) {
	row := body.top(rows)
	for i := range gaugeCount {
		a.add(partGaugeTTFT+part(i), row.left(row.w/(gaugeCount-i)))
	}
}

// compact: gauges in lines, one chart (that which has the focus), percentiles and knobs.
func (a *liveLayout) compact(body rect) {
	a.gaugeLines(&body)
	a.add(partObjectives, body.top(a.objectiveRows()))
	side := body.right(min(max(body.w*3/8, 28), 44))
	knobRows := a.knobRowsIn(side.h)
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
func (a *liveLayout) slot(p part) part {
	if a.focus == partPercentiles || a.shows(a.focus) {
		return p
	}
	return a.focus
}

// standard: two columns, charts on the left, numbers on the right.
func (a *liveLayout) standard(body rect) {
	a.gaugeBoxes(&body, 4)
	a.add(partObjectives, body.top(a.objectiveRows()))
	low := body.bottom(a.knobRows())
	if a.zoomed {
		body.h += low.h
		side := body.right(min(max(body.w*3/10, 34), 54))
		a.add(a.focus, body)
		a.add(partKnobs, side.top(a.knobRowsIn(side.h)))
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
func (a *liveLayout) addNumbers(column rect) {
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
func (a *liveLayout) wide(body rect) {
	a.gaugeBoxes(&body, tall+3)
	a.add(partObjectives, body.top(a.objectiveRows()))
	side := body.right(min(max(body.w*3/10, 54), 76))
	if !a.zoomed || a.focus != partPercentiles {
		a.add(partPercentiles, side.top(min(a.percentileRows()+3, side.h)))
	}
	a.add(partKnobs, side.top(a.knobRowsIn(side.h)))
	a.addNumbers(side)
	if a.zoomed {
		a.add(a.focus, body)
		return
	}

	devices := body.bottom(min(max(a.devices, 1)+9, body.h/3))
	upper := body.top(body.h / 2)
	a.add(partTTFT, upper.left(upper.w/2))
	a.add(partITL, upper)
	a.add(partOutput, body.left(body.w/2))
	a.add(partGoodput, body)
	a.add(partGPU, devices)
}
