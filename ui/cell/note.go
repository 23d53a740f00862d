// This file writes notes: a sentence behind the glyph of its role.

package cell

import (
	"tokdyno/ui/theme"
)

// Note is one sentence. The role says how much it matters.
type Note struct {
	Role theme.Role
	Text string
}

// Note writes a sentence behind the glyph of its role.
func (l *Line) Note(n Note) *Line {
	g := &l.th.Glyphs
	sign := g.Info
	switch n.Role {
	case theme.Bad:
		sign = g.Cross
	case theme.Warn:
		sign = g.Alert
	case theme.Good:
		sign = g.Check
	}
	l.Put(n.Role, sign).Skip(1)
	return l.Put(roleOfText(n.Role), FitGlyphs(n.Text, g))
}

// NoteLines breaks a note into lines, three at most: an example of an error may be long.
func NoteLines(th *theme.Theme, n Note, w int) []string {
	const most, indent = 3, 3
	parts := Wrapped(FitGlyphs(n.Text, &th.Glyphs), w-indent-1)
	if len(parts) > most {
		parts = parts[:most]
		parts[most-1] += th.Glyphs.Ellipsis
	}
	var lines []string
	for i, part := range parts {
		l := NewLine(th, w).Skip(1)
		if i == 0 {
			l.Note(Note{n.Role, part})
		} else {
			l.To(indent).Put(roleOfText(n.Role), part)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// roleOfText is the role of a note's words: what is merely worth knowing is plain text behind a muted sign.
func roleOfText(r theme.Role) theme.Role {
	if r == theme.Muted {
		return theme.Text
	}
	return r
}
