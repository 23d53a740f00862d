// This file draws the knobs: what each is set to, which one the keys turn, and what it does at present.

package ui

import (
	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/ui/theme"
)

func (v *view) knobsPanel() panel {
	c := &v.controls
	p := titled("Knobs")
	switch {
	case c.input != nil:
		p.aside = []piece{{theme.Accent, "typing"}}
	case c.pending:
		p.aside = []piece{{theme.Accent, own("applying…", &v.th.Glyphs)}}
	default:
		p.aside = []piece{{theme.Muted, "live"}}
	}
	p.body = v.knobLines
	return p
}

func (v *view) knobLines(w, h int) []string {
	c := &v.controls
	// Where not all fit, the chosen one stays in sight.
	first := min(max(c.chosen-h/2, 0), max(len(c.knobs)-h, 0))
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
	if i == c.chosen && c.input != nil {
		return l.put(theme.Key, g.More+" ").put(theme.Title, c.input.before).
			put(theme.Accent, g.AxisLine).put(theme.Title, c.input.after).String()
	}

	shown, applied := own(k.value(c.turned), g), own(k.value(c.applied), g)
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
		note.put(theme.Muted, v.knobNote(i))
	}
	if note.width > 8 {
		l.skip(3).painted(note.String(), note.width)
	}
	return l.String()
}

// knobNote says in a few words what a knob does at present.
func (v *view) knobNote(i int) string {
	k := v.controls.applied
	switch i {
	case 0:
		if k.Load.Mode == load.Open {
			return "open loop"
		}
		return "closed loop"
	case 1:
		if k.Load.Mode == load.Open {
			return string(k.Load.Arrival)
		}
		return "turn up: open loop"
	case 2:
		if k.Shape.PrefixOverlap > 0 {
			return held(k.Shape.PrefixOverlap).String() + " common"
		}
	case 4:
		return v.within(slo.TTFT, k)
	case 5:
		return v.within(slo.TPOT, k)
	case 6:
		return v.within(slo.E2EL, k)
	}
	return ""
}

// within is the share of requests that kept one limit.
func (v *view) within(m slo.Metric, k engine.Knobs) string {
	score := &v.latest.Live.Score
	if k.SLO[m] == 0 {
		return ""
	}
	if score.Measured[m] == 0 {
		return unknown
	}
	return held(1-float64(score.Missed[m])/float64(score.Measured[m])).String() + " within"
}
