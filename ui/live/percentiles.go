// This file is the panel of percentiles: every latency, with its samples and what failed beside it.

package live

import (
	"strconv"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// percentileRow is one latency.
type percentileRow struct {
	name string
	d    *stats.Distribution
	by   query.Figure // of the requests behind it; "": single requests don't have it
}

// percentileColumn is one of its figures.
type percentileColumn struct {
	name string
	p    float64 // which quantile; 0: not one that too few samples make doubtful
	rank int     // the highest is left out first
}

const (
	nameCells   = cell.Inset + 12 // a name and a unit
	columnCells = 7
)

func percentileColumns() []percentileColumn {
	return []percentileColumn{
		{name: "p50", p: 0.50, rank: 0},
		{name: "p90", p: 0.90, rank: 4},
		{name: "p95", p: 0.95, rank: 1},
		{name: "p99", p: 0.99, rank: 2},
		{name: "max", rank: 3},
		{name: "mean", rank: 5},
		{name: "n", rank: 6},
	}
}

// percentilesPanel is the panel; picked points at a figure, nil at none.
func percentilesPanel(v *page.Frame, picked *pick) cell.Panel {
	s := v.Shown
	p := cell.Titled("Percentiles")
	p.Aside = windowPieces(v)
	p.Foot = stagePieces(v)
	p.Body = func(w, h int) []string { return percentileLines(v, picked, w, h) }
	switch {
	case s.Counts.Started == 0:
	case s.Live.Settling && s.Stage.Stage == 1:
		p.Coda = []cell.Piece{cell.Warn(v.Theme.Glyphs.Alert + " with ramp")}
	case s.Live.Settling:
		p.Coda = []cell.Piece{cell.Warn(v.Theme.Glyphs.Alert + " older load too")}
	}
	return p
}

// windowPieces says what the figures are over: window, samples, and what failed.
func windowPieces(v *page.Frame) []cell.Piece {
	live := &v.Shown.Live
	out := []cell.Piece{
		cell.Muted(cell.WindowName(v.Shown.Knobs.Window)), cell.Muted("  n="), cell.Text(cell.Grouped(int64(live.TTFT.N))),
	}
	if failed := live.Requests.Failed; failed > 0 {
		share := cell.RoundUp(float64(failed) / float64(failed+live.Requests.OK))
		out = append([]cell.Piece{cell.Bad(v.Theme.Glyphs.Cross + " " + share.String() + " failed"), cell.Text("  ")}, out...)
	}
	return out
}

// stagePieces names the current stage: its load, and how far it is.
func stagePieces(v *page.Frame) []cell.Piece {
	s := v.Shown
	if s.Stage.Stage == 0 {
		return nil
	}
	state := cell.Good("steady")
	if s.Stage.Settling {
		state = cell.Warn("settling")
	}
	return []cell.Piece{
		cell.Muted("stage "),
		cell.Text(strconv.Itoa(s.Stage.Stage)),
		cell.Muted("  " + figure.LoadPoint(s.Knobs) + "  "),
		state,
		cell.Muted(" " + cell.Clock(s.Stage.Spans)),
	}
}

func percentileRows(s *snapshot.Snapshot) []percentileRow {
	live := &s.Live
	rows := []percentileRow{{"TTFT", &live.TTFT, query.TTFT}}
	if live.Reasoned > 0 {
		rows = append(rows, percentileRow{"TTFA", &live.TTFA, query.TTFA})
	}
	rows = append(rows, []percentileRow{
		{figure.GapName(s), &live.ITL, query.Gap},
		{"TPOT", &live.TPOT, query.TPOT},
		{"E2EL", &live.E2EL, query.E2EL},
	}...)
	if s.Knobs.Load.Arrives() {
		rows = append(rows, percentileRow{"TTFT+lag", &live.TTFTFromSchedule, ""}, percentileRow{"dispatch", &live.DispatchLag, query.Lag})
	}
	return rows
}

func percentileLines(v *page.Frame, picked *pick, w, h int) []string {
	columns := fittingColumns(w)
	head := cell.NewLine(v.Theme, w).Skip(nameCells)
	for _, c := range columns {
		head.Flush(head.At+columnCells-1, theme.Muted, c.name).Skip(1)
	}
	lines := []string{head.String()}
	for _, r := range percentileRows(v.Shown) {
		percentileRegions(v, r, columns, len(lines))
		lines = append(lines, percentileLine(v, r, columns, picked, w))
	}
	if !v.Shown.Knobs.Load.Arrives() && len(lines)+2 <= h {
		// In the closed loop the dispatch lag is a matter of the client's health; it stands apart.
		lines = append(lines, cell.Blank(w), percentileLine(v, percentileRow{"dispatch", &v.Shown.Live.DispatchLag, ""}, columns, nil, w))
	}
	if spare := h - len(lines); spare > 0 {
		if spare > 1 {
			lines = append(lines, cell.Blank(w))
		}
		lines = append(lines, cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, explanation(v, columns)).String())
	}
	return lines
}

// explanation is the line below the table: what its marks mean where there are any, else what its means are.
func explanation(v *page.Frame, columns []percentileColumn) string {
	for _, r := range percentileRows(v.Shown) {
		for _, c := range columns {
			if c.doubtful(r.d) {
				return "* too few samples for this percentile"
			}
		}
	}
	if mean := v.Shown.Live.MeanITL; mean > 0 && v.Shown.Live.ITLIsChunkGap() {
		return "mean ITL " + cell.Latency(mean).String() + " per token"
	}
	return "mean TPOT counts requests, mean ITL tokens"
}

// doubtful reports whether there are too few samples for the column's percentile.
func (c percentileColumn) doubtful(d *stats.Distribution) bool {
	return c.p > 0 && d.N > 0 && stats.Few(d.N, c.p)
}

// fittingColumns returns the columns that fit, in order.
func fittingColumns(w int) []percentileColumn {
	fits := func(left []percentileColumn) bool { return nameCells+len(left)*columnCells <= w }
	return cell.Drop(percentileColumns(), func(c *percentileColumn) int { return c.rank }, fits)
}

func percentileLine(v *page.Frame, r percentileRow, columns []percentileColumn, picked *pick, w int) string {
	l := cell.NewLine(v.Theme, w)
	d := r.d
	if d.N == 0 {
		l.Skip(cell.Inset).Put(theme.Text, r.name).To(nameCells)
		for range columns {
			l.Flush(l.At+columnCells-1, theme.Muted, cell.Unknown).Skip(1)
		}
		return l.String()
	}
	unit := cell.LatencyUnit(d.P50)
	l.Skip(cell.Inset).Put(theme.Text, r.name)
	l.Flush(nameCells, theme.Muted, unit)
	for _, c := range columns {
		role := theme.Text
		if c.name == "p95" {
			role = theme.Title
		}
		end := l.At + columnCells
		if picked.is(v.Shown, r, c) {
			role = theme.Accent
			l.Put(role, v.Theme.Glyphs.Pointer)
		}
		l.Flush(end-1, role, c.figure(d, unit))
		if c.doubtful(d) {
			l.Put(theme.Warn, "*")
		}
		l.To(end)
	}
	return l.String()
}

// of is the column's latency.
func (c percentileColumn) of(d *stats.Distribution) time.Duration {
	switch c.name {
	case "max":
		return d.Max
	case "mean":
		return d.Mean
	}
	return figure.QuantileOf(d, c.p)
}

func (c percentileColumn) figure(d *stats.Distribution, unit string) string {
	if c.name == "n" {
		return cell.Grouped(int64(d.N))
	}
	return cell.LatencyIn(unit, c.of(d))
}
