// This file is what the mouse does on the Live page: it points into charts, and chooses and enlarges panels by their headings.

package live

import (
	"slices"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
)

// under is what the mouse points at in a chart that begins so many lines below the frame, which a click shows the requests
// behind, and what the chart shows there; nil where it points at nothing.
func (l *Page) under(v *page.Frame, part page.Part, top int) (at *pick, words []cell.Piece) {
	s := v.Shown
	if part > partGoodput || v.Pointer == nil || len(s.History) == 0 || part == partGoodput && !s.Knobs.SLO.Active() {
		return nil, nil
	}
	w, h := v.Drawn.W-2, v.Drawn.H-2-top
	c := chartOf(v, &l.scales, part, w)
	points := cell.Last(s.History, c.Steps)
	i, ok := figure.PointedAt(v, &c, len(points), top, w, h)
	if !ok {
		return nil, nil
	}
	at = &pick{at: points[i].At}
	if words = at.words(v, part); s.Duel != nil {
		words = figure.PointWords(v, &c, len(points), i, points[i].At)
	}
	v.Rows(top, h, page.Region{Hit: func(host page.Host) { host.ShowRequests(at.behind(part, s)) }})
	return at, words
}

// percentileRegions have a click on a percentile show the requests behind it.
func percentileRegions(v *page.Frame, r percentileRow, columns []percentileColumn, y int) {
	if v.Regions == nil || r.by == "" || r.d.N == 0 {
		return
	}
	s := v.Shown
	for i, c := range columns {
		if slices.ContainsFunc(pickColumns(), func(of percentileColumn) bool { return of.name == c.name }) {
			v.Cells(nameCells+i*columnCells, y, columnCells, 1, page.Region{Hit: func(h page.Host) {
				h.ShowRequests(behindPercentile(s, r, c), r.by)
			}})
		}
	}
}

// edge is what the mouse does on a panel's heading: it gives the panel the focus, and then enlarges it, or shows all again.
func (l *Page) edge(v *page.Frame, part page.Part) {
	if part > lastFocusable {
		return
	}
	r := page.Region{Key: "enter"}
	switch {
	case l.enlarged && part == l.focus:
		r.Key = "esc"
	case part != l.focus:
		r.Key, r.Hit = "", func(page.Host) { l.focus = part }
	}
	v.Edge(r)
}
