// This file lays out facts: a name with a figure, as many in a line as fit.

package cell

import (
	"tokdyno/ui/theme"
)

// Fact is a name and what there is to say under it.
type Fact struct {
	Name  string
	Value []Piece
}

// Width is how many cells a fact takes, with the gap before it.
func (f Fact) Width() int {
	if f.Name == "" {
		return 1 + WidthOf(f.Value)
	}
	return 3 + Width(f.Name) + WidthOf(f.Value)
}

// Silence is 1 for a fact that nobody knows, and nobody says why: it comes last.
func (f Fact) Silence() int {
	if len(f.Value) == 1 && f.Value[0].Text == Unknown {
		return 1
	}
	return 0
}

// Flowed writes facts one after the other into at most h lines of w cells; those that find no room are left out, a single
// one that is longer than a line is cut.
func Flowed(th *theme.Theme, facts []Fact, w, h int) []string {
	const gap = 3
	var lines []string
	l := NewLine(th, w).Skip(Inset)
	for _, f := range facts {
		n := Width(f.Name) + 1 + WidthOf(f.Value)
		if f.Name == "" {
			n = WidthOf(f.Value)
		}
		if l.At > Inset && l.At+gap+n > w-Inset {
			lines = append(lines, l.String())
			l = NewLine(th, w).Skip(Inset)
		}
		if len(lines) >= h {
			return lines[:max(h, 0)]
		}
		if l.At > Inset {
			l.Skip(gap)
		}
		if f.Name != "" {
			l.Put(theme.Muted, f.Name).Skip(1)
		}
		l.Pieces(f.Value)
	}
	if l.At > Inset && len(lines) < h {
		lines = append(lines, l.String())
	}
	return lines
}
