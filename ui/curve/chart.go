// This file draws the curve: a metric against the load, or what a user gets against what the machine gives.

package curve

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// levelPlane draws the metric against the load.
func (p *Page) levelPlane(s *snapshot.Snapshot, g *theme.Glyphs) chart.Plane {
	metric := &curveMetrics()[p.metric]
	c := chart.Plane{
		LogX: !p.linear, Threshold: metric.limit(&s.Knobs), FormatY: metric.axis, AtLeast: metric.atLeast, Scale: p.scale,
	}
	moving := movingPoint(s)
	for i := range metric.lines {
		line := &metric.lines[i]
		drawn := chart.Line{Name: line.name, Role: line.role()}
		switch line.p {
		case 0.95:
			drawn.Dash = chart.Broken
		case 0.99:
			drawn.Dash = chart.Dotted
		}
		for j := range s.Curve {
			point := &s.Curve[j]
			spot := chart.Spot{X: point.Level, Y: line.of(&s.Knobs, point.Summary), Loose: !point.Settled}
			spot.Sign = signOf(point, j == moving, metric.few(line, point))
			drawn.Spots = append(drawn.Spots, spot)
		}
		c.Lines = append(c.Lines, drawn)
	}
	chosen, _ := p.chosen(s)
	for i := range s.Curve {
		point := &s.Curve[i]
		t := chart.Tick{
			At: point.Level, Label: levelTick(point.Level), Below: "n=" + cell.Grouped(int64(point.N)), Chosen: i == chosen,
		}
		if t.Chosen {
			t.Label = g.Pointer + t.Label
		}
		c.Ticks = append(c.Ticks, t)
	}
	c.Guides = curveGuides(s)
	if s.Duel != nil {
		p.overlay(&c, s.Duel)
	}
	return c
}

// levelTick writes a level as the axis has it.
func levelTick(level float64) string {
	if level >= 1000 {
		return cell.AxisCount(level)
	}
	return strconv.FormatFloat(level, 'g', 4, 64)
}

// signOf tells the present point from the others, and those with few samples from those that can be relied on.
func signOf(p *stage.Point, moving, few bool) chart.Sign {
	switch {
	case moving:
		return chart.Live
	case few || !p.Settled:
		return chart.Hollow
	}
	return chart.Firm
}

// curveGuides name the points that stand out.
func curveGuides(s *snapshot.Snapshot) []chart.Guide {
	var guides []chart.Guide
	c := s.Curve
	knee, bent := c.Knee()
	best, known := s.Best()
	if bent && known && best.Index == knee {
		return []chart.Guide{{At: c[knee].Level, Label: "knee, best", Role: theme.Muted}}
	}
	if known {
		guides = append(guides, chart.Guide{At: c[best.Index].Level, Label: "best", Role: theme.Muted})
	}
	if bent {
		guides = append(guides, chart.Guide{At: c[knee].Level, Label: "knee", Role: theme.Muted})
	}
	return guides
}

// tradePlane draws tok/s per user against tok/s per GPU. The front is joined; every point bears its level.
func (p *Page) tradePlane(s *snapshot.Snapshot, g *theme.Glyphs) chart.Plane {
	c := chart.Plane{FormatX: cell.AxisCount, FormatY: cell.AxisCount, Scale: p.scale}
	front := chart.Line{Role: theme.Series2, Dash: chart.Dotted}
	chosen, _ := p.chosen(s)
	moving := movingPoint(s)
	c.Lines = append(c.Lines, front) // beneath the points, once it is known
	for _, t := range s.Curve.Trades(gpusBehind(s)) {
		point := &s.Curve[t.Index]
		spot := chart.Spot{X: t.PerUser, Y: t.PerGPU, Sign: signOf(point, t.Index == moving, fewRequests(point))}
		named := chart.Line{Name: levelTick(point.Level), Role: theme.Muted, Spots: []chart.Spot{spot}, Dash: chart.NoLine}
		if t.Front {
			named.Role = theme.Series2
			front.Spots = append(front.Spots, spot)
		}
		if t.Index == chosen {
			named.Role, named.Name = theme.Title, g.Pointer+named.Name
		}
		c.Lines = append(c.Lines, named)
	}
	slices.SortFunc(front.Spots, func(a, b chart.Spot) int { return cmp.Compare(a.X, b.X) })
	c.Lines[0] = front
	if s.Duel != nil {
		overlayTrades(&c, s.Duel)
	}
	return c
}

// gpusBehind is the number of GPUs that the endpoint's tokens come from; 0: unknown.
func gpusBehind(s *snapshot.Snapshot) int {
	if s.GPUElsewhere {
		return 0
	}
	return device.Count(s)
}

// chartPanel frames the chart, with what follows from it beneath.
func (p *Page) chartPanel(v *page.Frame) cell.Panel {
	s, g := v.Shown, &v.Theme.Glyphs
	t := cell.Panel{Title: p.chartTitle(v), Focused: true}
	t.Aside = []cell.Piece{
		cell.Key("y"), cell.Muted(" metric  "), cell.Key("x"), cell.Muted(" log  "), cell.Key("v"), cell.Muted(" Pareto"),
	}
	switch {
	case p.trading:
		t.Aside = []cell.Piece{cell.Key("v"), cell.Muted(" back to the load")}
	case p.linear:
		t.Aside[3].Text = " linear  "
	}
	t.Foot = []cell.Piece{
		cell.Text(g.Busy),
		cell.Muted(" measured  "),
		cell.Text(g.Idle),
		cell.Muted(" few samples  "),
		cell.Text(g.Run),
		cell.Muted(" now"),
	}
	if at, ok := p.under(v); ok {
		t.Foot = p.readOut(v, at)
	}
	t.Body = func(w, h int) []string {
		words, h := wordsIn(v, w, h)
		if len(s.Curve) == 0 {
			return append(cell.Centred(v.Theme, w, h, "no level yet: the load has not begun"), words...)
		}
		if metric := &curveMetrics()[p.metric]; metric.judges && !p.trading && !s.Knobs.SLO.Active() {
			const none = "no SLO set: :slo ttft=300ms sets one, :slo fit takes one from the present stage"
			return append(cell.Centred(v.Theme, w, h, none), words...)
		}
		c := p.plane(s, g)
		if p.trading && math.IsNaN(c.Peak()) {
			return append(cell.Centred(v.Theme, w, h, "no settled level with a TPOT yet"), words...)
		}
		return append(c.Rows(w, h, *v.Theme), words...)
	}
	return t
}

// wordsIn are the sentences beneath the chart in a panel of a size, and the lines that they leave it.
func wordsIn(v *page.Frame, w, h int) (words []string, rest int) {
	const least = 4 // rows of the chart, but one sentence stays
	words = curveWords(v, w)
	words = words[:min(len(words), max(h-least, 1))]
	return words, h - len(words)
}

// under is the index of the level that the mouse points at in the chart, which a click chooses; false where it points at none.
func (p *Page) under(v *page.Frame) (at int, ok bool) {
	x, y, ok := v.Pointed()
	if s := v.Shown; ok && !p.trading && len(s.Curve) > 0 {
		levels := make([]float64, len(s.Curve))
		for i := range s.Curve {
			levels[i] = s.Curve[i].Level
		}
		w, h := v.Drawn.W-2, v.Drawn.H-2
		if _, h = wordsIn(v, w, h); y < h {
			if at, ok = p.plane(s, &v.Theme.Glyphs).Nearest(x, levels, w, h, *v.Theme); ok {
				v.Rows(0, h, page.Region{Hit: func(page.Host) { p.cursor = levels[at] }, Up: "left", Down: "right"})
				return at, true
			}
		}
	}
	return 0, false
}

// readOut says what the chart shows of a level.
func (p *Page) readOut(v *page.Frame, at int) []cell.Piece {
	c := p.plane(v.Shown, &v.Theme.Glyphs)
	out := []cell.Piece{cell.Title(figure.LevelName(v.Shown.Knobs, v.Shown.Curve[at].Level))}
	lines := c.Lines[:len(curveMetrics()[p.metric].lines)]
	slices.SortFunc(lines, func(a, b chart.Line) int { return cmp.Compare(a.Name, b.Name) })
	for _, l := range lines {
		out = append(out, cell.Muted("  "+l.Name+" "), cell.Text(figure.ReadAs(c.FormatY, l.Spots[at].Y)))
	}
	return out
}

// chartTitle says what is drawn against what.
func (p *Page) chartTitle(v *page.Frame) []cell.Piece {
	if p.trading {
		per := "per GPU"
		if gpusBehind(v.Shown) == 0 {
			per = "in total"
		}
		return []cell.Piece{cell.Title("tok/s " + per), cell.Muted(" against tok/s per user")}
	}
	metric := &curveMetrics()[p.metric]
	name := metric.name
	if v.Shown.Duel != nil && metric.timed {
		name += " p95"
	}
	out := []cell.Piece{cell.Title(name), cell.Muted(" against " + v.Shown.Knobs.Load.Axis())}
	if metric.tokens && figure.Estimated(v.Shown) {
		out = append(out, cell.Warn("  ~ estimated"))
	}
	return out
}
