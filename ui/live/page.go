// This file is the Live page: gauges, charts, figures and knobs.

package live

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/device"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

// The parts of the Live page; the charts come first because their scales are counted from 0. Those up to lastFocusable can
// be given the focus, in this order.
const (
	partTTFT page.Part = iota
	partITL
	partTPOT
	partOutput
	partGoodput
	partPercentiles
	partGPU

	partGaugeTTFT
	partGaugeTPOT
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
	partCanary
	partDifferences
)

const (
	lastFocusable = partGPU
	focusable     = int(lastFocusable) + 1
)

// Page shows the run as it moves.
type Page struct {
	desk     *knob.Desk // the knobs, which outlast the page
	focus    page.Part
	enlarged bool
	scales   scales
	pick     pick // while enlarged
	waiting  waiting
}

// New returns the page in its first state.
func New(desk *knob.Desk) *Page { return &Page{desk: desk} }

// Keys are the page's own.
func (l *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "knob", "down", "j"), Footer: 3, Repeats: true, Do: l.choose(+1),
			Says: "choose the next knob",
		},
		{
			Binding: page.Bind("↑", "previous knob", "up", "k"), Repeats: true, Do: l.choose(-1),
			Says: "choose the previous knob",
		},
		{
			Binding: page.Bind("→", "turn up", "right", "l"), Repeats: true,
			Do: l.desk.TurnUp, Why: l.desk.Why, Says: "turn the chosen knob up, as + does",
		},
		{
			Binding: page.Bind("←", "turn down", "left", "h"), Repeats: true,
			Do: l.desk.TurnDown, Why: l.desk.Why, Says: "turn it down, as - does",
		},
		{
			Binding: page.Bind("e", "type", "e"), Zoom: page.ZoomedToo, Footer: 8, Do: l.desk.StartTyping, Why: l.desk.Why,
			Says: "type a value for the chosen knob",
		},
		{
			Binding: page.Bind("tab", "focus", "tab"), Zoom: page.ZoomedToo, Footer: 5, Do: l.moveFocus(+1),
			Says: "move the focus to the next panel",
		},
		{
			Binding: page.Bind("shift+tab", "focus back", "shift+tab"), Zoom: page.ZoomedToo, Do: l.moveFocus(-1),
			Says: "move it back",
		},
		{
			Binding: page.Bind("enter", "zoom", "enter"), Footer: 6, Do: l.enlarge(true),
			Says: "enlarge the focused panel, to point into it",
		},
		{
			Binding: page.Bind("←→", "point", "right", "l"), Zoom: page.OnlyZoomed, Footer: 2, Repeats: true,
			Do: l.point(+1, 0), Why: l.noPick,
			Says: "point at the next second, or percentile",
		},
		{
			Binding: page.Bind("←", "point before", "left", "h"), Zoom: page.OnlyZoomed, Repeats: true,
			Do: l.point(-1, 0), Why: l.noPick,
			Says: "point at the one before",
		},
		{
			Binding: page.Bind("↓", "point further", "down", "j"), Zoom: page.OnlyZoomed, Repeats: true,
			Do: l.point(0, +1), Why: l.noPick,
			Says: "point ten seconds further, or at the next latency",
		},
		{
			Binding: page.Bind("↑", "point back", "up", "k"), Zoom: page.OnlyZoomed, Repeats: true,
			Do: l.point(0, -1), Why: l.noPick,
			Says: "point ten seconds back, or at the latency before",
		},
		{
			Binding: page.Bind("enter", "its requests", "enter"), Zoom: page.OnlyZoomed, Footer: 2, Do: l.showPicked, Why: l.noPick,
			Says: "the requests behind what is pointed at",
		},
		{
			Binding: page.Bind("b", "requests behind", "b"), Zoom: page.ZoomedToo, Footer: 14, Do: l.showBehind, Why: l.nothingBehind,
			Says: "the requests behind the focused panel: the slowest, or those that missed a limit; enlarged, as enter does",
		},
		{
			Binding: page.Bind("esc", "back", "esc"), Zoom: page.OnlyZoomed, Footer: 6, Do: l.enlarge(false),
			Says: "back to all panels",
		},
	}
}

func (l *Page) choose(by int) func(page.Host) {
	return func(page.Host) { l.desk.Choose(by) }
}

func (l *Page) moveFocus(by int) func(page.Host) {
	return func(page.Host) { l.focus = page.Part((int(l.focus) + by + focusable) % focusable) }
}

func (l *Page) enlarge(on bool) func(page.Host) {
	return func(page.Host) { l.enlarged, l.pick = on, pick{} }
}

// Zoomed reports whether a panel is enlarged.
func (l *Page) Zoomed() bool { return l.enlarged }

// Unzoom shows all panels again.
func (l *Page) Unzoom() { l.enlarged, l.pick = false, pick{} }

// See remembers the ranges of the charts, and what was said of requests that wait.
func (l *Page) See(h page.Host) tea.Cmd {
	l.scales = l.scales.next(h.Frame())
	l.waiting = l.waiting.next(h.Frame().Shown)
	return nil
}

// Arrange places the panels.
func (l *Page) Arrange(a *page.Arranger, body page.Rect) {
	p := layout{
		Arranger: a, focus: l.focus, zoomed: l.enlarged, openLoop: a.Shown.Knobs.Load.Arrives(), knobs: l.desk.Len(),
		devices: device.Count(a.Shown), objectives: len(a.Shown.Objectives),
		tpot: a.Shown.Knobs.SLO[slo.TPOT] > 0, itl: itlObjective(a.Shown) != nil,
	}
	switch n := sides(a.Shown); {
	case n > 0:
		p.duel(body, n)
	case a.Class == page.Compact:
		p.compact(body)
	case a.Class == page.Standard:
		p.standard(body)
	default:
		p.wide(body)
	}
}

// Draw draws a panel.
func (l *Page) Draw(v *page.Frame, p page.Place) []string {
	var drawn cell.Panel
	var picked *pick
	if l.enlarged && p.Part == l.focus && l.pickable(v.Shown) == "" {
		picked = &l.pick
	}
	pointed, words := l.under(v, p.Part, 0)
	if pointed != nil {
		picked = pointed
	}
	l.edge(v, p.Part)
	switch p.Part {
	case partTTFT, partITL, partTPOT, partOutput, partGoodput:
		drawn = chartPanel(v, &l.scales, p.Part, picked)
	case partGaugeTTFT, partGaugeTPOT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight:
		g := gaugeOf(v, l.waiting.shown, p.Part)
		if page.ClassOf(v.W, v.H) > page.Compact {
			return g.box(p.W, p.H, v.Theme)
		}
		return []string{g.line(p.W, v.Theme)}
	case partGaugeGPU:
		return []string{gpuLine(v, p.W)}
	case partGaugeMemory:
		return []string{memoryLine(v, p.W)}
	case partPercentiles:
		if drawn = percentilesPanel(v, picked); sides(v.Shown) > 0 {
			drawn = sidesPanel(v)
		}
	case partDifferences:
		return differenceLines(v, p.W, p.H)
	case partThroughput:
		pointed, words = l.under(v, partOutput, throughputRows)
		drawn = throughputPanel(v, &l.scales, pointed)
		drawn.Focused = l.focus == partOutput
		if pointed != nil {
			drawn.Foot, drawn.Coda = words, leads("click")
		}
		return drawn.Render(p.W, p.H, v.Theme)
	case partRates:
		drawn = ratesPanel(v)
	case partGPU:
		drawn = gpuPanel(v)
	case partObjectives:
		return objectiveLines(v, p.W, p.H)
	case partCanary:
		return canaryLine(v, p.W)
	case page.Knobs:
		drawn = l.desk.Panel(v)
	default:
		drawn = notesPanel(v)
	}
	drawn.Focused = l.focus == p.Part
	switch {
	case pointed != nil:
		drawn.Foot, drawn.Coda = words, leads("click") // which gives way where there is little room
	case picked != nil:
		drawn.Foot, drawn.Coda = append(picked.words(v, p.Part), leads("enter")...), nil
	}
	return drawn.Render(p.W, p.H, v.Theme)
}
