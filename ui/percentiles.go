// This file is the panel of percentiles: every latency, with its samples and what failed beside it.

package ui

import (
	"strconv"

	"tokdyno/engine"
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
	of   func(*stats.Distribution) string
	rank int // the highest is left out first
}

const (
	nameCells   = 11
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

func (v *view) percentilesPanel() panel {
	s := v.shown
	p := titled("Percentiles")
	p.focused = v.focus == partPercentiles
	p.aside = v.windowRuns()
	p.foot = v.stageRuns()
	p.body = v.percentileLines
	if s.Live.Settling && s.State != engine.Probing && s.Counts.Started > 0 {
		p.coda = []run{{theme.Warn, v.th.Glyphs.Alert + " with ramp"}}
	}
	return p
}

// windowRuns says what the figures are over: window, samples, and what failed.
func (v *view) windowRuns() []run {
	live := &v.shown.Live
	runs := []run{{theme.Muted, live.Window.String()}, {theme.Muted, " n="}, {theme.Text, grouped(int64(live.TTFT.N))}}
	if failed := live.Requests.Failed; failed > 0 {
		share := lost(float64(failed) / float64(failed+live.Requests.OK))
		runs = append([]run{{theme.Bad, v.th.Glyphs.Cross + " " + share.String() + " failed"}, {theme.Text, "  "}}, runs...)
	}
	return runs
}

// stageRuns names the current stage: its load, and how far it is.
func (v *view) stageRuns() []run {
	s := v.shown
	if s.Stage.Stage == 0 {
		return nil
	}
	state := run{theme.Good, "steady"}
	if s.Stage.Settling {
		state = run{theme.Warn, "settling"}
	}
	return []run{
		{theme.Muted, "stage "},
		{theme.Text, strconv.Itoa(s.Stage.Stage)},
		{theme.Muted, "  " + own(s.Knobs.Load.String(), &v.th.Glyphs) + "  "},
		state,
		{theme.Muted, " " + clock(s.Stage.Spans)},
	}
}

func (v *view) percentileRows() []percentileRow {
	live := &v.shown.Live
	rows := []percentileRow{
		{"TTFT", &live.TTFT},
		{v.gapName(), &live.ITL},
		{"TPOT", &live.TPOT},
		{"E2E", &live.E2EL},
	}
	if v.openLoop {
		rows = append(rows, percentileRow{"from sched", &live.TTFTFromSchedule}, percentileRow{"dispatch", &live.DispatchLag})
	}
	return rows
}

func (v *view) percentileLines(w, h int) []string {
	columns := fittingColumns(w)
	head := newLine(v.th, w).skip(nameCells)
	for _, c := range columns {
		head.flush(head.at+columnCells, theme.Muted, c.name).skip(0)
	}
	lines := []string{head.String()}
	for _, r := range v.percentileRows() {
		lines = append(lines, v.percentileLine(r, columns, w))
	}
	if !v.openLoop && len(lines)+2 <= h {
		// In the closed loop the dispatch lag is a matter of the client's health; it stands apart.
		lines = append(lines, blank(w), v.percentileLine(percentileRow{"dispatch", &v.shown.Live.DispatchLag}, columns, w))
	}
	for i, explanation := range []string{
		"mean TPOT: each request once; mean ITL: each token once",
		"* too few samples for this percentile",
	} {
		if len(lines)+2-min(i, 1) <= h && cells(explanation) <= w {
			if i == 0 {
				lines = append(lines, blank(w))
			}
			lines = append(lines, text(v.th, w, theme.Muted, explanation))
		}
	}
	return lines
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

func (v *view) percentileLine(r percentileRow, columns []percentileColumn, w int) string {
	l := newLine(v.th, w)
	d := r.d
	if d.N == 0 {
		l.put(theme.Text, r.name).to(nameCells)
		for range columns {
			l.flush(l.at+columnCells-1, theme.Muted, unknown).skip(1)
		}
		return l.String()
	}
	unit := latencyUnit(d.P50)
	l.put(theme.Text, r.name)
	l.flush(nameCells-1, theme.Muted, unit).to(nameCells)
	for _, c := range columns {
		role, mark := theme.Text, " "
		if c.p > 0 && stats.Few(d.N, c.p) {
			mark = "*"
		}
		if c.name == "p95" {
			role = theme.Title
		}
		l.flush(l.at+columnCells-1, role, c.figure(d, unit)).put(theme.Warn, mark)
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
