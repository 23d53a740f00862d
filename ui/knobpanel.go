// This file draws the knobs: what each is set to, which one the keys turn, and what it does at present.

package ui

import (
	"strconv"

	"tokdyno/ui/theme"
)

func (v *view) knobsPanel() panel {
	c := &v.controls
	p := titled("Knobs")
	switch {
	case c.typing:
		p.aside = []piece{{theme.Accent, "typing"}}
	case c.pending:
		p.aside = []piece{{theme.Accent, own("applying…", &v.th.Glyphs)}}
	default:
		p.aside = []piece{{theme.Muted, "live"}}
	}
	p.body = v.knobLines
	p.foot = v.knobsHidden()
	return p
}

// firstKnob is the one at the top of h lines: where not all fit, the chosen one stays in sight.
func (c *controls) firstKnob(h int) int { return firstShown(c.chosen, len(c.knobs), h) }

// firstShown is the first of n rows in h lines: the chosen one is in sight, in the middle where it can be.
func firstShown(chosen, n, h int) int { return min(max(chosen-h/2, 0), max(n-h, 0)) }

// knobsHidden says how many knobs lie above and below those in sight.
func (v *view) knobsHidden() []piece {
	_, h := v.inner(partKnobs)
	first := v.controls.firstKnob(h)
	return v.hidden(first, len(v.controls.knobs)-first-h)
}

// hidden says how many rows lie above and below those in sight; nothing where all are.
func (v *view) hidden(above, below int) []piece {
	var out []piece
	if above > 0 {
		out = append(out, piece{theme.Muted, own("↑ "+strconv.Itoa(above), &v.th.Glyphs)})
	}
	if below > 0 {
		if out != nil {
			out = append(out, piece{theme.Muted, "  "})
		}
		out = append(out, piece{theme.Muted, own("↓ "+strconv.Itoa(below), &v.th.Glyphs)})
	}
	if out != nil {
		out = append(out, piece{theme.Muted, " more"})
	}
	return out
}

func (v *view) knobLines(w, h int) []string {
	c := &v.controls
	first := c.firstKnob(h)
	var lines []string
	for i := first; i < len(c.knobs) && len(lines) < h; i++ {
		lines = append(lines, v.knobLine(i, w))
	}
	return lines
}

func (v *view) knobLine(i, w int) string {
	const (
		nameAt  = 2
		lessAt  = 16
		valueAt = 18 // and the value ends valueCells later
	)
	c, g := &v.controls, &v.th.Glyphs
	k := &c.knobs[i]
	valueCells := min(max(w-valueAt-3, 6), 11)
	moreAt := valueAt + valueCells + 1

	l := newLine(v.th, w)
	name, value, arrow := theme.Text, theme.Text, theme.Muted
	if i == c.chosen {
		name, value, arrow = theme.Title, theme.Title, theme.Key
		l.put(theme.Accent, g.Pointer)
	}
	l.to(nameAt).put(name, k.name(c.turned)).to(lessAt)
	if i == c.chosen && c.typing {
		return l.put(theme.Key, g.More+" ").put(theme.Title, c.input.before).
			put(theme.Accent, g.AxisLine).put(theme.Title, c.input.after).String()
	}

	shown, applied := foreign(k.value(c.turned), g), foreign(k.value(c.applied), g)
	switch {
	case shown != applied:
		value = theme.Accent
	case shown == "off" || shown == "no cap":
		value = theme.Muted
	}
	l.put(arrow, g.Less).skip(1)
	within := newLine(v.th, min(cells(shown), valueCells)).put(value, shown)
	l.to(valueAt+valueCells-within.width).painted(within.String(), within.width)
	l.to(moreAt).put(arrow, g.More)

	note := newLine(v.th, max(w-moreAt-4, 0))
	if shown != applied {
		note.put(theme.Muted, "was "+applied)
	} else {
		if k.note != nil {
			note.put(theme.Muted, foreign(k.note(c.applied, v.latest), g))
		}
	}
	if note.width > 8 {
		l.skip(3).painted(note.String(), note.width)
	}
	return l.String()
}
