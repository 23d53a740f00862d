// This file is the Live page: gauges, charts, figures and knobs, and where each stands at which size.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// livePage shows the run as it moves. Its focus, its zoom and its knobs are the model's, because they outlast it.
type livePage struct{}

func (*livePage) commands() []command {
	const on = onLive | onZoom
	return []command{
		{
			keys: bind("↑↓", "knob", "down", "j"), in: on, footer: 3, repeats: true, do: (*model).nextKnob,
			says: "choose the next knob",
		},
		{
			keys: bind("↑", "previous knob", "up", "k"), in: on, repeats: true, do: (*model).previousKnob,
			says: "choose the previous knob",
		},
		{
			keys: bind("→", "turn up", "right", "l"), in: on, repeats: true, do: (*model).turnUp,
			says: "turn the chosen knob up, as + does",
		},
		{
			keys: bind("←", "turn down", "left", "h"), in: on, repeats: true, do: (*model).turnDown,
			says: "turn it down, as - does",
		},
		{
			keys: bind("e", "type", "e"), in: on, footer: 8, do: (*model).startTyping,
			says: "type a value for the chosen knob",
		},
		{
			keys: bind("tab", "focus", "tab"), in: on, footer: 5, do: (*model).nextFocus,
			says: "move the focus to the next panel",
		},
		{
			keys: bind("shift+tab", "focus back", "shift+tab"), in: on, do: (*model).previousFocus,
			says: "move it back",
		},
		{
			keys: bind("enter", "zoom", "enter"), in: onLive, footer: 6, do: (*model).zoomIn,
			says: "enlarge the focused panel",
		},
		{
			keys: bind("esc", "back", "esc", "enter"), in: onZoom, footer: 6, do: (*model).zoomOut,
			says: "back to all panels",
		},
	}
}

func (*livePage) see(*model) tea.Cmd { return nil }

func (*livePage) arrange(a *arranger, body rect) {
	switch a.class {
	case compact:
		a.compact(body)
	case standard:
		a.standard(body)
	default:
		a.wide(body)
	}
}

func (*livePage) draw(v *view, p place) []string {
	boxed := classOf(v.w, v.h) > compact
	switch p.part {
	case partTTFT, partITL, partOutput, partGoodput:
		return v.chartPanel(p.part).render(p.w, p.h, v.th)
	case partGaugeTTFT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight:
		g := v.gauge(p.part)
		if boxed {
			return g.box(p.w, p.h, v.th)
		}
		return []string{g.line(p.w, v.th)}
	case partGaugeGPU:
		return []string{v.gpuLine(p.w)}
	case partGaugeMemory:
		return []string{v.memoryLine(p.w)}
	case partPercentiles:
		return v.percentilesPanel().render(p.w, p.h, v.th)
	case partThroughput:
		return v.throughputPanel().render(p.w, p.h, v.th)
	case partRates:
		return v.ratesPanel().render(p.w, p.h, v.th)
	case partGPU:
		return v.gpuPanel().render(p.w, p.h, v.th)
	case partObjectives:
		return v.objectiveLines(p.w, p.h)
	case partKnobs:
		return v.knobsPanel().render(p.w, p.h, v.th)
	}
	return v.notesPanel().render(p.w, p.h, v.th)
}

const gaugeCount = 5

// leastChart is the least height of a chart beside percentiles on a compact screen, with its frame.
const leastChart = 6

// mostKnobRows is how many knobs show where other panels want the room; the panel scrolls to the rest.
const mostKnobRows = 7

// knobRows is the height of the knobs' panel, with its frame.
func (f framing) knobRows() int { return min(f.knobs, mostKnobRows) + 2 }

// knobRowsIn is that height in a column of h lines, which the rates share, and the notes.
func (f framing) knobRowsIn(h int) int {
	const others = 17
	return min(min(f.knobs, max(mostKnobRows, h-others))+2, h)
}

// percentileRows is the height that the percentile panel needs, with its frame.
func (f framing) percentileRows() int {
	if f.openLoop {
		return 9
	}
	return 7
}

func (a *arranger) gaugeLines(body *rect) {
	last := partGaugeGPU
	if a.roomForMemory(*body) {
		last = partGaugeMemory
	}
	for p := partGaugeTTFT; p <= last; p++ {
		a.add(p, body.top(1))
	}
}

// roomForMemory reports whether the GPU's memory can have a line of its own without costing the percentiles theirs.
func (a *arranger) roomForMemory(body rect) bool {
	lines := int(partGaugeMemory-partGaugeTTFT) + 1
	return body.h-lines-a.objectiveRows()-a.percentileRows() >= leastChart
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
func (a *arranger) slot(p part) part {
	if a.focus == partPercentiles || a.shows(a.focus) {
		return p
	}
	return a.focus
}

// standard: two columns, charts on the left, numbers on the right.
func (a *arranger) standard(body rect) {
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
