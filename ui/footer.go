// This file is the last line, and the help: what the keys do.

package ui

import (
	"cmp"
	"slices"
	"strings"

	"tokdyno/engine/health"
	"tokdyno/ui/theme"
)

// context is where the keys go at present.
func (v *view) context() keyContext {
	switch {
	case v.controls.input != nil:
		return onTyping
	case v.help:
		return onHelp
	case v.zoomed:
		return onZoom
	}
	return onPage
}

// footer draws the last line: keys as far as they fit, and whether the load generator itself can be trusted.
func (v *view) footer(w int) string {
	trust := v.client()
	room := w - pieceCells(trust) - 3

	var shown []command
	for _, c := range v.commands {
		if c.footer > 0 && c.in&v.context() != 0 {
			shown = append(shown, c)
		}
	}
	slices.SortFunc(shown, func(a, b command) int { return cmp.Compare(a.footer, b.footer) })

	l := newLine(v.th, w).skip(1)
	reserved := 0
	for _, c := range shown {
		if h := c.keys.Help(); c.footer >= always {
			reserved += cells(h.Key) + cells(h.Desc) + 3
		}
	}
	for _, c := range shown {
		h := c.keys.Help()
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
func (v *view) client() []piece {
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

// helpPanel lists the keys and says how to read the screen.
func (v *view) helpPanel() panel {
	p := titled("Keys")
	p.focused = true
	p.aside = []piece{{theme.Muted, "esc closes"}}
	p.body = v.helpLines
	return p
}

// helpLines is the table of keys, what the signs mean beside or below it, as there is room; where there is none even
// for the table, its short form in two columns.
func (v *view) helpLines(w, h int) []string {
	const tableCells = 64
	var table []command
	for _, c := range v.commands {
		if c.in != onHelp && c.in != onTyping { // these are in the footer when they mean something
			table = append(table, c)
		}
	}
	var lines []string
	switch {
	case len(table) > h:
		half := (len(table) + 1) / 2
		for i := range half {
			l := newLine(v.th, w)
			for j := i; j < len(table); j += half {
				l.to(j/half*(w/2)).painted(v.helpLine(table[j], table[j].keys.Help().Desc, w/2), w/2)
			}
			lines = append(lines, l.String())
		}
	case w >= tableCells+54:
		reading := fitted(v.helpReading(w-tableCells), w-tableCells, h)
		for i := range h {
			left := blank(tableCells)
			if i < len(table) {
				left = v.helpLine(table[i], table[i].says, tableCells)
			}
			lines = append(lines, left+reading[i])
		}
	default:
		for _, c := range table {
			lines = append(lines, v.helpLine(c, c.says, w))
		}
		lines = append(append(lines, blank(w)), v.helpReading(w)...)
	}
	return lines
}

func (v *view) helpLine(c command, says string, w int) string {
	l := newLine(v.th, w).flush(11, theme.Key, own(strings.Join(shownKeys(c.keys), " "), &v.th.Glyphs))
	return l.skip(2).put(theme.Text, own(says, &v.th.Glyphs)).String()
}

// helpReading explains the signs.
func (v *view) helpReading(w int) []string {
	g := &v.th.Glyphs
	lines := []string{text(v.th, w, theme.Title, "Reading the screen")}
	for _, entry := range [][2]string{
		{"n/a", "nobody knows; never shown as 0"},
		{"~", "estimated: the server reports no tokens"},
		{"*", "too few samples for this percentile"},
		{"settling", "figures include the ramp of a change"},
		{g.Check + " " + g.Cross, "within the limit, beyond it"},
		{g.Rising + " " + g.Falling, "last 10 s against the 10 s before"},
		{"SLO line", "TTFT: its limit; ITL: that of TPOT"},
		{"goodput", "requests/s that kept every limit"},
		{"binding", "the limit missed most, beside goodput"},
		{"dispatch", "the client's own wait; never in TTFT"},
		{"TTFT+lag", "TTFT from when it was due, not sent"},
	} {
		l := newLine(v.th, w).flush(12, theme.Accent, entry[0])
		lines = append(lines, l.skip(2).put(theme.Text, entry[1]).String())
	}
	return lines
}
