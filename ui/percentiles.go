// This file is the panel of percentiles: every latency, with its samples and what failed beside it.

package ui

import (
	"strconv"

	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// percentileRow is one latency.
type percentileRow struct {
	name string
	d    *stats.Distribution
}

// percentileColumn is one of its figures.
type percentileColumn struct {
	name string
	p    float64 // which quantile; 0: not one that too few samples make doubtful
	rank int     // the highest is left out first
}

const (
	nameCells   = inset + 12 // a name and a unit
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

func percentilesPanel(v *Frame) panel {
	s := v.shown
	p := titled("Percentiles")
	p.aside = windowPieces(v)
	p.foot = stagePieces(v)
	p.body = func(w, h int) []string { return percentileLines(v, w, h) }
	switch {
	case s.Counts.Started == 0:
	case s.Live.Settling, s.Live.Mixed && s.Stage.Stage == 1:
		p.coda = []piece{{theme.Warn, v.th.Glyphs.Alert + " with ramp"}}
	case s.Live.Mixed:
		p.coda = []piece{{theme.Warn, v.th.Glyphs.Alert + " older load too"}}
	}
	return p
}

// windowPieces says what the figures are over: window, samples, and what failed.
func windowPieces(v *Frame) []piece {
	live := &v.shown.Live
	out := []piece{{theme.Muted, windowName(v.shown.Knobs.Window)}, {theme.Muted, "  n="}, {theme.Text, grouped(int64(live.TTFT.N))}}
	if failed := live.Requests.Failed; failed > 0 {
		share := lost(float64(failed) / float64(failed+live.Requests.OK))
		out = append([]piece{{theme.Bad, v.th.Glyphs.Cross + " " + share.String() + " failed"}, {theme.Text, "  "}}, out...)
	}
	return out
}

// stagePieces names the current stage: its load, and how far it is.
func stagePieces(v *Frame) []piece {
	s := v.shown
	if s.Stage.Stage == 0 {
		return nil
	}
	state := piece{theme.Good, "steady"}
	if s.Stage.Settling {
		state = piece{theme.Warn, "settling"}
	}
	return []piece{
		{theme.Muted, "stage "},
		{theme.Text, strconv.Itoa(s.Stage.Stage)},
		{theme.Muted, "  " + loadPoint(s.Knobs) + "  "},
		state,
		{theme.Muted, " " + clock(s.Stage.Spans)},
	}
}

func percentileRows(v *Frame) []percentileRow {
	live := &v.shown.Live
	rows := []percentileRow{
		{"TTFT", &live.TTFT},
		{gapName(v.shown), &live.ITL},
		{"TPOT", &live.TPOT},
		{"E2E", &live.E2EL},
	}
	if arriving(v.shown.Knobs) {
		rows = append(rows, percentileRow{"TTFT+lag", &live.TTFTFromSchedule}, percentileRow{"dispatch", &live.DispatchLag})
	}
	return rows
}

func percentileLines(v *Frame, w, h int) []string {
	columns := fittingColumns(w)
	head := newLine(v.th, w).skip(nameCells)
	for _, c := range columns {
		head.flush(head.at+columnCells-1, theme.Muted, c.name).skip(1)
	}
	lines := []string{head.String()}
	for _, r := range percentileRows(v) {
		lines = append(lines, percentileLine(v, r, columns, w))
	}
	if !arriving(v.shown.Knobs) && len(lines)+2 <= h {
		// In the closed loop the dispatch lag is a matter of the client's health; it stands apart.
		lines = append(lines, blank(w), percentileLine(v, percentileRow{"dispatch", &v.shown.Live.DispatchLag}, columns, w))
	}
	if spare := h - len(lines); spare > 0 {
		if spare > 1 {
			lines = append(lines, blank(w))
		}
		lines = append(lines, newLine(v.th, w).skip(inset).put(theme.Muted, explanation(v, columns)).String())
	}
	return lines
}

// explanation is the line below the table: what its marks mean where there are any, else what its means are.
func explanation(v *Frame, columns []percentileColumn) string {
	for _, r := range percentileRows(v) {
		for _, c := range columns {
			if c.doubtful(r.d) {
				return "* too few samples for this percentile"
			}
		}
	}
	if mean := v.shown.Live.MeanITL; mean > 0 && v.shown.Live.ITLIsChunkGap() {
		return "mean ITL " + latency(mean).String() + " per token"
	}
	return "mean TPOT counts requests, mean ITL tokens"
}

// doubtful reports whether there are too few samples for the column's percentile.
func (c percentileColumn) doubtful(d *stats.Distribution) bool {
	return c.p > 0 && d.N > 0 && stats.Few(d.N, c.p)
}

// fittingColumns returns the columns that fit, in order.
func fittingColumns(w int) []percentileColumn {
	columns := percentileColumns()
	for len(columns) > 1 && nameCells+len(columns)*columnCells > w {
		worst := 0
		for i := range columns {
			if columns[i].rank > columns[worst].rank {
				worst = i
			}
		}
		columns = append(columns[:worst], columns[worst+1:]...)
	}
	return columns
}

func percentileLine(v *Frame, r percentileRow, columns []percentileColumn, w int) string {
	l := newLine(v.th, w)
	d := r.d
	if d.N == 0 {
		l.skip(inset).put(theme.Text, r.name).to(nameCells)
		for range columns {
			l.flush(l.at+columnCells-1, theme.Muted, unknown).skip(1)
		}
		return l.String()
	}
	unit := latencyUnit(d.P50)
	l.skip(inset).put(theme.Text, r.name)
	l.flush(nameCells, theme.Muted, unit)
	for _, c := range columns {
		role := theme.Text
		if c.name == "p95" {
			role = theme.Title
		}
		end := l.at + columnCells
		l.flush(end-1, role, c.figure(d, unit))
		if c.doubtful(d) {
			l.put(theme.Warn, "*")
		}
		l.to(end)
	}
	return l.String()
}

func (c percentileColumn) figure(d *stats.Distribution, unit string) string {
	switch c.name {
	case "p50":
		return latencyIn(unit, d.P50)
	case "p90":
		return latencyIn(unit, d.P90)
	case "p95":
		return latencyIn(unit, d.P95)
	case "p99":
		return latencyIn(unit, d.P99)
	case "max":
		return latencyIn(unit, d.Max)
	case "mean":
		return latencyIn(unit, d.Mean)
	}
	return grouped(int64(d.N))
}
