// This file draws the table of levels beneath the curve.

package curve

import (
	"slices"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// levelColumns are the columns of the table: those of the table of stages, without what only a single stage has.
func levelColumns(s *snapshot.Snapshot) []figure.Column {
	return slices.DeleteFunc(figure.Columns(s), func(c figure.Column) bool {
		switch c.Name {
		case "state", "in tok/s", "total tok/s":
			return true
		}
		return false
	})
}

// What stands before the columns: the pointer, the sign, the level.
const levelAt = 3

// levelsPanel is the table, of so many lines.
func (p *Page) levelsPanel(v *page.Frame, lines int) cell.Panel {
	s := v.Shown
	t := cell.Titled("Levels")
	at, ok := p.chosen(s)
	if !ok {
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, "no level yet") }
		return t
	}
	rows := max(lines-1, 0)
	first := p.held.First(at, len(s.Curve), rows)
	t.Aside = cell.Hidden(v.Theme, first, len(s.Curve)-first-rows)
	t.Foot = p.intervalWords(v, &s.Curve[at])
	if s.Curve[at].EarlierDiffer {
		t.Foot = append([]cell.Piece{cell.Warn("earlier stages differ"), cell.Muted("  ")}, t.Foot...)
	}
	level := len("level")
	for i := range s.Curve {
		level = max(level, cell.Width(figure.LevelName(s.Knobs, s.Curve[i].Level)))
	}
	moving := movingPoint(s)
	t.Body = func(w, h int) []string {
		columns := figure.FitColumns(levelColumns(s), w, func(cells, _ int) bool { return levelAt+level+cells <= w })
		out := []string{levelHead(v, columns, level, w)}
		for i := first; i < len(s.Curve) && len(out) < h; i++ {
			v.Rows(len(out), 1, p.levelRegion(s.Curve[i].Level, i == at, first))
			out = append(out, levelLine(v, &s.Curve[i], i == at, i == moving, columns, level, w))
		}
		return out
	}
	return t
}

// levelRegion is what the mouse does on a level: a click chooses it, and another puts the load there.
func (p *Page) levelRegion(level float64, chosen bool, first int) page.Region {
	r := page.Region{Up: "left", Down: "right", Key: "enter"}
	if !chosen {
		r.Key, r.Hit = "", func(page.Host) {
			p.cursor = level
			p.held.Keep(first)
		}
	}
	return r
}

func levelHead(v *page.Frame, columns []figure.Column, level, w int) string {
	l := cell.NewLine(v.Theme, w).To(levelAt).Put(theme.Muted, "level")
	return figure.PutHeads(l, columns, levelAt+level).String()
}

func levelLine(v *page.Frame, p *stage.Point, chosen, moving bool, columns []figure.Column, level, w int) string {
	g := &v.Theme.Glyphs
	l, role := cell.NewLine(v.Theme, w), theme.Text
	if chosen {
		role = theme.Title
		l.Put(theme.Accent, g.Pointer)
	}
	l.To(1)
	switch {
	case !p.Settled:
		l.Put(theme.Warn, g.Ellipsis)
	case moving:
		l.Put(theme.Good, g.Run)
	}
	l.To(levelAt).Put(role, figure.LevelName(v.Shown.Knobs, p.Level))
	row := snapshot.StageRow{Summary: p.Summary} // all that these columns look at
	return figure.PutCells(l, v, &row, columns, levelAt+level).String()
}
