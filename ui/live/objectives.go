// This file is the objectives on the Live page, a line each.

package live

import (
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// objectiveRows is how many lines objectives get on the Live page.
func (a *layout) objectiveRows() int {
	switch a.Class {
	case page.Compact:
		return min(a.objectives, 1)
	case page.Standard:
		return min(a.objectives, 2)
	}
	return min(a.objectives, 4)
}

// objectiveLines are the worst objectives, a line each; the last line says how many more there are.
func objectiveLines(v *page.Frame, w, h int) []string {
	all := figure.WorstFirst(v.Shown.Objectives)
	var lines []string
	for i := range all[:min(h, len(all))] {
		s := &all[i]
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Pieces([]cell.Piece{figure.ObjectiveVerdict(v, s), cell.Muted("  ")})
		l.Put(theme.Text, cell.FitGlyphs(s.Objective.Short(), &v.Theme.Glyphs))
		l.Put(theme.Muted, " over "+cell.Span(s.Objective.Window)+"  now ")
		l.Pieces(figure.ObjectiveValue(s)).Skip(2)
		more := []cell.Piece{}
		if rest := len(all) - h; i == h-1 && rest > 0 {
			more = []cell.Piece{cell.Muted("  +" + cell.Grouped(int64(rest)) + " more")}
		}
		standing := cell.Lead(figure.StandingPieces(v, s), func(left []cell.Piece) bool {
			return cell.WidthOf(left)+cell.WidthOf(more) <= l.Room()
		})
		lines = append(lines, l.Pieces(standing).Pieces(more).String())
	}
	return cell.Fitted(lines, w, h)
}
