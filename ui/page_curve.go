// This file is the Curve page: what each level of load gave, which levels stand out, and what an autopilot makes of it.

package ui

import (
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/stage"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// The parts of the Curve page.
const (
	partCurve part = iota
	partLevels
	partPoint
	partPilot
)

// curvePage holds what was chosen.
type curvePage struct {
	metric  int     // of curveMetrics
	linear  bool    // the axis of the load
	trading bool    // tok/s per user against tok/s per GPU, instead of a metric against the load
	cursor  float64 // the level of the chosen point; 0: the present one, whichever that is

	scale  chart.Scale // of the metric
	points int         // how many there are: what the table asks for
	bounds bounding
}

func newCurvePage() *curvePage { return &curvePage{} }

func (p *curvePage) keys() []Key {
	return []Key{
		{
			binding: bind("←→", "level", "right", "l"), footer: 3, repeats: true, do: p.right, why: p.noLevel,
			says: "choose the next level; beyond the last, follow the present one",
		},
		{
			binding: bind("←", "level before", "left", "h"), repeats: true, do: p.left, why: p.noLevel,
			says: "choose the level before",
		},
		{
			binding: bind("enter", "go there", "enter"), footer: 5, do: p.jump, why: p.whyNoJump,
			says: "put the load at the chosen level",
		},
		{
			binding: bind("esc", "follow", "esc"), do: p.follow,
			says: "follow the present level again",
		},
		{
			binding: bind("y", "metric", "y"), footer: 6, do: p.nextMetric,
			says: "draw the next metric: TTFT, TPOT, E2E, output, goodput, SLO",
		},
		{
			binding: bind("Y", "metric before", "Y"), do: p.previousMetric,
			says: "draw the metric before",
		},
		{
			binding: bind("x", "log/linear", "x"), footer: 8, do: p.toggleLinear,
			says: "logarithmic or linear axis of the load",
		},
		{
			binding: bind("v", "Pareto", "v"), footer: 7, do: p.toggleTrading,
			says: "tok/s per user against tok/s per GPU, and back",
		},
	}
}

func (p *curvePage) right(h Host) tea.Cmd { return p.move(h, +1) }
func (p *curvePage) left(h Host) tea.Cmd  { return p.move(h, -1) }

func (p *curvePage) move(h Host, by int) tea.Cmd {
	s := h.Frame().shown
	at, _ := p.chosen(s)
	switch at += by; {
	case at >= len(s.Curve):
		p.cursor = 0
	case at >= 0:
		p.cursor = s.Curve[at].Level
	}
	return p.see(h)
}

func (p *curvePage) follow(h Host) tea.Cmd {
	p.cursor = 0
	return p.see(h)
}

// chosen is the index of the point under the cursor, or of the nearest to it if its level is gone; false where there are
// no points.
func (p *curvePage) chosen(s *engine.Snapshot) (int, bool) {
	if len(s.Curve) == 0 {
		return 0, false
	}
	if p.cursor == 0 {
		if at, ok := presentPoint(s); ok {
			return at, true
		}
		return len(s.Curve) - 1, true
	}
	nearest := 0
	for i := range s.Curve {
		if math.Abs(s.Curve[i].Level-p.cursor) < math.Abs(s.Curve[nearest].Level-p.cursor) {
			nearest = i
		}
	}
	return nearest, true
}

// whyNoJump says why the load can't be put at the chosen level; "" where it can.
func (p *curvePage) whyNoJump(h Host) string {
	if why := h.Uncontrollable(); why != "" {
		return why
	}
	if why := p.noLevel(h); why != "" {
		return why
	}
	if next, level := p.jumped(h); next == h.Knobs() {
		return "the load is at " + levelName(next, level) + " already"
	}
	return ""
}

// noLevel says why no level can be chosen; "" where one can.
func (p *curvePage) noLevel(h Host) string {
	if _, ok := p.chosen(h.Frame().shown); !ok {
		return "no level yet: the load has not begun"
	}
	return ""
}

// jumped are the knobs with the load at the chosen level, which there must be.
func (p *curvePage) jumped(h Host) (k engine.Knobs, level float64) {
	s := h.Frame().shown
	at, _ := p.chosen(s)
	k, level = h.Knobs(), s.Curve[at].Level
	k.Load = k.Load.AtLevel(level)
	return k, level
}

// jump puts the load at the chosen level.
func (p *curvePage) jump(h Host) tea.Cmd {
	next, _ := p.jumped(h)
	if err := h.Set(next); err != nil {
		h.Say(theme.Bad, "%s", oneLine(err))
	}
	return nil
}

func (p *curvePage) nextMetric(h Host) tea.Cmd     { return p.stepMetric(h, +1) }
func (p *curvePage) previousMetric(h Host) tea.Cmd { return p.stepMetric(h, -1) }

// stepMetric goes round the metrics; from the Pareto view it first goes back to them.
func (p *curvePage) stepMetric(h Host, by int) tea.Cmd {
	if p.trading {
		p.trading = false
	} else {
		n := len(curveMetrics())
		p.metric = (p.metric + by + n) % n
	}
	p.scale = chart.Scale{}
	return p.see(h)
}

func (p *curvePage) toggleLinear(Host) tea.Cmd {
	p.linear = !p.linear
	return nil
}

func (p *curvePage) toggleTrading(h Host) tea.Cmd {
	p.trading = !p.trading
	p.scale = chart.Scale{}
	return p.see(h)
}

// see remembers the range of the chart, and has the chosen point's intervals computed when they have changed.
func (p *curvePage) see(h Host) tea.Cmd {
	v := h.Frame()
	s := v.shown
	p.points = len(s.Curve)
	p.scale = p.scale.Next(p.plane(s, &v.th.Glyphs).Peak(), s.At.Elapsed())
	at, ok := p.chosen(s)
	if !ok {
		p.bounds = bounding{}
		return nil
	}
	return p.bounds.see(h, &s.Curve[at])
}

// plane is the chart of a snapshot.
func (p *curvePage) plane(s *engine.Snapshot, g *theme.Glyphs) chart.Plane {
	if p.trading {
		return p.tradePlane(s, g)
	}
	return p.levelPlane(s, g)
}

// arrange gives the chart and the table what a small screen has; a larger one adds the chosen point and the autopilot.
func (p *curvePage) arrange(a *arranger, body rect) {
	const (
		frame      = 2
		leastRows  = 3
		leastChart = 12
	)
	if a.class > compact {
		side := body.right(min(max(body.w*2/5, 46), 68))
		a.add(partPoint, side.top(min(pointRows+frame, side.h*2/3)))
		a.add(partPilot, side)
	}
	rows := max(p.points, leastRows) + 1 + frame
	share := body.h * 2 / 5 // or as much as the chart can spare, on a low screen
	if a.class == compact {
		share = max(share, body.h-leastChart)
	}
	a.add(partLevels, body.bottom(min(rows, share)))
	a.add(partCurve, body)
}

func (p *curvePage) draw(v *Frame, at place) []string {
	switch at.part {
	case partLevels:
		return p.levelsPanel(v, at.h-2).render(at.w, at.h, v.th)
	case partPoint:
		return p.pointPanel(v).render(at.w, at.h, v.th)
	case partPilot:
		return pilotPanel(v).render(at.w, at.h, v.th)
	}
	return p.chartPanel(v).render(at.w, at.h, v.th)
}

// pointOf returns the chosen point; nil where there is none.
func (p *curvePage) pointOf(s *engine.Snapshot) *stage.Point {
	if at, ok := p.chosen(s); ok {
		return &s.Curve[at]
	}
	return nil
}
