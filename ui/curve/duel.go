// This file is the curves of a duel: one of each side over the others, the load that each holds, and what autopilots found.

package curve

import (
	"cmp"
	"math"
	"slices"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// overlay puts the curves of all sides in the place of the one that shows: of each the line that is drawn last, which of a
// latency is the p95. Levels that only others have get a place on the axis as well.
func (p *Page) overlay(c *chart.Plane, d *snapshot.Duel) {
	metric := &curveMetrics()[p.metric]
	line := &metric.lines[len(metric.lines)-1]
	c.Lines = nil
	for i, s := range d.Sides {
		drawn := chart.Line{Name: snapshot.Letter(i)}
		drawn.Role, drawn.Dash = figure.SideLine(i)
		moving := movingPoint(s)
		for j := range s.Curve {
			point := &s.Curve[j]
			spot := chart.Spot{X: point.Level, Y: line.of(&s.Knobs, point.Summary), Loose: !point.Settled}
			spot.Sign = signOf(point, j == moving, metric.few(line, point))
			drawn.Spots = append(drawn.Spots, spot)
			if !slices.ContainsFunc(c.Ticks, func(t chart.Tick) bool { return t.At == point.Level }) {
				c.Ticks = append(c.Ticks, chart.Tick{At: point.Level, Label: levelTick(point.Level)})
			}
		}
		c.Lines = append(c.Lines, drawn)
	}
	slices.SortFunc(c.Ticks, func(a, b chart.Tick) int { return cmp.Compare(a.At, b.At) })
}

// overlayTrades does so with what users get against what the machine gives: each side's front, by letter and level.
func overlayTrades(c *chart.Plane, d *snapshot.Duel) {
	c.Lines = nil
	for i, s := range d.Sides {
		front := chart.Line{}
		front.Role, front.Dash = figure.SideLine(i)
		for _, t := range s.Curve.Trades(gpusBehind(s)) {
			if !t.Front {
				continue
			}
			point := &s.Curve[t.Index]
			spot := chart.Spot{X: t.PerUser, Y: t.PerGPU, Sign: signOf(point, false, fewRequests(point))}
			front.Spots = append(front.Spots, spot)
			c.Lines = append(c.Lines, chart.Line{
				Name: snapshot.Letter(i) + " " + levelTick(point.Level), Role: front.Role, Spots: []chart.Spot{spot}, Dash: chart.NoLine,
			})
		}
		slices.SortFunc(front.Spots, func(a, b chart.Spot) int { return cmp.Compare(a.X, b.X) })
		c.Lines = append(c.Lines, front)
	}
}

// ofSide is a frame in which another side shows.
func ofSide(v *page.Frame, s *snapshot.Snapshot) *page.Frame {
	side := *v
	side.Shown, side.Latest = s, s
	return &side
}

// sideWords say of each side how much load it holds, and what binds beyond it.
func sideWords(v *page.Frame) (rows [][]cell.Piece) {
	for i, s := range v.Shown.Duel.Sides {
		row := append(figure.SideMark(&v.Theme.Glyphs, i), cell.Text("  "))
		rows = append(rows, append(row, reachWords(ofSide(v, s))...))
	}
	return rows
}

// sidesPilot shows what the autopilots of all sides do, and beneath it the highest load that each side held, with what it gave
// there: of each only what is known.
func sidesPilot(v *page.Frame) cell.Panel {
	t := cell.Titled("Autopilot")
	t.Aside = []cell.Piece{cell.Muted("one for each side")}
	t.Body = func(w, h int) []string {
		var lines []string
		for i, s := range v.Shown.Duel.Sides {
			role, sentence := theme.Muted, "a begins a ladder, a again a search"
			if p := s.Pilot; p != nil {
				if role, sentence = theme.Text, string(p.Kind)+": "+p.Why; p.Finished {
					role, sentence = figure.Found(s)
				}
			}
			lines = append(lines, cell.NewLine(v.Theme, w).Skip(cell.Inset).Pieces(figure.SideMark(&v.Theme.Glyphs, i)).String())
			lines = append(lines, cell.Sentences(v.Theme, w, role, sentence)...)
		}
		table := heldTable(v, w)
		if room := h - len(lines) - len(table); room > 0 {
			lines = append(lines, cell.Blank(w))
		}
		return append(lines[:min(len(lines), max(h-len(table), 0))], table...)
	}
	return t
}

// heldColumn is a column of heldTable, and where it ends.
type heldColumn struct {
	name string
	end  int
}

func heldColumns() [4]heldColumn {
	return [...]heldColumn{{"holds", 16}, {"goodput/s", 27}, {"tok/s/GPU", 38}, {"tok/J", 46}}
}

// heldTable is the highest level that each side held, a line each.
func heldTable(v *page.Frame, w int) []string {
	head := cell.NewLine(v.Theme, w)
	for _, c := range heldColumns() {
		head.Flush(c.end, theme.Muted, c.name)
	}
	lines := []string{head.String()}
	for i, s := range v.Shown.Duel.Sides {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Pieces(figure.SideMark(&v.Theme.Glyphs, i))
		for j, text := range held(ofSide(v, s)) {
			role := theme.Text
			if text == cell.Unknown {
				role = theme.Muted
			}
			l.Flush(heldColumns()[j].end, role, text)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// held are the columns of a side.
func held(v *page.Frame) [4]string {
	s, unknown := v.Shown, cell.Unknown
	r := sloReach(v)
	if r.Held < 0 {
		return [...]string{unknown, unknown, unknown, unknown}
	}
	p := &s.Curve[r.Held]
	row := [...]string{figure.LevelName(s.Knobs, p.Level), unknown, unknown, unknown}
	if p.Summary.GoodputKnown && !math.IsNaN(p.Summary.Goodput) {
		row[1] = cell.Rate(p.Summary.Goodput)
	}
	for i := range s.Stages {
		if stage := &s.Stages[i]; slices.Contains(p.Stages, stage.Number) {
			e := &stage.Efficiency
			for j, value := range []optional.Value{e.OutputPerGPU, e.TokensPerJoule} {
				if value.OK() {
					row[2+j] = figure.Approximate(s, cell.Digits(value.V))
				}
			}
		}
	}
	return row
}
