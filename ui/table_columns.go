// This file writes the columns that the tables of stages and of levels share.

package ui

import (
	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// columnGap stands before a column that begins at its left.
const columnGap = 2

// putHeads writes the names of columns behind column end.
func putHeads(l *line, columns []stageColumn, end int) *line {
	for _, c := range columns {
		if c.left {
			l.to(end+columnGap).put(theme.Muted, c.name)
		} else {
			l.flush(end+c.cells, theme.Muted, c.name)
		}
		end += c.cells
	}
	return l
}

// putCells writes the figures of a row behind column end.
func putCells(l *line, v *Frame, r *engine.StageRow, columns []stageColumn, end int) *line {
	for _, c := range columns {
		value := c.cell(v, r)
		if c.left {
			l.to(end + columnGap)
			for len(value) > 1 && pieceCells(value) > c.cells-columnGap {
				value = value[:len(value)-1] // whole or not at all
			}
			l.pieces(value)
		} else {
			l.to(end + c.cells - pieceCells(value)).pieces(value)
		}
		end += c.cells
	}
	return l
}
