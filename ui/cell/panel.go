// This file draws the frame of a panel. What stands in it is the panel's own affair.

package cell

import (
	"strings"

	"tokdyno/ui/theme"
)

// Panel is a framed part of the screen. Its body draws itself at any size and returns lines of exactly w cells.
type Panel struct {
	Title   []Piece // at the top left
	Aside   []Piece // at the top right
	Foot    []Piece // at the bottom left
	Coda    []Piece // at the bottom right
	Focused bool
	Body    func(w, h int) []string
}

// Titled returns a panel with a plain heading.
func Titled(title string) Panel { return Panel{Title: []Piece{{theme.Title, title}}} }

// Render draws the panel into h lines of w cells.
func (p Panel) Render(w, h int, th *theme.Theme) []string {
	if w < 2 || h < 2 {
		return Fitted(nil, w, h)
	}
	border := theme.Border
	if p.Focused {
		border = theme.BorderFocus
	}
	g := &th.Glyphs
	lines := make([]string, 0, h)
	lines = append(lines, edge(th, w, border, g.TopLeft, g.TopRight, p.Title, p.Aside))
	if h > 2 {
		side := th.Paint(border, g.Vertical)
		for _, l := range Fitted(p.Body(w-2, h-2), w-2, h-2) {
			lines = append(lines, side+l+side)
		}
	}
	return append(lines, edge(th, w, border, g.BottomLeft, g.BottomRight, p.Foot, p.Coda))
}

// edge draws the upper or lower edge with text in it. The right text gives way to the left one.
func edge(th *theme.Theme, w int, border theme.Role, left, right string, start, end []Piece) string {
	const around = 2 // a piece of rule and a blank on either side of a text
	rule := th.Glyphs.Horizontal
	room := w - 2

	startCells, endCells := WidthOf(start), WidthOf(end)
	if startCells > 0 {
		startCells = min(startCells, max(room-2*around, 0))
	}
	if endCells > 0 && startCells+endCells+4*around-1 > room {
		end, endCells = nil, 0
	}

	l := NewLine(th, w)
	if startCells == 0 {
		l.Put(border, left)
	} else {
		l.Put(border, left+rule).Skip(1)
		within := NewLine(th, startCells).Pieces(start)
		l.Painted(within.String(), startCells).Skip(1)
	}
	tail := 1
	if endCells > 0 {
		tail += endCells + 3
	}
	middle := strings.Repeat(rule, max(l.Room()-tail, 0))
	if endCells == 0 {
		return l.Put(border, middle+right).String()
	}
	return l.Put(border, middle).Skip(1).Pieces(end).Skip(1).Put(border, rule+right).String()
}
