// This file is the last line: what the keys do at present, and whether the load generator can be trusted.

package ui

import (
	"cmp"
	"slices"

	"tokdyno/engine/health"
	"tokdyno/ui/theme"
)

// footer draws the last line: keys as far as they fit, and whether the load generator itself can be trusted.
func (v *screen) footer(w int) string {
	if v.context.layer == onPrompt {
		return v.promptLine(w)
	}
	trust := v.client()
	room := w - pieceCells(trust) - 3

	var shown []keyAction
	for _, c := range v.working {
		if c.footer > 0 {
			shown = append(shown, c)
		}
	}
	slices.SortStableFunc(shown, func(a, b keyAction) int { return cmp.Compare(a.footer, b.footer) })

	l := newLine(v.th, w).skip(1)
	reserved := 0
	for _, c := range shown {
		if h := c.binding.Help(); c.footer >= always {
			reserved += cells(h.Key) + cells(h.Desc) + 3
		}
	}
	for _, c := range shown {
		h := c.binding.Help()
		name := own(h.Key, &v.th.Glyphs)
		n := cells(name) + 1 + cells(h.Desc)
		if c.footer < always && l.at+n+2+reserved > room {
			continue
		}
		l.put(theme.Key, name).skip(1).put(theme.Muted, h.Desc).skip(2)
	}
	if pieceCells(trust) < l.room() {
		l.to(w - pieceCells(trust) - 1).pieces(trust)
	}
	return l.String()
}

// client is the client's health: a word, after the sign that says how bad it is.
func (v *screen) client() []piece {
	g := &v.th.Glyphs
	switch verdict := v.shown.Health.Verdict; verdict {
	case health.OK:
		return []piece{{theme.Muted, "client "}, {theme.Good, g.Check + " ok"}}
	case health.Strained:
		return []piece{{theme.Muted, "client "}, {theme.Warn, g.Alert + " " + string(verdict)}}
	case health.ClientBound:
		return []piece{{theme.Bad, g.Cross + " " + string(verdict)}}
	}
	return []piece{{theme.Muted, "client " + g.Ellipsis}}
}
