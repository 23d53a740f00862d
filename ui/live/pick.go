// This file is the figure that is pointed at in an enlarged panel: a percentile, or a point of time; and the requests behind it.

package live

import (
	"strings"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
)

// pick is what is pointed at. The zero pick is the p95 of TTFT, and the newest point of a chart.
type pick struct {
	at     record.Instant // of a chart's point; 0: the newest
	row    int            // of the percentiles that lead to requests
	column int            // of those that can be pointed at, beside the p95
}

// strides are how many seconds a step to the side goes, and one up or down.
const (
	sideStride = 1
	longStride = 10
)

// noPick says why there is nothing to point at in the panel; "" where there is.
func (l *Page) noPick(h page.Host) string { return l.pickable(h.Frame().Shown) }

func (l *Page) pickable(s *snapshot.Snapshot) string {
	switch {
	case l.focus > partPercentiles:
		return "no single requests stand behind this panel; tab moves the focus"
	case l.focus == partPercentiles && s.Counts.Started == 0, l.focus < partPercentiles && len(s.History) == 0:
		return "no request yet"
	}
	return ""
}

// point points at another figure: so many to the right and down.
func (l *Page) point(right, down int) func(page.Host) {
	return func(h page.Host) {
		s := h.Frame().Shown
		if l.focus == partPercentiles {
			rows, columns := len(pickRows(s)), len(pickColumns())
			l.pick.row = min(max(l.pick.row+down, 0), rows-1)
			l.pick.column = min(max(l.pick.column+right, -middleColumn), columns-1-middleColumn)
			return
		}
		at := l.pick.index(s.History) + sideStride*right + longStride*down
		if at = max(at, 0); at < len(s.History)-1 {
			l.pick.at = s.History[at].At
		} else {
			l.pick.at = 0
		}
	}
}

// index is that of the point of time that is pointed at, or of the nearest that there is.
func (p *pick) index(points []stats.Point) int {
	last := len(points) - 1
	if p.at == 0 {
		return last
	}
	for i := range points {
		if points[i].At >= p.at {
			return i
		}
	}
	return last
}

// pickRows are the percentiles that lead to requests.
func pickRows(s *snapshot.Snapshot) []percentileRow {
	var rows []percentileRow
	for _, r := range percentileRows(s) {
		if r.by != "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// pickColumns are those that can be pointed at.
func pickColumns() []percentileColumn { return percentileColumns()[:5] }

// middleColumn is the one that is pointed at first, the p95.
const middleColumn = 2

// percentile is the row and the column that are pointed at.
func (p *pick) percentile(s *snapshot.Snapshot) (percentileRow, percentileColumn) {
	rows := pickRows(s)
	return rows[min(p.row, len(rows)-1)], pickColumns()[p.column+middleColumn]
}

// is reports whether a figure is pointed at.
func (p *pick) is(s *snapshot.Snapshot, r percentileRow, c percentileColumn) bool {
	if p == nil {
		return false
	}
	row, column := p.percentile(s)
	return row.name == r.name && column.name == c.name
}

// showPicked shows the requests behind what is pointed at.
func (l *Page) showPicked(h page.Host) {
	filter, by := l.pick.behind(l.focus, h.Frame().Shown)
	h.ShowRequests(filter, by)
}

// behind is the filter that leaves the requests behind what is pointed at in a panel, and what they are sorted by.
func (p *pick) behind(part page.Part, s *snapshot.Snapshot) (filter string, by query.Figure) {
	if part == partPercentiles {
		row, column := p.percentile(s)
		return behindPercentile(s, row, column), row.by
	}
	i := p.index(s.History)
	from, to, reach := s.Since(stats.Begin(s.History, i)), s.Since(s.History[i].At), s.Since(stats.Reach(s.History, i))
	switch part {
	case partTTFT:
		return query.During("first", reach, to), query.TTFT
	case partITL:
		return query.During("at", from, to), query.Gap
	case partTPOT:
		return "ok " + query.During("ended", reach, to), query.TPOT
	case partOutput:
		return query.During("at", from, to), query.Output
	}
	return "missed " + query.During("ended", reach, to), query.E2EL
}

// behindPercentile is the filter that leaves the requests behind a percentile.
func behindPercentile(s *snapshot.Snapshot, row percentileRow, column percentileColumn) (filter string) {
	filter = windowTerm(s, row.by)
	if column.p > 0 && column.of(row.d) < row.d.Max { // else there is none beyond it: the longest come first
		filter = strings.TrimSpace("beyond " + string(row.by) + " " + column.name + " " + filter)
	}
	return filter
}

// windowTerm is of the requests that the panel's percentiles of a figure are over; "" where it is all of the run.
func windowTerm(s *snapshot.Snapshot, by query.Figure) string {
	const tenth = 100 * time.Millisecond // what a filter's times are written to
	d := s.Knobs.Window.Duration()
	switch {
	case d > 0 && by == query.TTFT:
		return query.During("first", s.Since(s.At.Add(-d)), s.Since(s.At.Add(tenth)))
	case d > 0:
		return query.During("ended", s.Since(s.At.Add(-d)), s.Since(s.At.Add(tenth)))
	case s.Knobs.Window == stats.ThisStage:
		return stageTerm(s)
	}
	return ""
}

// words say beneath a panel what is pointed at.
func (p *pick) words(v *page.Frame, part page.Part) []cell.Piece {
	var out []cell.Piece
	if part == partPercentiles {
		row, column := p.percentile(v.Shown)
		out = append(out, cell.Title(row.name+" "+column.name), cell.Muted("  "))
	} else {
		points := v.Shown.History
		point := &points[p.index(points)]
		out = append(out, cell.Title(units.Clock(v.Shown.Since(point.At))), cell.Muted("  "))
		for _, f := range pointFigures(part, point) {
			out = append(out, cell.Muted(f.name), cell.Text(f.value), cell.Muted("  "))
		}
	}
	return out
}

// leads says what a key, or a click, does with what is pointed at.
func leads(key string) []cell.Piece { return []cell.Piece{cell.Key(key), cell.Muted(" its requests")} }

// pointFigure is what a chart shows at a point of time.
type pointFigure struct{ name, value string }

func pointFigures(part page.Part, p *stats.Point) []pointFigure {
	latencies := func(p50, p95 time.Duration) []pointFigure {
		known := func(d time.Duration) string {
			if d == 0 {
				return cell.Unknown
			}
			return cell.Latency(d).String()
		}
		return []pointFigure{{"p50 ", known(p50)}, {"p95 ", known(p95)}}
	}
	switch part {
	case partTTFT:
		return latencies(p.TTFTP50, p.TTFTP95)
	case partITL:
		return latencies(p.ITLP50, p.ITLP95)
	case partTPOT:
		return latencies(p.TPOTP50, p.TPOTP95)
	case partOutput:
		return []pointFigure{{"", cell.Rate(p.OutputTokens) + " tok/s"}}
	}
	return []pointFigure{{"", cell.RoundDown(p.Attainment).String() + " within the SLO"}}
}

// mark puts a line into a chart, of so many points that end the run's trend, at what is pointed at; none at the newest.
func (p *pick) mark(v *page.Frame, c *chart.Chart, points []stats.Point) {
	if p.at == 0 || len(points) == 0 || points[0].At > p.at {
		return
	}
	i := p.index(points)
	figure.PointerMark(v, c, len(points), i, points[i].At)
}
