// This file is how the sides of a duel are told apart: by letter, dash and colour.

package figure

import (
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// SideLine is the look of a side's line, from 0.
func SideLine(side int) (theme.Role, chart.Dash) {
	roles := []theme.Role{theme.Series1, theme.Series2, theme.Series3, theme.Series5}
	dashes := []chart.Dash{chart.Whole, chart.Broken, chart.Dotted, chart.DotDash}
	return roles[side%len(roles)], dashes[side%len(dashes)]
}

// SideMark is a side's letter with a piece of its line: "A ━".
func SideMark(g *theme.Glyphs, side int) []cell.Piece {
	role, dash := SideLine(side)
	return []cell.Piece{cell.Title(snapshot.Letter(side)), cell.In(role, " "+dash.Glyph(g))}
}

// SideLegend are the marks of all sides.
func SideLegend(g *theme.Glyphs, d *snapshot.Duel) []cell.Piece {
	var out []cell.Piece
	for i := range d.Sides {
		out = append(append(out, SideMark(g, i)...), cell.Muted("  "))
	}
	return out
}
