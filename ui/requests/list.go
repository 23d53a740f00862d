// This file draws the list: a row and a bar for each request.

package requests

import (
	"strconv"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

const (
	headLines = 1
	// leastBar are the cells of a bar that columns leave it.
	leastBar = 24
	// pointerCells stand before the first column.
	pointerCells = 1
)

// column is a figure of every request.
type column struct {
	name  string
	sorts query.Figure // by which its heading is marked
	cells int          // with the gap before it
	rank  int          // the highest is left out first; 0 stays
	left  bool
	cell  func(v *page.Frame, r *query.Row) []cell.Piece
}

// columns are those of the list.
func columns() []column {
	return []column{
		{"#", query.Number, 8, 0, false, func(_ *page.Frame, r *query.Row) []cell.Piece {
			return cell.Plain(strconv.FormatUint(r.ID, 10))
		}},
		{"load", query.Stage, 11, 7, true, loadCell},
		{"slot", query.Slot, 6, 10, false, func(_ *page.Frame, r *query.Row) []cell.Piece { return orUnknown(int64(r.Slot), r.Slot > 0) }},
		{"endpoint", query.Endpoint, 10, 11, false, func(_ *page.Frame, r *query.Row) []cell.Piece {
			return orUnknown(int64(r.Endpoint), r.Endpoint > 0)
		}},
		{"prompt", query.Prompt, 8, 5, false, func(_ *page.Frame, r *query.Row) []cell.Piece {
			return orUnknown(r.Input, r.Input >= 0)
		}},
		{"tokens", query.Output, 8, 3, false, outputCell},
		latencyColumn("TTFT", query.TTFT, 0, func(r *query.Row) time.Duration { return r.TTFT }),
		latencyColumn("TTFA", query.TTFA, 2, func(r *query.Row) time.Duration { return r.TTFA }),
		latencyColumn("TPOT", query.TPOT, 4, func(r *query.Row) time.Duration { return r.TPOT }),
		latencyColumn("E2EL", query.E2EL, 1, func(r *query.Row) time.Duration { return r.E2EL }),
		latencyColumn("max gap", query.Gap, 8, func(r *query.Row) time.Duration { return r.Gap }),
		latencyColumn("lag", query.Lag, 9, func(r *query.Row) time.Duration { return r.Lag }),
		{"", "", 14, 0, true, resultCell},
	}
}

func latencyColumn(name string, by query.Figure, rank int, of func(*query.Row) time.Duration) column {
	return column{name, by, 9, rank, false, func(_ *page.Frame, r *query.Row) []cell.Piece {
		d := of(r)
		if d == slo.Undefined {
			return cell.NA()
		}
		f := cell.Latency(d)
		return append(cell.Plain(f.Number), cell.Muted(" "+f.Unit))
	}}
}

func orUnknown(n int64, known bool) []cell.Piece {
	if !known {
		return cell.NA()
	}
	return cell.Plain(cell.Grouped(n))
}

func outputCell(_ *page.Frame, r *query.Row) []cell.Piece {
	out := orUnknown(r.Output, r.Output >= 0)
	if r.Estimated && r.Output > 0 {
		out[0].Text = "~" + out[0].Text
	}
	return out
}

// loadCell is the load of a request's stage; of one that belongs to none, what it is between.
func loadCell(v *page.Frame, r *query.Row) []cell.Piece {
	for i := range v.Shown.Stages {
		if s := &v.Shown.Stages[i]; s.Number == r.Stage {
			return cell.Plain(cell.SanitiseColumns(figure.LoadPoint(s.Knobs), &v.Theme.Glyphs))
		}
	}
	if r.Stage < 0 {
		return []cell.Piece{cell.Muted("changing")}
	}
	return cell.NA()
}

// resultCell is the verdict on a request: the limits that it missed, or why it failed.
func resultCell(v *page.Frame, r *query.Row) []cell.Piece {
	g := &v.Theme.Glyphs
	switch {
	case r.Running && len(r.Missed) > 0:
		return []cell.Piece{cell.Text(g.Run + " "), missed(g, r)}
	case r.Running && r.Sent == 0:
		return []cell.Piece{cell.Muted("not sent")}
	case r.Running && r.First == 0:
		return []cell.Piece{cell.Text("waiting")}
	case r.Running:
		return []cell.Piece{cell.Text(g.Run + " running")}
	case r.Ending == slo.Failed:
		return []cell.Piece{cell.Bad(g.Cross + " " + string(r.Kind))}
	case r.Ending == slo.Cancelled:
		return []cell.Piece{cell.Muted("cancelled")}
	case len(r.Missed) > 0:
		return []cell.Piece{missed(g, r)}
	case !v.Shown.Knobs.SLO.Active():
		return []cell.Piece{cell.Muted("ok")}
	}
	return []cell.Piece{cell.Good(g.Check)}
}

// missed are the limits that a request missed.
func missed(g *theme.Glyphs, r *query.Row) cell.Piece {
	words := g.Cross
	for _, m := range r.Missed {
		words += " " + m.String()
	}
	return cell.Bad(words)
}

// fitting are the columns that leave a bar its cells. Those that say nothing of any row go first.
func fitting(v *page.Frame, w int) []column {
	all := columns()
	if v.Shown.Endpoints == nil {
		all = without(all, query.Endpoint)
	}
	if v.Shown.Stage.Reasoned == 0 && v.Shown.Live.Reasoned == 0 {
		all = without(all, query.TTFA)
	}
	return cell.Drop(all, func(c *column) int { return c.rank }, func(left []column) bool { return w-cellsOf(left) >= leastBar+w/8 })
}

func without(all []column, by query.Figure) []column {
	kept := all[:0]
	for _, c := range all {
		if c.sorts != by {
			kept = append(kept, c)
		}
	}
	return kept
}

func cellsOf(columns []column) int {
	n := pointerCells + 2
	for _, c := range columns {
		n += c.cells
	}
	return n
}

// listPanel is the list. lines is how many rows it has room for.
func (p *Page) listPanel(v *page.Frame, lines int) cell.Panel {
	t := p.frame(v)
	n := p.rows()
	if n == 0 {
		sentence := p.noRow(nil)
		if p.view == nil {
			sentence = "looking" + v.Theme.Glyphs.Ellipsis
		}
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, sentence) }
		return t
	}
	first := p.firstShown(lines)
	if p.chosen.still() {
		t.Aside = append(t.Aside, cell.Hidden(v.Theme, first, n-first-lines)...)
	}
	t.Body = func(w, h int) []string {
		columns := fitting(v, w)
		a := p.axis(v, first, min(first+lines, n), w-cellsOf(columns))
		out := []string{p.head(v, columns, &a, w)}
		for at := first; at < n && len(out) < h; at++ {
			v.Rows(len(out), 1, p.region(at, first))
			out = append(out, p.line(v, at, columns, &a, w))
		}
		return out
	}
	return t
}

// axis is one for all the rows in sight where they stand as they ended; else each is drawn from its own beginning.
func (p *Page) axis(v *page.Frame, first, end, cells int) axis {
	a := axis{cells: max(cells, 0), begins: !p.everything()}
	oldest, longest := p.view.At, time.Millisecond
	newest := p.view.At
	if p.chosen.still() {
		newest = 0
	}
	for at := first; at < end; at++ {
		if r := p.row(at); r != nil {
			oldest, newest = min(oldest, r.Began), max(newest, r.End)
			longest = max(longest, time.Duration(r.End-r.Began))
		}
	}
	if a.begins {
		a.span = nice(longest)
		return a
	}
	a.span = max(time.Duration(newest-oldest), time.Millisecond)
	a.span += a.span / 50
	a.from = newest.Add(-a.span)
	return a
}

func (p *Page) head(v *page.Frame, columns []column, a *axis, w int) string {
	l := cell.NewLine(v.Theme, w)
	end := pointerCells
	for i := range columns {
		c := &columns[i]
		role, name := theme.Muted, c.name
		if c.sorts != "" && c.sorts == p.sort {
			role = theme.Accent
			name = v.Theme.Glyphs.Rising + name
			if p.descending {
				name = v.Theme.Glyphs.Falling + c.name
			}
		}
		if c.left {
			l.To(end+2).Put(role, name)
		} else {
			l.Flush(end+c.cells, role, name)
		}
		end += c.cells
	}
	l.To(end + 2)
	a.labels(l)
	return l.String()
}

func (p *Page) line(v *page.Frame, at int, columns []column, a *axis, w int) string {
	l := cell.NewLine(v.Theme, w)
	if at == p.chosen.at-1 {
		l.Put(theme.Accent, v.Theme.Glyphs.Pointer)
	}
	r := p.row(at)
	if r == nil { // it is being asked for
		return l.To(pointerCells+4).Put(theme.Muted, v.Theme.Glyphs.Ellipsis).String()
	}
	end := pointerCells
	for i := range columns {
		c := &columns[i]
		value := c.cell(v, r)
		if c.left {
			l.To(end + 2)
			short := cell.NewLine(v.Theme, min(cell.WidthOf(value), c.cells-2)).Pieces(value)
			l.Painted(short.String(), short.Width)
		} else {
			l.To(end + c.cells - cell.WidthOf(value)).Pieces(value)
		}
		end += c.cells
	}
	l.To(end + 2)
	s := make(stripe, a.cells)
	s.put(r, a)
	s.paint(l, v.Theme)
	return l.String()
}

// frame is the panel around the requests: what is shown of how many, and by which order.
func (p *Page) frame(v *page.Frame) cell.Panel {
	t := cell.Titled("Requests")
	t.Focused = true
	if p.view != nil {
		t.Title = append(t.Title, p.counts(v.Shown)...)
	} else if p.filter != (query.Filter{}) {
		t.Title = append(t.Title, cell.Muted("  "), cell.Accent(p.filter.String()))
	}
	if p.sort != "" {
		t.Aside = append(t.Aside, cell.Muted("by "), cell.Accent(string(p.sort)), cell.Muted("  "))
	}
	t.Foot = legend(v.Theme)
	if p.input.open() {
		t.Foot = p.input.pieces(v)
	}
	switch {
	case p.chosen.still():
		t.Coda = []cell.Piece{cell.Muted("stands still; "), cell.Key("G"), cell.Muted(" follows")}
	case p.sort == "":
		t.Coda = []cell.Piece{cell.Muted("follows the newest")}
	}
	return t
}

// counts says how many requests there are, or how many of them the filter keeps.
func (p *Page) counts(s *snapshot.Snapshot) []cell.Piece {
	v := p.view
	if p.filter == (query.Filter{}) {
		out := []cell.Piece{cell.Muted("  "), cell.Text(cell.Grouped(int64(v.Total))), cell.Muted(" ended")}
		if s.InFlight.Total > 0 {
			out = append(out, cell.Muted("  "), cell.Text(cell.Grouped(int64(s.InFlight.Total))), cell.Muted(" in flight"))
		}
		return out
	}
	out := []cell.Piece{
		cell.Muted("  "), cell.Accent(p.filter.String()), cell.Muted("  "),
		cell.Text(cell.Grouped(int64(v.Matched))), cell.Muted(" of " + cell.Grouped(int64(v.Total))),
	}
	if v.Total > 0 {
		out = append(out, cell.Muted(" ("+cell.RoundUp(float64(v.Matched)/float64(v.Total)).String()+")"))
	}
	if v.InFlight > 0 {
		out = append(out, cell.Muted("  "), cell.Text(cell.Grouped(int64(v.InFlight))), cell.Muted(" in flight"))
	}
	return out
}
