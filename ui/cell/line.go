// This file writes lines of an exact width, from left to right.

package cell

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/theme"
)

// Inset is how far text stands off a frame.
const Inset = 1

// Line is a line being written from left to right. What does not fit is cut with an ellipsis.
type Line struct {
	th    *theme.Theme
	out   []byte
	At    int // cells written
	Width int
}

// NewLine returns an empty line of so many cells.
func NewLine(th *theme.Theme, width int) *Line {
	return &Line{th: th, out: make([]byte, 0, 2*width+64), Width: max(width, 0)}
}

// Put writes text in a role.
func (l *Line) Put(role theme.Role, text string) *Line {
	n := Width(text)
	if n > l.Room() {
		text = ansi.Truncate(text, l.Room(), l.th.Glyphs.Ellipsis)
		n = Width(text)
	}
	l.out = l.th.Append(l.out, role, text)
	l.At += n
	return l
}

// Pieces writes several pieces.
func (l *Line) Pieces(pieces []Piece) *Line {
	for _, p := range pieces {
		l.Put(p.Role, p.Text)
	}
	return l
}

// Flush writes text so that it ends in column end.
func (l *Line) Flush(end int, role theme.Role, text string) *Line {
	return l.To(end-Width(text)).Put(role, text)
}

// Painted writes text that is painted already and takes n cells; it is left out if it does not fit.
func (l *Line) Painted(text string, n int) *Line {
	if n <= l.Room() {
		l.out = append(l.out, text...)
		l.At += n
	}
	return l
}

// To writes blanks up to a column.
func (l *Line) To(column int) *Line {
	for column = min(column, l.Width); l.At < column; l.At++ {
		l.out = append(l.out, ' ')
	}
	return l
}

// Skip writes n blanks.
func (l *Line) Skip(n int) *Line { return l.To(l.At + n) }

// Room is how many cells are left.
func (l *Line) Room() int { return l.Width - l.At }

// String fills the line up and returns it.
func (l *Line) String() string {
	l.To(l.Width)
	return string(l.out)
}

// Row returns one line with one piece of text, w cells wide.
func Row(th *theme.Theme, w int, role theme.Role, s string) string {
	return NewLine(th, w).Put(role, s).String()
}

// Blank returns w blanks.
func Blank(w int) string { return strings.Repeat(" ", max(w, 0)) }
