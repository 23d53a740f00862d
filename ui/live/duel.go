// This file is the Live page of a duel: a column of figures and a line in each chart for every side.

package live

import (
	"math"
	"strconv"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

const (
	sideCells    = 11 // a side's column
	sideNames    = cell.Inset + 13
	leastForPlot = 30 // cells
)

// sides are the sides of the duel that shows; 0: it is none.
func sides(s *snapshot.Snapshot) int {
	if s.Duel == nil {
		return 0
	}
	return len(s.Duel.Sides)
}

// duel places the parts: charts on the left, sides in columns on the right, what they differ by beneath.
func (a *layout) duel(body page.Rect, n int) {
	a.Add(partDifferences, body.Bottom(n-1))
	table := sideNames + n*sideCells + 3
	if a.zoomed {
		side := body.Right(min(max(body.W*3/10, 34), 54))
		a.Add(a.focus, body)
		a.Add(page.Knobs, side)
		return
	}
	if a.Class == page.Compact { // what is left beside the table is for knobs as well
		a.Add(partPercentiles, body.Right(min(table, body.W)))
		if body.W >= leastForPlot {
			a.Add(page.Knobs, body.Top(min(a.knobRows(), body.H/2)))
		}
		a.Add(a.slot(partTTFT), body)
		return
	}
	side := body.Right(min(max(body.W*9/20, table), body.W))
	a.Add(partPercentiles, side.Top(min(len(sideRows())+4, side.H)))
	a.Add(page.Knobs, side)
	charts := []page.Part{partTTFT, a.pace(), partOutput, partGoodput}
	if body.H < 40 {
		charts = []page.Part{a.slot(partTTFT), a.pace(), partOutput}
	}
	for i, p := range charts {
		a.Add(p, body.Top(body.H/(len(charts)-i)))
	}
}

// sideSeries are a chart's lines: one of each side, of the p95 where it is a latency. Their points are put at the second that
// they are of, for sides fold at instants of their own.
func sideSeries(s *snapshot.Snapshot, steps int, of func(*stats.Point) float64) []chart.Series {
	var all []chart.Series
	newest := second(s.History)
	for i, side := range s.Duel.Sides {
		line := chart.Series{Name: snapshot.Letter(i), Points: make([]float64, steps)}
		line.Role, line.Dash = figure.SideLine(i)
		for j := range line.Points {
			line.Points[j] = math.NaN()
		}
		for j := range side.History {
			p := &side.History[j]
			if at := steps - 1 - newest + int(p.At.Elapsed()/time.Second); at >= 0 && at < steps {
				line.Points[at] = of(p)
			}
		}
		all = append(all, line)
	}
	return all
}

// second is that of the newest point.
func second(points []stats.Point) int {
	if len(points) == 0 {
		return 0
	}
	return int(points[len(points)-1].At.Elapsed() / time.Second)
}

// sideFigure is what the lines of a chart of a duel are of.
func sideFigure(p page.Part) func(*stats.Point) float64 {
	switch p {
	case partTTFT:
		return ttftP95
	case partITL:
		return itlP95
	case partTPOT:
		return tpotP95
	case partOutput:
		return outputRate
	}
	return attained
}

// sideRow is a row of the sides' table.
type sideRow struct {
	name string
	of   func(th *theme.Theme, s *snapshot.Snapshot) []cell.Piece
}

// sideRows are the rows, the most important first: what finds no room is left out.
func sideRows() []sideRow {
	latency := func(name string, p float64, of func(*stats.Summary) *stats.Distribution) sideRow {
		return sideRow{name, func(_ *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
			d := of(&s.Live)
			if d.N == 0 {
				return cell.NA()
			}
			f := cell.Latency(figure.QuantileOf(d, p))
			out := []cell.Piece{cell.Text(f.Number)}
			if stats.Few(d.N, p) {
				out = append(out, cell.Warn("*"))
			}
			return append(out, cell.Muted(" "+f.Unit))
		}}
	}
	rate := func(name string, of func(*snapshot.Snapshot) float64, tokens bool) sideRow {
		return sideRow{name, func(_ *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
			v := of(s)
			if s.Live.Spans <= 0 || math.IsNaN(v) {
				return cell.NA()
			}
			text := cell.Rate(v)
			if tokens {
				text = figure.Approximate(s, text)
			}
			return []cell.Piece{cell.Text(text)}
		}}
	}
	ttft := func(s *stats.Summary) *stats.Distribution { return &s.TTFT }
	tpot := func(s *stats.Summary) *stats.Distribution { return &s.TPOT }
	return []sideRow{
		{"load", sideState},
		latency("TTFT p95", 0.95, ttft),
		latency("TPOT p95", 0.95, tpot),
		rate("output tok/s", func(s *snapshot.Snapshot) float64 { return s.Live.Throughput.Output }, true),
		{"within SLO", func(th *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
			return figure.Judged(th, s.Verdict(&s.Live))
		}},
		rate("goodput/s", func(s *snapshot.Snapshot) float64 {
			if !s.Live.GoodputKnown {
				return math.NaN()
			}
			return s.Live.Goodput
		}, false),
		latency("TTFT p50", 0.50, ttft),
		latency("TTFT p99", 0.99, ttft),
		latency("TPOT p50", 0.50, tpot),
		latency("ITL p95", 0.95, func(s *stats.Summary) *stats.Distribution { return &s.ITL }),
		latency("E2EL p95", 0.95, func(s *stats.Summary) *stats.Distribution { return &s.E2EL }),
		rate("requests/s", func(s *snapshot.Snapshot) float64 { return s.Live.Throughput.Requests }, false),
		{"in flight", func(_ *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
			return []cell.Piece{cell.Text(cell.Grouped(int64(s.InFlight.Total)))}
		}},
		{"failed", func(_ *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
			if s.Counts.Failed == 0 {
				return []cell.Piece{cell.Muted("0")}
			}
			return []cell.Piece{cell.Bad(cell.Grouped(int64(s.Counts.Failed)))}
		}},
	}
}

// sideState is the load of a side, or why it has none.
func sideState(th *theme.Theme, s *snapshot.Snapshot) []cell.Piece {
	if since, down := s.Down(); down {
		return []cell.Piece{cell.Bad(th.Glyphs.Cross + " DOWN " + cell.Age(since))}
	}
	if s.State == snapshot.Ended || s.State == snapshot.Probing {
		return []cell.Piece{cell.Muted(string(s.State))}
	}
	if s.State == snapshot.Paused {
		return []cell.Piece{cell.Muted("held")}
	}
	return []cell.Piece{cell.Text(figure.LoadPoint(s.Knobs))}
}

// sidesPanel shows the figures of all sides next to each other.
func sidesPanel(v *page.Frame) cell.Panel {
	s := v.Shown
	p := cell.Titled("Side by side")
	p.Aside = []cell.Piece{cell.Muted(cell.WindowName(s.Knobs.Window))}
	p.Foot = turnPieces(v)
	p.Body = func(w, h int) []string {
		head, names := cell.NewLine(v.Theme, w).To(sideNames), cell.NewLine(v.Theme, w).To(sideNames)
		for i, side := range s.Duel.Sides {
			mark := figure.SideMark(&v.Theme.Glyphs, i)
			end := head.At + sideCells
			head.To(end - 1 - cell.WidthOf(mark)).Pieces(mark).To(end)
			name := cell.Last([]rune(cell.Host(side.Endpoint.URL)), sideCells-1)
			names.Flush(end-1, theme.Muted, cell.Sanitise(string(name), &v.Theme.Glyphs)).To(end)
		}
		lines := []string{head.String(), names.String()}
		for _, r := range sideRows() {
			l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Text, r.name).To(sideNames)
			for _, side := range s.Duel.Sides {
				end, value := l.At+sideCells, r.of(v.Theme, side)
				within := cell.NewLine(v.Theme, min(cell.WidthOf(value), sideCells-1)).Pieces(value)
				l.To(end-1-within.Width).Painted(within.String(), within.Width).To(end)
			}
			lines = append(lines, l.String())
		}
		return lines
	}
	return p
}

// turnPieces say when the sides are under load.
func turnPieces(v *page.Frame) []cell.Piece {
	d := v.Shown.Duel
	switch {
	case d.Mode == snapshot.Together:
		return []cell.Piece{cell.Muted("at the same time")}
	case d.Turn < 0:
		return []cell.Piece{cell.Muted("by turns: the next one when the last requests have ended")}
	}
	s := d.Sides[d.Turn]
	out := []cell.Piece{cell.Muted("by turns: "), cell.Title(snapshot.Letter(d.Turn)), cell.Muted("'s  ")}
	if s.Stage.Settling {
		return append(out, cell.Warn("settling"))
	}
	return append(out, cell.Good("measured "+strconv.Itoa(int(s.Stage.Spans.Seconds()))+" s"))
}
