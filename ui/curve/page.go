// This file is the Curve page: what each level of load gave, which levels stand out, and what an autopilot makes of it.

package curve

import (
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The parts of the Curve page.
const (
	partCurve page.Part = iota
	partLevels
	partPoint
	partPilot
)

// Page holds what was chosen.
type Page struct {
	metric  int     // of curveMetrics
	linear  bool    // the axis of the load
	trading bool    // tok/s per user against tok/s per GPU, instead of a metric against the load
	cursor  float64 // the level of the chosen point; 0: the present one, whichever that is
	held    cell.Held

	scale  chart.Scale // of the metric
	points int         // how many there are: what the table asks for
	bounds bounding
}

// New returns the page in its first state.
func New() *Page { return &Page{} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("←→", "level", "right", "l"), Footer: 3, Repeats: true, Do: p.right, Why: p.noLevel,
			Says: "choose the next level; beyond the last, follow the present one",
		},
		{
			Binding: page.Bind("←", "level before", "left", "h"), Repeats: true, Do: p.left, Why: p.noLevel,
			Says: "choose the level before",
		},
		{
			Binding: page.Bind("enter", "go there", "enter"), Footer: 5, Do: p.jump, Why: p.whyNoJump,
			Says: "put the load at the chosen level",
		},
		{
			Binding: page.Bind("esc", "follow", "esc"), Do: p.follow,
			Says: "follow the current level again",
		},
		{
			Binding: page.Bind("y", "metric", "y"), Footer: 6, Do: p.nextMetric,
			Says: "draw the next metric: TTFT, TTFA, TPOT, E2EL, output, goodput, SLO",
		},
		{
			Binding: page.Bind("Y", "metric before", "Y"), Do: p.previousMetric,
			Says: "draw the metric before",
		},
		{
			Binding: page.Bind("x", "log/linear", "x"), Footer: 8, Do: p.toggleLinear,
			Says: "logarithmic or linear axis of the load",
		},
		{
			Binding: page.Bind("v", "Pareto", "v"), Footer: 7, Do: p.toggleTrading,
			Says: "tok/s per user against tok/s per GPU, and back",
		},
	}
}

func (p *Page) right(h page.Host) { p.move(h, +1) }
func (p *Page) left(h page.Host)  { p.move(h, -1) }

func (p *Page) move(h page.Host, by int) {
	s := h.Frame().Shown
	at, _ := p.chosen(s)
	p.held.Let()
	switch at += by; {
	case at >= len(s.Curve):
		p.cursor = 0
	case at >= 0:
		p.cursor = s.Curve[at].Level
	}
}

func (p *Page) follow(h page.Host) {
	p.cursor = 0
}

// chosen is the index of the point under the cursor, or of the nearest to it if its level is gone; false where there are
// no points.
func (p *Page) chosen(s *snapshot.Snapshot) (int, bool) {
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
func (p *Page) whyNoJump(h page.Host) string {
	if why := h.Uncontrollable(); why != "" {
		return why
	}
	if why := p.noLevel(h); why != "" {
		return why
	}
	if next, level := p.jumped(h); next == h.Knobs() {
		return "the load is at " + figure.LevelName(next, level) + " already"
	}
	return ""
}

// noLevel says why no level can be chosen; "" where one can.
func (p *Page) noLevel(h page.Host) string {
	if _, ok := p.chosen(h.Frame().Shown); !ok {
		return "no level yet: the load has not begun"
	}
	return ""
}

// jumped are the knobs with the load at the chosen level, which there must be.
func (p *Page) jumped(h page.Host) (k snapshot.Knobs, level float64) {
	s := h.Frame().Shown
	at, _ := p.chosen(s)
	k, level = h.Knobs(), s.Curve[at].Level
	k.Load = k.Load.AtLevel(level)
	return k, level
}

// jump puts the load at the chosen level.
func (p *Page) jump(h page.Host) {
	next, _ := p.jumped(h)
	if err := h.Set(next); err != nil {
		h.Say(theme.Bad, "%s", cell.OneLine(err))
	}
}

func (p *Page) nextMetric(h page.Host)     { p.stepMetric(h, +1) }
func (p *Page) previousMetric(h page.Host) { p.stepMetric(h, -1) }

// stepMetric goes round the metrics; from the Pareto view it first goes back to them.
func (p *Page) stepMetric(h page.Host, by int) {
	if p.trading {
		p.trading = false
	} else {
		all := curveMetrics()
		for next := true; next; next = all[p.metric].latency == slo.TTFA && !figure.Reasoned(h.Frame().Shown) {
			p.metric = (p.metric + by + len(all)) % len(all)
		}
	}
	p.scale = chart.Scale{}
}

func (p *Page) toggleLinear(page.Host) {
	p.linear = !p.linear
}

func (p *Page) toggleTrading(h page.Host) {
	p.trading = !p.trading
	p.scale = chart.Scale{}
}

// See remembers the range of the chart, and has the chosen point's intervals computed when they have changed.
func (p *Page) See(h page.Host) tea.Cmd {
	v := h.Frame()
	s := v.Shown
	p.points = len(s.Curve)
	p.scale = p.scale.Next(p.plane(s, &v.Theme.Glyphs).Peak(), s.At.Elapsed())
	at, ok := p.chosen(s)
	if !ok {
		p.bounds = bounding{}
		return nil
	}
	return p.bounds.see(h, &s.Curve[at])
}

// plane is the chart of a snapshot.
func (p *Page) plane(s *snapshot.Snapshot, g *theme.Glyphs) chart.Plane {
	if p.trading {
		return p.tradePlane(s, g)
	}
	return p.levelPlane(s, g)
}

// Arrange gives the chart and the table what a small screen has; a larger one adds the chosen point and the autopilot.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) {
	const (
		frame      = 2
		leastRows  = 3
		leastChart = 12
	)
	if a.Class > page.Compact {
		side := body.Right(min(max(body.W*2/5, 46), 68))
		a.Add(partPoint, side.Top(min(pointRows(a.Shown)+frame, side.H*2/3)))
		a.Add(partPilot, side)
	}
	rows := max(p.points, leastRows) + 1 + frame
	share := body.H * 2 / 5 // or as much as the chart can spare, on a low screen
	if a.Class == page.Compact {
		share = max(share, body.H-leastChart)
	}
	a.Add(partLevels, body.Bottom(min(rows, share)))
	a.Add(partCurve, body)
}

// Draw draws a panel.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	switch at.Part {
	case partLevels:
		return p.levelsPanel(v, at.H-2).Render(at.W, at.H, v.Theme)
	case partPoint:
		return p.pointPanel(v).Render(at.W, at.H, v.Theme)
	case partPilot:
		return pilotPanel(v).Render(at.W, at.H, v.Theme)
	}
	return p.chartPanel(v).Render(at.W, at.H, v.Theme)
}
