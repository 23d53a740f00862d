// This file is the Live page: gauges, charts, figures and knobs.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// The parts of the Live page; the charts come first because their scales are counted from 0. Those up to lastFocusable can
// be given the focus, in this order.
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
	partNotes
	partObjectives
)

const (
	lastFocusable = partGPU
	focusable     = int(lastFocusable) + 1
)

// livePage shows the run as it moves.
type livePage struct {
	desk     *Desk // the knobs, which outlast the page
	focus    part
	enlarged bool
	scales   scales
}

func newLivePage(desk *Desk) *livePage { return &livePage{desk: desk} }

func (l *livePage) keys() []Key {
	return []Key{
		{
			binding: bind("↑↓", "knob", "down", "j"), zoom: ZoomedToo, footer: 3, repeats: true, do: l.choose(+1),
			says: "choose the next knob",
		},
		{
			binding: bind("↑", "previous knob", "up", "k"), zoom: ZoomedToo, repeats: true, do: l.choose(-1),
			says: "choose the previous knob",
		},
		{
			binding: bind("→", "turn up", "right", "l"), zoom: ZoomedToo, repeats: true, do: l.desk.turnUp, why: l.desk.why,
			says: "turn the chosen knob up, as + does",
		},
		{
			binding: bind("←", "turn down", "left", "h"), zoom: ZoomedToo, repeats: true, do: l.desk.turnDown, why: l.desk.why,
			says: "turn it down, as - does",
		},
		{
			binding: bind("e", "type", "e"), zoom: ZoomedToo, footer: 8, do: l.desk.startTyping, why: l.desk.why,
			says: "type a value for the chosen knob",
		},
		{
			binding: bind("tab", "focus", "tab"), zoom: ZoomedToo, footer: 5, do: l.moveFocus(+1),
			says: "move the focus to the next panel",
		},
		{
			binding: bind("shift+tab", "focus back", "shift+tab"), zoom: ZoomedToo, do: l.moveFocus(-1),
			says: "move it back",
		},
		{
			binding: bind("enter", "zoom", "enter"), footer: 6, do: l.enlarge(true),
			says: "enlarge the focused panel",
		},
		{
			binding: bind("esc", "back", "esc", "enter"), zoom: OnlyZoomed, footer: 6, do: l.enlarge(false),
			says: "back to all panels",
		},
	}
}

func (l *livePage) choose(by int) func(Host) tea.Cmd {
	return func(Host) tea.Cmd {
		l.desk.choose(by)
		return nil
	}
}

func (l *livePage) moveFocus(by int) func(Host) tea.Cmd {
	return func(Host) tea.Cmd {
		l.focus = part((int(l.focus) + by + focusable) % focusable)
		return nil
	}
}

func (l *livePage) enlarge(on bool) func(Host) tea.Cmd {
	return func(Host) tea.Cmd {
		l.enlarged = on
		return nil
	}
}

func (l *livePage) zoomed() bool { return l.enlarged }
func (l *livePage) unzoom()      { l.enlarged = false }

// see remembers the ranges of the charts.
func (l *livePage) see(h Host) tea.Cmd {
	l.scales = l.scales.next(h.Frame())
	return nil
}

func (l *livePage) arrange(a *arranger, body rect) {
	p := liveLayout{
		arranger: a, focus: l.focus, zoomed: l.enlarged, openLoop: arriving(a.shown.Knobs), knobs: l.desk.len(),
		devices: deviceCount(a.shown), objectives: len(a.shown.Objectives),
	}
	switch a.class {
	case compact:
		p.compact(body)
	case standard:
		p.standard(body)
	default:
		p.wide(body)
	}
}

func (l *livePage) draw(v *Frame, p place) []string {
	var drawn panel
	switch p.part {
	case partTTFT, partITL, partOutput, partGoodput:
		drawn = chartPanel(v, &l.scales, p.part)
	case partGaugeTTFT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight:
		g := gaugeOf(v, p.part)
		if classOf(v.w, v.h) > compact {
			return g.box(p.w, p.h, v.th)
		}
		return []string{g.line(p.w, v.th)}
	case partGaugeGPU:
		return []string{gpuLine(v, p.w)}
	case partGaugeMemory:
		return []string{memoryLine(v, p.w)}
	case partPercentiles:
		drawn = percentilesPanel(v)
	case partThroughput:
		drawn = throughputPanel(v, &l.scales)
		drawn.focused = l.focus == partOutput
		return drawn.render(p.w, p.h, v.th)
	case partRates:
		drawn = ratesPanel(v)
	case partGPU:
		drawn = gpuPanel(v)
	case partObjectives:
		return objectiveLines(v, p.w, p.h)
	case partKnobs:
		drawn = l.desk.panel(v)
	default:
		drawn = notesPanel(v)
	}
	drawn.focused = l.focus == p.part
	return drawn.render(p.w, p.h, v.th)
}
