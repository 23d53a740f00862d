// This file draws the table of stages: its columns, and which of them a narrow screen does without.

package ui

import (
	"slices"
	"strconv"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// stageColumn is a figure of every stage.
type stageColumn struct {
	name  string
	cells int // with the gap before it
	rank  int // the highest is left out first; 0 stays
	left  bool
	cell  func(v *Frame, r *engine.StageRow) []piece
}

// The cells of what stands before the load: the pointer, A or B, the number, the sign of settling. Of the load itself: the least, and those
// that it takes before any column that can be left out.
const (
	marksCells = 7
	leastLoad  = 8
	usualLoad  = 21
)

// The cells of the verdict: enough for most, and where there is room for all: "✗ 87.2 % errors".
const (
	verdictCells     = 15
	wideVerdictCells = 17
)

func stageColumns() []stageColumn {
	ttft := func(s *stats.Summary) *stats.Distribution { return &s.TTFT }
	tpot := func(s *stats.Summary) *stats.Distribution { return &s.TPOT }
	itl := func(s *stats.Summary) *stats.Distribution { return &s.ITL }
	e2el := func(s *stats.Summary) *stats.Distribution { return &s.E2EL }
	return []stageColumn{
		{name: "state", cells: 10, rank: 2, left: true, cell: stageState},
		{name: "n", cells: 7, rank: 1, cell: func(_ *Frame, r *engine.StageRow) []piece {
			return plainCell(grouped(int64(r.Summary.Requests.OK + r.Summary.Requests.Failed)))
		}},
		{name: "failed", cells: 9, rank: 3, cell: stageFailed},
		latencyColumn("TTFT p50", 9, 6, 0.50, ttft),
		latencyColumn("TTFT p95", 9, 0, 0.95, ttft),
		latencyColumn("TTFT p99", 9, 7, 0.99, ttft),
		latencyColumn("TPOT p50", 9, 8, 0.50, tpot),
		latencyColumn("TPOT p95", 9, 0, 0.95, tpot),
		latencyColumn("ITL p95", 9, 9, 0.95, itl),
		latencyColumn("E2E p95", 9, 10, 0.95, e2el),
		rateColumn("req/s", 7, 5, false, func(t *stats.Throughput) float64 { return t.Requests }),
		rateColumn("in tok/s", 9, 12, true, inputRate),
		rateColumn("out tok/s", 10, 0, true, func(t *stats.Throughput) float64 { return t.Output }),
		rateColumn("total tok/s", 12, 11, true, totalRate),
		{name: "goodput/s", cells: 11, rank: 4, cell: func(_ *Frame, r *engine.StageRow) []piece {
			if !r.Summary.GoodputKnown {
				return unknownCell()
			}
			return plainCell(rate(r.Summary.Goodput))
		}},
		{name: "SLO", cells: verdictCells, left: true, cell: stageVerdict},
	}
}

func plainCell(s string) []piece { return []piece{{theme.Text, s}} }
func unknownCell() []piece       { return []piece{{theme.Muted, unknown}} }

func latencyColumn(name string, cells, rank int, p float64, of func(*stats.Summary) *stats.Distribution) stageColumn {
	return stageColumn{name: name, cells: cells, rank: rank, cell: func(_ *Frame, r *engine.StageRow) []piece {
		return latencyCell(of(r.Summary), p)
	}}
}

// latencyCell writes a percentile with its unit; one of too few samples is starred.
func latencyCell(d *stats.Distribution, p float64) []piece {
	if d.N == 0 {
		return unknownCell()
	}
	f := latency(quantileOf(d, p))
	out := plainCell(f.number)
	if stats.Few(d.N, p) {
		out = append(out, piece{theme.Warn, "*"})
	}
	return append(out, piece{theme.Muted, " " + f.unit})
}

// quantileOf picks one of the percentiles that a distribution has.
func quantileOf(d *stats.Distribution, p float64) (q time.Duration) {
	switch p {
	case 0.50:
		return d.P50
	case 0.90:
		return d.P90
	case 0.95:
		return d.P95
	}
	return d.P99
}

func rateColumn(name string, cells, rank int, tokens bool, of func(*stats.Throughput) float64) stageColumn {
	return stageColumn{name: name, cells: cells, rank: rank, cell: func(_ *Frame, r *engine.StageRow) []piece {
		if r.Summary.Spans <= 0 {
			return unknownCell()
		}
		number := rate(of(&r.Summary.Throughput))
		if number == unknown {
			return unknownCell()
		}
		if tokens && r.Summary.Tokens.Source == record.SourceEstimated {
			number = "~" + number
		}
		return plainCell(number)
	}}
}

// stageState says how far a stage is: the current one goes on, another was steady or never became it.
func stageState(v *Frame, r *engine.StageRow) []piece {
	switch {
	case r.Summary.Settling:
		return []piece{{theme.Warn, "settling"}}
	case r.Closed == 0:
		return []piece{{theme.Good, v.th.Glyphs.Run + " now"}}
	}
	return []piece{{theme.Text, "steady"}}
}

func stageFailed(v *Frame, r *engine.StageRow) []piece {
	n := r.Summary.Requests
	switch {
	case n.OK+n.Failed == 0:
		return unknownCell()
	case n.Failed == 0:
		return []piece{{theme.Muted, "0 %"}}
	}
	return []piece{{theme.Bad, v.th.Glyphs.Cross + " " + lost(float64(n.Failed)/float64(n.OK+n.Failed)).String()}}
}

// stageVerdict is the attainment against the present SLO, and what binds.
func stageVerdict(v *Frame, r *engine.StageRow) []piece {
	k, g := &v.shown.Knobs, &v.th.Glyphs
	share, ok := r.Summary.Score.Attainment(k.SLO)
	if !ok {
		return unknownCell()
	}
	role, sign := theme.Good, g.Check
	if share < k.Target {
		role, sign = theme.Bad, g.Cross
	}
	out := []piece{{role, sign + " " + held(share).String()}}
	if binding := r.Summary.Score.Binding(k.SLO); binding != "" {
		out = append(out, piece{theme.Text, " " + binding})
	}
	return out
}

// tablePanel is the table. rows is how many lines it has, with its heading.
func (p *stagesPage) tablePanel(v *Frame, lines int) panel {
	rows := v.shown.Stages
	t := titled("Stages")
	t.focused = true
	if len(rows) == 0 {
		t.body = func(w, h int) []string { return centred(v.th, w, h, "no stage yet: the load has not begun") }
		return t
	}
	at := p.row(rows)
	shown := max(lines-1, 0)
	first := firstShown(at, len(rows), shown)
	if p.cursor == 0 {
		first = max(len(rows)-shown, 0)
	}
	t.aside = hidden(v.th, first, len(rows)-first-shown)
	t.foot = stageFoot(v, &rows[at])
	if p.cursor == 0 {
		t.coda = []piece{{theme.Muted, "follows the newest"}}
	}
	t.body = func(w, h int) []string {
		columns, load := fittingStageColumns(allStageColumns(v), w, longestLoad(v))
		out := []string{stageHead(v, columns, load, w)}
		for i := first; i < len(rows) && len(out) < h; i++ {
			out = append(out, p.stageLine(v, &rows[i], i == at, columns, load, w))
		}
		return out
	}
	return t
}

// stageFoot says of the stage under the cursor what its row may have no room for.
func stageFoot(v *Frame, r *engine.StageRow) []piece {
	state := piece{theme.Good, "steady"}
	if r.Summary.Settling {
		state = piece{theme.Warn, "settling"}
	}
	return []piece{
		{theme.Muted, "stage "},
		{theme.Text, strconv.Itoa(r.Number)},
		{theme.Muted, "  from " + clock(r.Opened.Elapsed()) + "  "},
		{theme.Text, loadString(v, r.Knobs)},
		{theme.Muted, "  "},
		state,
		{theme.Muted, " " + clock(r.Summary.Spans)},
	}
}

// loadString describes the load and its shape. Files that it names are called whatever somebody called them.
func loadString(v *Frame, k engine.Knobs) string { return spaced(k.LoadString(), &v.th.Glyphs) }

func longestLoad(v *Frame) int {
	most := leastLoad
	for i := range v.shown.Stages {
		most = max(most, cells(loadString(v, v.shown.Stages[i].Knobs)))
	}
	return most
}

// stageColumns are all columns, with what accelerators and the server showed before the verdict.
func allStageColumns(v *Frame) []stageColumn {
	columns := stageColumns()
	return slices.Insert(columns, len(columns)-1, telemetryColumns(v)...)
}

// fittingStageColumns returns the columns that fit beside the load, and the cells that are left for it: as many as the
// longest asks for, as far as columns that can't be left out allow.
func fittingStageColumns(columns []stageColumn, w, longest int) (_ []stageColumn, load int) {
	if w >= 100 {
		columns[len(columns)-1].cells = wideVerdictCells
	}
	for {
		load = w - marksCells
		worst := 0
		for i := range columns {
			load -= columns[i].cells
			if columns[i].rank > columns[worst].rank {
				worst = i
			}
		}
		wanted := min(longest, usualLoad)
		if columns[worst].rank == 1 {
			wanted = leastLoad
		}
		if load >= wanted || columns[worst].rank == 0 {
			return columns, min(load, longest)
		}
		columns = append(columns[:worst], columns[worst+1:]...)
	}
}

func stageHead(v *Frame, columns []stageColumn, load, w int) string {
	l := newLine(v.th, w).flush(marksCells-2, theme.Muted, "#").skip(2).put(theme.Muted, "load")
	return putHeads(l, columns, marksCells+load).String()
}

func (p *stagesPage) stageLine(v *Frame, r *engine.StageRow, chosen bool, columns []stageColumn, load, w int) string {
	l := newLine(v.th, w)
	role := theme.Text
	if chosen {
		role = theme.Title
		l.put(theme.Accent, v.th.Glyphs.Pointer)
	}
	switch r.Number {
	case p.a:
		l.to(1).put(theme.Accent, "A")
	case p.b:
		l.to(1).put(theme.Accent, "B")
	}
	l.flush(marksCells-2, theme.Muted, strconv.Itoa(r.Number))
	if r.Summary.Settling {
		l.put(theme.Warn, v.th.Glyphs.Ellipsis) // also where there is no room for the word
	}
	l.to(marksCells)
	name := newLine(v.th, load).put(role, loadString(v, r.Knobs))
	l.painted(name.String(), load)
	return putCells(l, v, r, columns, marksCells+load).String()
}
