// This file measures text, breaks it, and makes it safe to show.

package cell

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/theme"
)

// OneLine is an error as one sentence.
func OneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}

// Plain is a cell of a table that says what there is to say.
func Plain(s string) []Piece { return []Piece{{theme.Text, s}} }

// NA is a cell of a table about which nobody knows anything.
func NA() []Piece { return []Piece{{theme.Muted, Unknown}} }

// Width is how many cells a text takes.
func Width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// WidthOf is how many cells pieces take.
func WidthOf(pieces []Piece) int {
	n := 0
	for _, p := range pieces {
		n += Width(p.Text)
	}
	return n
}

// Wrapped breaks text into lines of at most w cells, at blanks where there are any, or behind a hyphen in a word; not behind
// those of a flag, such as --max-tokens.
func Wrapped(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	const hyphen, unbroken = "-", "\u2011"
	words := strings.Split(s, " ")
	for i, word := range words {
		if strings.HasPrefix(strings.TrimLeft(word, "(\"'"), hyphen) {
			words[i] = strings.ReplaceAll(word, hyphen, unbroken)
		}
	}
	return strings.Split(strings.ReplaceAll(ansi.Wrap(strings.Join(words, " "), w, ""), unbroken, hyphen), "\n")
}

// Sanitise makes text that somebody else wrote safe to show: no escape sequences, no line breaks, nothing invisible, and
// no more than one blank in a row.
func Sanitise(s string, g *theme.Glyphs) string {
	return FitGlyphs(strings.Join(strings.Fields(visible(s)), " "), g)
}

// SanitiseColumns is Sanitise for text whose blanks mean something, such as columns.
func SanitiseColumns(s string, g *theme.Glyphs) string { return FitGlyphs(visible(s), g) }

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

// Host is a URL's, with its port; what is no URL stays as it is.
func Host(of string) string {
	if u, err := url.Parse(of); err == nil && u.Host != "" {
		return u.Host
	}
	return of
}

// FitGlyphs fits our own words to the glyphs at hand: signs that ASCII lacks are replaced by their stand-ins.
func FitGlyphs(s string, g *theme.Glyphs) string {
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
