// This file draws the table of stages: its columns, and which of them a narrow screen does without.

package stages

import (
	"slices"
	"strconv"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The cells of what stands before the load: the pointer, A or B, the number, the sign of settling. Of the load itself: the
// least, and those that it takes before any column that can be left out.
const (
	marksCells = 7
	leastLoad  = 8
	usualLoad  = 21
)

// tablePanel is the table. rows is how many lines it has, with its heading.
func (p *Page) tablePanel(v *page.Frame, lines int) cell.Panel {
	rows := v.Shown.Stages
	t := cell.Titled("Stages")
	t.Focused = true
	if len(rows) == 0 {
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, "no stage yet: the load has not begun") }
		return t
	}
	at := p.row(rows)
	shown := max(lines-1, 0)
	first := p.held.First(at, len(rows), shown)
	if p.cursor == 0 {
		first = max(len(rows)-shown, 0)
	}
	if n := rows[len(rows)-1].Number - len(rows); n > 0 {
		t.Aside = []cell.Piece{cell.Muted(strconv.Itoa(n) + " dropped, nothing ended  ")}
	}
	t.Aside = append(t.Aside, cell.Hidden(v.Theme, first, len(rows)-first-shown)...)
	t.Foot = stageFoot(v, &rows[at])
	if p.cursor == 0 {
		t.Coda = []cell.Piece{cell.Muted("follows the newest")}
	}
	t.Body = func(w, h int) []string {
		columns, load := fittingStageColumns(allStageColumns(v), w, longestLoad(v))
		out := []string{stageHead(v, columns, load, w)}
		for i := first; i < len(rows) && len(out) < h; i++ {
			v.Rows(len(out), 1, p.stageRegion(rows, i, i == at, first))
			out = append(out, p.stageLine(v, &rows[i], i == at, columns, load, w))
		}
		return out
	}
	return t
}

// stageRegion is what the mouse does on a row: a click chooses it, and another marks it.
func (p *Page) stageRegion(rows []snapshot.StageRow, at int, chosen bool, first int) page.Region {
	r := page.Region{Up: "up", Down: "down", Key: "enter"}
	if !chosen {
		r.Key, r.Hit = "", func(page.Host) {
			p.goTo(rows, at)
			p.held.Keep(first)
		}
	}
	return r
}

// stageFoot says of the stage under the cursor what its row may have no room for.
func stageFoot(v *page.Frame, r *snapshot.StageRow) []cell.Piece {
	state := cell.Good("steady")
	if r.Summary.Settling {
		state = cell.Warn("settling")
	}
	return []cell.Piece{
		cell.Muted("stage "),
		cell.Text(strconv.Itoa(r.Number)),
		cell.Muted("  from " + cell.Clock(v.Shown.Since(r.Opened)) + "  "),
		cell.Text(loadString(v, r.Knobs)),
		cell.Muted("  "),
		state,
		cell.Muted(" " + cell.Clock(r.Summary.Spans)),
	}
}

// loadString describes the load and its shape. Files that it names are called whatever somebody called them.
func loadString(v *page.Frame, k snapshot.Knobs) string {
	return cell.SanitiseColumns(k.LoadString(), &v.Theme.Glyphs)
}

func longestLoad(v *page.Frame) int {
	most := leastLoad
	for i := range v.Shown.Stages {
		most = max(most, cell.Width(loadString(v, v.Shown.Stages[i].Knobs)))
	}
	return most
}

// stageColumns are all columns, with what accelerators and the server showed before the verdict.
func allStageColumns(v *page.Frame) []figure.Column {
	columns := figure.Columns(v.Shown)
	return slices.Insert(columns, len(columns)-1, telemetryColumns(v)...)
}

// fittingStageColumns returns the columns that fit beside the load, and the cells that are left for it: as many as the
// longest asks for, as far as columns that can't be left out allow.
func fittingStageColumns(columns []figure.Column, w, longest int) (_ []figure.Column, load int) {
	columns = figure.FitColumns(columns, w, func(cells, rank int) bool {
		load = w - marksCells - cells
		if rank == 1 {
			return load >= leastLoad
		}
		return load >= min(longest, usualLoad)
	})
	return columns, min(load, longest)
}

func stageHead(v *page.Frame, columns []figure.Column, load, w int) string {
	l := cell.NewLine(v.Theme, w).Flush(marksCells-2, theme.Muted, "#").Skip(2).Put(theme.Muted, "load")
	return figure.PutHeads(l, columns, marksCells+load).String()
}

func (p *Page) stageLine(v *page.Frame, r *snapshot.StageRow, chosen bool, columns []figure.Column, load, w int) string {
	l := cell.NewLine(v.Theme, w)
	role := theme.Text
	if chosen {
		role = theme.Title
		l.Put(theme.Accent, v.Theme.Glyphs.Pointer)
	}
	switch r.Number {
	case p.a:
		l.To(1).Put(theme.Accent, "A")
	case p.b:
		l.To(1).Put(theme.Accent, "B")
	}
	l.Flush(marksCells-2, theme.Muted, strconv.Itoa(r.Number))
	if r.Summary.Settling {
		l.Put(theme.Warn, v.Theme.Glyphs.Ellipsis) // also where there is no room for the word
	}
	l.To(marksCells)
	name := cell.NewLine(v.Theme, load).Put(role, loadString(v, r.Knobs))
	l.Painted(name.String(), load)
	return figure.PutCells(l, v, r, columns, marksCells+load).String()
}
