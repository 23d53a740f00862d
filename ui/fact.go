// This file lays out facts: a name with a figure, as many in a line as fit.

package ui

import (
	"tokdyno/gpu/optional"
	"tokdyno/ui/theme"
)

// fact is a name and what there is to say under it.
type fact struct {
	name  string
	value []piece
}

// silence is 1 for a fact that nobody knows, and nobody says why: it comes last.
func (f fact) silence() int {
	if len(f.value) == 1 && f.value[0].text == unknown {
		return 1
	}
	return 0
}

// flowed writes facts one after the other into at most h lines of w cells; those that find no room are left out, a single
// one that is longer than a line is cut.
func flowed(th *theme.Theme, facts []fact, w, h int) []string {
	const gap = 3
	var lines []string
	l := newLine(th, w).skip(inset)
	for _, f := range facts {
		n := cells(f.name) + 1 + pieceCells(f.value)
		if f.name == "" {
			n = pieceCells(f.value)
		}
		if l.at > inset && l.at+gap+n > w-inset {
			lines = append(lines, l.String())
			l = newLine(th, w).skip(inset)
		}
		if len(lines) >= h {
			return lines[:max(h, 0)]
		}
		if l.at > inset {
			l.skip(gap)
		}
		if f.name != "" {
			l.put(theme.Muted, f.name).skip(1)
		}
		l.pieces(f.value)
	}
	if l.at > inset && len(lines) < h {
		lines = append(lines, l.String())
	}
	return lines
}

// farRoom is that of a reason which is never cut.
const farRoom = 1 << 10

// stated is a fact that is a value: with its unit, or with the whole reason why there is none.
func stated(th *theme.Theme, name string, value optional.Value, role theme.Role, write func(float64) string, unit string) fact {
	return fact{name, valued(th, value, farRoom, role, write, unit)}
}
