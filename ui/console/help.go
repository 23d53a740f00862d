// This file is the help: the keys that mean something here, the commands that can be typed, and what the signs mean.

package console

import (
	"strings"

	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// help is whether it is open, and how far it is scrolled.
type help struct {
	open  bool
	first int // line
}

func (h *help) show() {
	*h = help{open: true}
}

func (h *help) hide() {
	h.open = false
}

// scroll moves it by lines, the last of which it can begin with is given.
func (h *help) scroll(by, last int) {
	h.first = max(min(h.first+by, last), 0)
}

// helpPanel lists the keys and says how to read the screen.
func (v *screen) helpPanel() cell.Panel {
	p := cell.Titled("Keys on the " + v.pages[v.open].name + " page")
	p.Focused = true
	p.Aside = []cell.Piece{cell.Muted("esc closes")}
	w, h := v.Inner(partHelp)
	lines := v.helpLines(w, h)
	first := min(v.helpFirst, max(len(lines)-h, 0))
	p.Foot = cell.Hidden(v.Theme, first, len(lines)-first-h)
	p.Body = func(int, int) []string {
		v.Rows(0, h, page.Region{Up: "up", Down: "down"})
		return lines[first:]
	}
	return p
}

// helpLast is the furthest line that the help can be scrolled to.
func (v *screen) helpLast() int {
	w, h := v.Inner(partHelp)
	return max(len(v.helpLines(w, h))-h, 0)
}

// helpLines is everything, for a panel of h lines: the keys beside the signs where there is room for both, above them
// where there is not; where there is none even for the keys, in their short form and two columns. The commands follow.
func (v *screen) helpLines(w, h int) []string {
	const keyCells, leastRest = 64, 50
	keys := v.helpKeys()
	var lines []string
	switch {
	case w >= keyCells+leastRest:
		reading := v.helpReading(w - keyCells)
		rows := max(len(keys), len(reading))
		reading = cell.Fitted(reading, w-keyCells, rows)
		for i := range rows {
			left := cell.Blank(keyCells)
			if i < len(keys) {
				left = v.helpLine(keys[i], keys[i].Says, keyCells)
			}
			lines = append(lines, left+reading[i])
		}
	case len(keys) > h:
		half := (len(keys) + 1) / 2
		for i := range half {
			l := cell.NewLine(v.Theme, w)
			for j := i; j < len(keys); j += half {
				l.To(j/half*(w/2)).Painted(v.helpLine(keys[j], keys[j].Binding.Help().Desc, w/2), w/2)
			}
			lines = append(lines, l.String())
		}
		lines = append(append(lines, cell.Blank(w)), v.helpReading(w)...)
	default:
		for _, c := range keys {
			lines = append(lines, v.helpLine(c, c.Says, w))
		}
		lines = append(append(lines, cell.Blank(w)), v.helpReading(w)...)
	}
	return append(append(lines, cell.Blank(w)), v.helpCommands(w)...)
}

// helpKeys are the keys that mean something on this page, enlarged panels included. Those of what covers a page stand in
// the footer when they mean something.
func (v *screen) helpKeys() []keyAction {
	in := keyContext{onPage | onZoom, v.open}
	var keys []keyAction
	for _, k := range v.keys {
		if k.meant(in) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (v *screen) helpLine(c keyAction, says string, w int) string {
	l := cell.NewLine(v.Theme, w).Flush(11, theme.Key, cell.FitGlyphs(strings.Join(shownKeys(c.Binding), " "), &v.Theme.Glyphs))
	return l.Skip(2).Put(theme.Text, cell.FitGlyphs(says, &v.Theme.Glyphs)).String()
}

// helpCommands lists what can be typed behind a colon.
func (v *screen) helpCommands(w int) []string {
	const says = 24 // the column in which it begins
	g := &v.Theme.Glyphs
	lines := []string{cell.Row(v.Theme, w, theme.Title, "The command line")}
	for i := range v.commands {
		o := &v.commands[i]
		l := cell.NewLine(v.Theme, w).Skip(1).Put(theme.Key, cell.FitGlyphs(":"+o.usage(), g))
		lines = append(lines, l.To(max(says, l.At+2)).Put(theme.Text, cell.FitGlyphs(o.says, g)).String())
	}
	return lines
}

// helpReading explains the signs.
func (v *screen) helpReading(w int) []string {
	g := &v.Theme.Glyphs
	lines := []string{cell.Row(v.Theme, w, theme.Title, "Reading the screen")}
	for _, entry := range [][2]string{
		{"n/a", "unknown; never shown as 0"},
		{"~", "estimated: the server reports no tokens"},
		{"*", "too few samples for this percentile"},
		{g.Ellipsis + " settling", "figures include the ramp of a change"},
		{g.Check + " " + g.Cross, "within the limit, beyond it"},
		{g.Rising + " " + g.Falling, "last 10 s against the 10 s before"},
		{"SLO line", "TTFT: its limit; ITL: that of TPOT"},
		{"goodput", "requests/s that kept every limit"},
		{"binding", "the limit missed most, beside goodput"},
		{"dispatch", "the client's own wait; never in TTFT"},
		{"mouse", "clicks, turns, points; shift selects"},
		{"TTFT+lag", "TTFT from when it was due, not sent"},
	} {
		l := cell.NewLine(v.Theme, w).Flush(12, theme.Accent, entry[0])
		lines = append(lines, l.Skip(2).Put(theme.Text, entry[1]).String())
	}
	return lines
}
