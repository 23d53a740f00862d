// This file draws the table of levels beneath the curve.

package ui

import (
	"slices"

	"tokdyno/engine"
	"tokdyno/engine/stage"
	"tokdyno/ui/theme"
)

// levelColumns are the columns of the table: those of the table of stages, without what only a single stage has.
func levelColumns() []stageColumn {
	return slices.DeleteFunc(stageColumns(), func(c stageColumn) bool {
		switch c.name {
		case "state", "in tok/s", "total tok/s":
			return true
		}
		return false
	})
}

// What stands before the columns: the pointer, the sign, the level.
const levelAt = 3

// fittingLevelColumns leaves out the least important columns until the rest fits beside a level of so many cells.
func fittingLevelColumns(w, level int) []stageColumn {
	columns := levelColumns()
	if w >= 100 {
		columns[len(columns)-1].cells = wideVerdictCells
	}
	for {
		need, worst := levelAt+level, 0
		for i := range columns {
			need += columns[i].cells
			if columns[i].rank > columns[worst].rank {
				worst = i
			}
		}
		if need <= w || columns[worst].rank == 0 {
			return columns
		}
		columns = append(columns[:worst], columns[worst+1:]...)
	}
}

// levelsPanel is the table, of so many lines.
func (p *curvePage) levelsPanel(v *Frame, lines int) panel {
	s := v.shown
	t := titled("Levels")
	at, ok := p.chosen(s)
	if !ok {
		t.body = func(w, h int) []string { return centred(v.th, w, h, "no level yet") }
		return t
	}
	rows := max(lines-1, 0)
	first := firstShown(at, len(s.Curve), rows)
	t.aside = hidden(v.th, first, len(s.Curve)-first-rows)
	t.foot = p.intervalWords(v, &s.Curve[at])
	level := len("level")
	for i := range s.Curve {
		level = max(level, cells(levelName(s.Knobs, s.Curve[i].Level)))
	}
	moving := movingPoint(s)
	t.body = func(w, h int) []string {
		columns := fittingLevelColumns(w, level)
		out := []string{levelHead(v, columns, level, w)}
		for i := first; i < len(s.Curve) && len(out) < h; i++ {
			out = append(out, levelLine(v, &s.Curve[i], i == at, i == moving, columns, level, w))
		}
		return out
	}
	return t
}

func levelHead(v *Frame, columns []stageColumn, level, w int) string {
	l := newLine(v.th, w).to(levelAt).put(theme.Muted, "level")
	return putHeads(l, columns, levelAt+level).String()
}

func levelLine(v *Frame, p *stage.Point, chosen, moving bool, columns []stageColumn, level, w int) string {
	g := &v.th.Glyphs
	l, role := newLine(v.th, w), theme.Text
	if chosen {
		role = theme.Title
		l.put(theme.Accent, g.Pointer)
	}
	l.to(1)
	switch {
	case !p.Settled:
		l.put(theme.Warn, g.Ellipsis)
	case moving:
		l.put(theme.Good, g.Run)
	}
	l.to(levelAt).put(role, levelName(v.shown.Knobs, p.Level))
	row := engine.StageRow{Summary: p.Summary} // all that these columns look at
	return putCells(l, v, &row, columns, levelAt+level).String()
}
