// Cells: the buffer a chart is drawn into, and how its rows become text.

package chart

import (
	"unicode/utf8"

	"tokdyno/ui/theme"
)

// cell is one character and what it is for. ntcharts' own cells carry a whole lipgloss style, seventy times the size.
type cell struct {
	glyph rune // zero: blank
	role  theme.Role
}

// cells is a rectangle of cells. Drawing outside of it does nothing.
type cells struct {
	w, h int
	cell []cell
}

func newCells(w, h int) cells { return cells{w: w, h: h, cell: make([]cell, w*h)} }

func (c cells) inside(x, y int) bool { return x >= 0 && x < c.w && y >= 0 && y < c.h }

// at returns the character at a place, zero if there is none.
func (c cells) at(x, y int) rune {
	if !c.inside(x, y) {
		return 0
	}
	return c.cell[y*c.w+x].glyph
}

func (c cells) set(x, y int, glyph rune, role theme.Role) {
	if c.inside(x, y) {
		c.cell[y*c.w+x] = cell{glyph, role}
	}
}

func (c cells) write(x, y int, text []rune, role theme.Role) {
	for i, r := range text {
		c.set(x+i, y, r, role)
	}
}

// render returns the rows as text, each run of one role painted once.
func (c cells) render(th theme.Theme) string {
	if c.h == 0 {
		return ""
	}
	// A cell is three bytes of braille; a row has a few escape sequences.
	out := make([]byte, 0, c.h*(c.w*3+64))
	for y := range c.h {
		if y > 0 {
			out = append(out, '\n')
		}
		out = appendRow(out, c.cell[y*c.w:(y+1)*c.w], th)
	}
	return string(out)
}

// appendRow appends one row to out. Roles that look the same share a run. Blanks have no look of their own: those inside
// a run belong to it, so that a dashed line is one run.
func appendRow(out []byte, row []cell, th theme.Theme) []byte {
	role, blanks := theme.Text, 0
	for _, c := range row {
		if c.glyph == 0 || c.glyph == ' ' {
			blanks++
			continue
		}
		if c.role != role && th.Open(c.role) != th.Open(role) {
			out = append(out, th.Close(role)...)
			out = appendBlanks(out, blanks)
			out = append(out, th.Open(c.role)...)
			role = c.role
		} else {
			out = appendBlanks(out, blanks)
		}
		blanks = 0
		out = utf8.AppendRune(out, c.glyph)
	}
	out = append(out, th.Close(role)...)
	return appendBlanks(out, blanks)
}

func appendBlanks(out []byte, n int) []byte {
	for range n {
		out = append(out, ' ')
	}
	return out
}

// first returns the character of a glyph, a blank for the glyphs of the zero theme.
func first(glyph string) rune {
	if glyph == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(glyph)
	return r
}
