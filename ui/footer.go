// This file is the last line, and the help: what the keys do.

package ui

import (
	"cmp"
	"slices"
	"strings"

	"tokdyno/ui/theme"
)

// context is where the keys go at present.
func (v *view) context() context {
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

// footer draws the last line: keys as far as they fit, and how far the client lags behind its own schedule.
func (v *view) footer(w int) string {
	health := v.dispatch()
	room := w - runCells(health) - 3

	var shown []command
	for _, c := range v.commands {
		if c.footer > 0 && c.in&v.context() != 0 {
			shown = append(shown, c)
		}
	}
	slices.SortFunc(shown, func(a, b command) int { return cmp.Compare(a.footer, b.footer) })

	l := newLine(v.th, w).skip(1)
	quit := len(shown) - 1 // how to leave is always said
	reserved := 0
	if quit >= 0 {
		h := shown[quit].keys.Help()
		reserved = cells(h.Key) + cells(h.Desc) + 3
	}
	for i, c := range shown {
		h := c.keys.Help()
		name := own(h.Key, &v.th.Glyphs)
		n := cells(name) + 1 + cells(h.Desc)
		if i != quit && l.at+n+2+reserved > room {
			continue
		}
		l.put(theme.Key, name).skip(1).put(theme.Muted, h.Desc).skip(2)
	}
	if runCells(health) < l.room() {
		l.to(w - runCells(health) - 1).runs(health)
	}
	return l.String()
}

// dispatch is the dispatch lag: what requests wait on the client's side.
func (v *view) dispatch() []run {
	d := &v.shown.Live.DispatchLag
	if d.N == 0 {
		return []run{{theme.Muted, "dispatch p99 " + unknown}}
	}
	return []run{{theme.Muted, "dispatch p99 "}, {theme.Text, latency(d.P99).String()}}
}

// helpPanel lists the keys and says how to read the screen.
func (v *view) helpPanel() panel {
	p := titled("Keys")
	p.focused = true
	p.aside = []run{{theme.Muted, "esc closes"}}
	p.body = func(w, h int) []string {
		keys := v.helpKeys()
		reading := v.helpReading(w)
		two := w >= 110
		if !two && len(keys)+len(reading)+1 > h {
			reading = nil
		}
		if !two {
			lines := append(padded(keys, w), blank(w))
			return append(lines, reading...)
		}
		half := w / 2
		left, right := fitted(padded(keys, half), half, h), fitted(v.helpReading(w-half), w-half, h)
		lines := make([]string, h)
		for i := range lines {
			lines[i] = left[i] + right[i]
		}
		return lines
	}
	return p
}

// helpKeys are the lines of the table.
func (v *view) helpKeys() []func(w int) string {
	var lines []func(int) string
	for _, c := range v.commands {
		if c.in == onHelp {
			continue
		}
		lines = append(lines, func(w int) string {
			l := newLine(v.th, w)
			l.flush(16, theme.Key, own(strings.Join(shownKeys(c.keys), " "), &v.th.Glyphs))
			return l.skip(2).put(theme.Text, own(c.says, &v.th.Glyphs)).String()
		})
	}
	return lines
}

func padded(lines []func(int) string, w int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l(w)
	}
	return out
}

// helpReading explains the signs.
func (v *view) helpReading(w int) []string {
	g := &v.th.Glyphs
	lines := []string{text(v.th, w, theme.Title, "Reading the screen")}
	for _, entry := range [][2]string{
		{"n/a", "nobody knows: never shown as 0"},
		{"~", "an estimate: the server reports no token counts"},
		{"*", "too few samples for this percentile"},
		{"settling", "the figures include the ramp after a change"},
		{g.Check + " " + g.Cross, "within the limit, beyond it"},
		{g.Rising + " " + g.Falling, "the last 10 s against the 10 s before"},
		{"SLO line", "TTFT: its limit; ITL: the limit of TPOT"},
		{"goodput", "requests per second that kept every limit"},
		{"binding", "the limit that most requests miss, named beside goodput"},
		{"dispatch", "what a request waits in the client; never part of TTFT"},
		{"from sched", "TTFT from when the request was due, not sent"},
	} {
		l := newLine(v.th, w).flush(12, theme.Accent, entry[0])
		lines = append(lines, l.skip(2).put(theme.Text, entry[1]).String())
	}
	return lines
}
