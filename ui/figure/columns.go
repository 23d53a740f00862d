// This file writes the columns that the tables of stages and of levels share.

package figure

import (
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Column is a figure of every stage.
type Column struct {
	Name  string
	Cells int // with the gap before it
	Rank  int // the highest is left out first; 0 stays
	left  bool
	Cell  func(v *page.Frame, r *snapshot.StageRow) []cell.Piece
}

// The cells of the verdict: enough for most, and where there is room for all: "✗ 87.2 % errors".
const (
	verdictCells     = 15
	wideVerdictCells = 17
)

// Columns are those of a stage or a level. TTFA is among them where reasoning was seen: elsewhere it is TTFT.
func Columns(s *snapshot.Snapshot) []Column {
	ttft := func(s *stats.Summary) *stats.Distribution { return &s.TTFT }
	ttfa := func(s *stats.Summary) *stats.Distribution { return &s.TTFA }
	tpot := func(s *stats.Summary) *stats.Distribution { return &s.TPOT }
	itl := func(s *stats.Summary) *stats.Distribution { return &s.ITL }
	e2el := func(s *stats.Summary) *stats.Distribution { return &s.E2EL }
	ttfaRank := 5
	if s.Knobs.SLO[slo.TTFA] > 0 {
		ttfaRank = 2
	}
	columns := []Column{
		{Name: "state", Cells: 10, Rank: 2, left: true, Cell: State},
		{Name: "n", Cells: 7, Rank: 1, Cell: func(_ *page.Frame, r *snapshot.StageRow) []cell.Piece {
			return cell.Plain(cell.Grouped(int64(r.Summary.Requests.OK + r.Summary.Requests.Failed)))
		}},
		{Name: "failed", Cells: 9, Rank: 3, Cell: Failed},
		latencyColumn("TTFT p50", 9, 6, 0.50, ttft),
		latencyColumn("TTFT p95", 9, 0, 0.95, ttft),
		latencyColumn("TTFT p99", 9, 7, 0.99, ttft),
		latencyColumn("TTFA p95", 9, ttfaRank, 0.95, ttfa),
		latencyColumn("TPOT p50", 9, 8, 0.50, tpot),
		latencyColumn("TPOT p95", 9, 0, 0.95, tpot),
		latencyColumn("ITL p95", 9, 9, 0.95, itl),
		latencyColumn("E2EL p95", 9, 10, 0.95, e2el),
		rateColumn("req/s", 7, 5, false, func(t *stats.Throughput) float64 { return t.Requests }),
		rateColumn("in tok/s", 9, 12, true, InputRate),
		rateColumn("out tok/s", 10, 0, true, func(t *stats.Throughput) float64 { return t.Output }),
		rateColumn("total tok/s", 12, 11, true, TotalRate),
		{Name: "goodput/s", Cells: 11, Rank: 4, Cell: func(_ *page.Frame, r *snapshot.StageRow) []cell.Piece {
			if !r.Summary.GoodputKnown {
				return cell.NA()
			}
			return cell.Plain(cell.Rate(r.Summary.Goodput))
		}},
		{Name: "SLO", Cells: verdictCells, left: true, Cell: Verdict},
	}
	if !Reasoned(s) {
		columns = slices.DeleteFunc(columns, func(c Column) bool { return c.Name == "TTFA p95" })
	}
	return columns
}

// Reasoned reports whether a request of any stage showed reasoning before its answer.
func Reasoned(s *snapshot.Snapshot) bool {
	return slices.ContainsFunc(s.Stages, func(r snapshot.StageRow) bool { return r.Summary != nil && r.Summary.Reasoned > 0 })
}

func latencyColumn(name string, cells, rank int, p float64, of func(*stats.Summary) *stats.Distribution) Column {
	return Column{Name: name, Cells: cells, Rank: rank, Cell: func(_ *page.Frame, r *snapshot.StageRow) []cell.Piece {
		return LatencyCell(of(r.Summary), p)
	}}
}

func rateColumn(name string, cells, rank int, tokens bool, of func(*stats.Throughput) float64) Column {
	return Column{Name: name, Cells: cells, Rank: rank, Cell: func(_ *page.Frame, r *snapshot.StageRow) []cell.Piece {
		if r.Summary.Spans <= 0 {
			return cell.NA()
		}
		number := cell.Rate(of(&r.Summary.Throughput))
		if number == cell.Unknown {
			return cell.NA()
		}
		if tokens && r.Summary.Tokens.Source == record.SourceEstimated {
			number = "~" + number
		}
		return cell.Plain(number)
	}}
}

// State says how far a stage is: the current one goes on, another was steady or never became it.
func State(v *page.Frame, r *snapshot.StageRow) []cell.Piece {
	switch {
	case r.Summary.Settling:
		return []cell.Piece{cell.Warn("settling")}
	case r.Closed == 0:
		return []cell.Piece{cell.Good(v.Theme.Glyphs.Run + " now")}
	}
	return []cell.Piece{cell.Text("steady")}
}

// Failed is the share of requests that failed.
func Failed(v *page.Frame, r *snapshot.StageRow) []cell.Piece {
	n := r.Summary.Requests
	switch {
	case n.OK+n.Failed == 0:
		return cell.NA()
	case n.Failed == 0:
		return []cell.Piece{cell.Muted("0 %")}
	}
	return []cell.Piece{cell.Bad(v.Theme.Glyphs.Cross + " " + cell.RoundUp(float64(n.Failed)/float64(n.OK+n.Failed)).String())}
}

// Verdict is the verdict on a stage by the present SLO, and what binds.
func Verdict(v *page.Frame, r *snapshot.StageRow) []cell.Piece {
	j := v.Shown.Verdict(r.Summary)
	out := Judged(v.Theme, j)
	if binding := r.Summary.Score.Binding(v.Shown.Knobs.SLO); binding != "" && j.Verdict != slo.Unknown {
		out = append(out, cell.Text(" "+binding))
	}
	return out
}

// columnGap stands before a column that begins at its left.
const columnGap = 2

// FitColumns leaves out the least important columns until fits says of the cells of the rest, and of the highest rank among
// them, that they do. A wide screen has room for every verdict in full.
func FitColumns(columns []Column, w int, fits func(cells, rank int) bool) []Column {
	if w >= 100 {
		columns[len(columns)-1].Cells = wideVerdictCells
	}
	return cell.Drop(columns, func(c *Column) int { return c.Rank }, func(left []Column) bool {
		cells, rank := 0, 0
		for i := range left {
			cells, rank = cells+left[i].Cells, max(rank, left[i].Rank)
		}
		return fits(cells, rank)
	})
}

// PutHeads writes the names of columns behind column end.
func PutHeads(l *cell.Line, columns []Column, end int) *cell.Line {
	for _, c := range columns {
		if c.left {
			l.To(end+columnGap).Put(theme.Muted, c.Name)
		} else {
			l.Flush(end+c.Cells, theme.Muted, c.Name)
		}
		end += c.Cells
	}
	return l
}

// PutCells writes the figures of a row behind column end.
func PutCells(l *cell.Line, v *page.Frame, r *snapshot.StageRow, columns []Column, end int) *cell.Line {
	for _, c := range columns {
		value := c.Cell(v, r)
		if c.left {
			l.To(end + columnGap)
			l.Pieces(cell.Lead(value, func(left []cell.Piece) bool { // whole or not at all, but for the first
				return len(left) == 1 || cell.WidthOf(left) <= c.Cells-columnGap
			}))
		} else {
			l.To(end + c.Cells - cell.WidthOf(value)).Pieces(value)
		}
		end += c.Cells
	}
	return l
}
