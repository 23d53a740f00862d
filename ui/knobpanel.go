// This file draws the knobs: what each is set to, which one the keys turn, and what it does at present.

package ui

import (
	"strconv"

	"tokdyno/ui/theme"
)

// panel draws the knobs: always the present, frozen or not.
func (d *Desk) panel(v *Frame) panel {
	p := titled("Knobs")
	switch {
	case d.typing:
		p.aside = []piece{{theme.Accent, "typing"}}
	case d.turning:
		p.aside = []piece{{theme.Accent, own("applying…", &v.th.Glyphs)}}
	default:
		p.aside = []piece{{theme.Muted, "live"}}
	}
	p.body = func(w, h int) []string { return d.lines(v, w, h) }
	_, h := v.inner(partKnobs)
	first := d.first(h)
	p.foot = hidden(v.th, first, len(d.knobs)-first-h)
	return p
}

// first is the knob at the top of h lines: where not all fit, the chosen one stays in sight.
func (d *Desk) first(h int) int { return firstShown(d.chosen, len(d.knobs), h) }

// firstShown is the first of n rows in h lines: the chosen one is in sight, in the middle where it can be.
func firstShown(chosen, n, h int) int { return min(max(chosen-h/2, 0), max(n-h, 0)) }

// hidden says how many rows lie above and below those in sight; nothing where all are.
func hidden(th *theme.Theme, above, below int) []piece {
	var out []piece
	if above > 0 {
		out = append(out, piece{theme.Muted, own("↑ "+strconv.Itoa(above), &th.Glyphs)})
	}
	if below > 0 {
		if out != nil {
			out = append(out, piece{theme.Muted, "  "})
		}
		out = append(out, piece{theme.Muted, own("↓ "+strconv.Itoa(below), &th.Glyphs)})
	}
	if out != nil {
		out = append(out, piece{theme.Muted, " more"})
	}
	return out
}

func (d *Desk) lines(v *Frame, w, h int) []string {
	first := d.first(h)
	var lines []string
	for i := first; i < len(d.knobs) && len(lines) < h; i++ {
		lines = append(lines, d.line(v, i, w))
	}
	return lines
}

func (d *Desk) line(v *Frame, i, w int) string {
	const (
		nameAt  = 2
		lessAt  = 16
		valueAt = 18 // and the value ends valueCells later
	)
	g, k := &v.th.Glyphs, &d.knobs[i]
	turned, applied := d.dial.shown(v.latest), d.dial.current(v.latest)
	valueCells := min(max(w-valueAt-3, 6), 11)
	moreAt := valueAt + valueCells + 1

	l := newLine(v.th, w)
	name, value, arrow := theme.Text, theme.Text, theme.Muted
	if i == d.chosen {
		name, value, arrow = theme.Title, theme.Title, theme.Key
		l.put(theme.Accent, g.Pointer)
	}
	l.to(nameAt).put(name, k.name(turned)).to(lessAt)
	if i == d.chosen && d.typing {
		before, after := d.entry.split(g)
		return l.put(theme.Key, g.More+" ").put(theme.Title, before).put(theme.Accent, g.AxisLine).put(theme.Title, after).String()
	}

	shown, was := foreign(k.value(turned), g), foreign(k.value(applied), g)
	switch {
	case shown != was:
		value = theme.Accent
	case shown == "off" || shown == "no cap":
		value = theme.Muted
	}
	l.put(arrow, g.Less).skip(1)
	within := newLine(v.th, min(cells(shown), valueCells)).put(value, shown)
	l.to(valueAt+valueCells-within.width).painted(within.String(), within.width)
	l.to(moreAt).put(arrow, g.More)

	note := newLine(v.th, max(w-moreAt-4, 0))
	if shown != was {
		note.put(theme.Muted, "was "+was)
	} else {
		if k.note != nil {
			note.put(theme.Muted, foreign(k.note(applied, v.latest), g))
		}
	}
	if note.width > 8 {
		l.skip(3).painted(note.String(), note.width)
	}
	return l.String()
}
