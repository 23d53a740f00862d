// This file puts text into lines of an exact width. Nothing else in the package counts cells.

package ui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/theme"
)

// piece is some text in one role.
type piece struct {
	role theme.Role
	text string
}

// cells is how many cells a text takes.
func cells(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

func pieceCells(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += cells(p.text)
	}
	return n
}

// line is a line being written from left to right. What does not fit is cut with an ellipsis.
type line struct {
	th    *theme.Theme
	out   []byte
	at    int // cells written
	width int
}

func newLine(th *theme.Theme, width int) *line {
	return &line{th: th, out: make([]byte, 0, 2*width+64), width: max(width, 0)}
}

// put writes text in a role.
func (l *line) put(role theme.Role, text string) *line {
	n := cells(text)
	if n > l.room() {
		text = ansi.Truncate(text, l.room(), l.th.Glyphs.Ellipsis)
		n = cells(text)
	}
	l.out = l.th.Append(l.out, role, text)
	l.at += n
	return l
}

// pieces writes several pieces.
func (l *line) pieces(pieces []piece) *line {
	for _, p := range pieces {
		l.put(p.role, p.text)
	}
	return l
}

// flush writes text so that it ends in column end.
func (l *line) flush(end int, role theme.Role, text string) *line {
	return l.to(end-cells(text)).put(role, text)
}

// painted writes text that is painted already and takes n cells; it is left out if it does not fit.
func (l *line) painted(text string, n int) *line {
	if n <= l.room() {
		l.out = append(l.out, text...)
		l.at += n
	}
	return l
}

// to writes blanks up to a column.
func (l *line) to(column int) *line {
	for column = min(column, l.width); l.at < column; l.at++ {
		l.out = append(l.out, ' ')
	}
	return l
}

// skip writes n blanks.
func (l *line) skip(n int) *line { return l.to(l.at + n) }

// room is how many cells are left.
func (l *line) room() int { return l.width - l.at }

// String fills the line up and returns it.
func (l *line) String() string {
	l.to(l.width)
	return string(l.out)
}

// text returns one line with one piece of text, w cells wide.
func text(th *theme.Theme, w int, role theme.Role, s string) string {
	return newLine(th, w).put(role, s).String()
}

// blank returns w blanks.
func blank(w int) string { return strings.Repeat(" ", max(w, 0)) }

// fitted returns exactly h lines: blank ones are added, surplus ones are cut.
func fitted(lines []string, w, h int) []string {
	if h <= 0 {
		return nil
	}
	if len(lines) > h {
		return lines[:h]
	}
	for len(lines) < h {
		lines = append(lines, blank(w))
	}
	return lines
}

// wrapped breaks text into lines of at most w cells, at blanks where there are any.
func wrapped(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, w, ""), "\n")
}

// foreign makes text that somebody else wrote safe to show: no escape sequences, no line breaks, nothing invisible, and
// no more than one blank in a row.
func foreign(s string, g *theme.Glyphs) string {
	return own(strings.Join(strings.Fields(visible(s)), " "), g)
}

// spaced is foreign for text whose blanks mean something, such as columns.
func spaced(s string, g *theme.Glyphs) string { return own(visible(s), g) }

// visible makes every kind of space a blank and drops what can't be seen.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, ansi.Strip(s))
}

// own fits our own words to the glyphs at hand: signs that ASCII lacks are replaced by their stand-ins.
func own(s string, g *theme.Glyphs) string {
	if g.Braille {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if r < unicode.MaxASCII {
			out.WriteRune(r)
		} else {
			out.WriteString(asciiSign(r))
		}
	}
	return out.String()
}

// asciiSign returns what stands for a sign where only ASCII can be shown.
func asciiSign(r rune) string {
	switch r {
	case '↑':
		return "^"
	case '↓':
		return "v"
	case '←', '≤', '◂':
		return "<"
	case '→', '≥', '▸':
		return ">"
	case '×':
		return "x"
	case '÷':
		return "/"
	case '·', '–', '−':
		return "-"
	case '…':
		return "~"
	case '°':
		return "'"
	case '±':
		return "+-"
	}
	return "?"
}
