// This file draws the frame of a panel. What stands in it is the panel's own affair.

package ui

import (
	"strings"

	"tokdyno/ui/theme"
)

// panel is a framed part of the screen. Its body draws itself at any size and returns lines of exactly w cells.
type panel struct {
	title   []piece // at the top left
	aside   []piece // at the top right
	foot    []piece // at the bottom left
	coda    []piece // at the bottom right
	focused bool
	body    func(w, h int) []string
}

// titled returns a panel with a plain heading.
func titled(title string) panel { return panel{title: []piece{{theme.Title, title}}} }

// render draws the panel into h lines of w cells.
func (p panel) render(w, h int, th *theme.Theme) []string {
	if w < 2 || h < 2 {
		return fitted(nil, w, h)
	}
	border := theme.Border
	if p.focused {
		border = theme.BorderFocus
	}
	g := &th.Glyphs
	lines := make([]string, 0, h)
	lines = append(lines, edge(th, w, border, g.TopLeft, g.TopRight, p.title, p.aside))
	if h > 2 {
		side := th.Paint(border, g.Vertical)
		for _, l := range fitted(p.body(w-2, h-2), w-2, h-2) {
			lines = append(lines, side+l+side)
		}
	}
	return append(lines, edge(th, w, border, g.BottomLeft, g.BottomRight, p.foot, p.coda))
}

// edge draws the upper or lower edge with text in it. The right text gives way to the left one.
func edge(th *theme.Theme, w int, border theme.Role, left, right string, start, end []piece) string {
	const around = 2 // a piece of rule and a blank on either side of a text
	rule := th.Glyphs.Horizontal
	room := w - 2

	startCells, endCells := pieceCells(start), pieceCells(end)
	if startCells > 0 {
		startCells = min(startCells, max(room-2*around, 0))
	}
	if endCells > 0 && startCells+endCells+4*around-1 > room {
		end, endCells = nil, 0
	}

	l := newLine(th, w)
	if startCells == 0 {
		l.put(border, left)
	} else {
		l.put(border, left+rule).skip(1)
		within := newLine(th, startCells).pieces(start)
		l.painted(within.String(), startCells).skip(1)
	}
	tail := 1
	if endCells > 0 {
		tail += endCells + 3
	}
	middle := strings.Repeat(rule, max(l.room()-tail, 0))
	if endCells == 0 {
		return l.put(border, middle+right).String()
	}
	return l.put(border, middle).skip(1).pieces(end).skip(1).put(border, rule+right).String()
}
