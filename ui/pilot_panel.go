// This file draws the autopilot: its way so far and ahead, what it waits for, and what it found.

package ui

import (
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/stage"
	"tokdyno/ui/theme"
)

// pilotWords are the autopilot in one line, where it has no panel; nil: there has been none.
func pilotWords(v *Frame) []piece {
	notes := pilotNotes(v)
	if len(notes) == 0 {
		return nil
	}
	return []piece{{notes[0].role, own(notes[0].text, &v.th.Glyphs)}}
}

// pilotPanel shows an autopilot run, or how to begin one.
func pilotPanel(v *Frame) panel {
	p := v.latest.Pilot
	t := titled("Autopilot")
	if p == nil {
		t.aside = []piece{{theme.Key, "a"}, {theme.Muted, " begins"}}
		t.body = func(w, h int) []string {
			return sentences(v.th, w, theme.Muted,
				"a: a ladder up the levels, each until it is measured, which draws the curve",
				"a again: a search for the highest load that holds the SLO",
				":auto takes levels of your own, and times; a hand on any knob takes the load back")
		}
		return t
	}
	t.title = append(t.title, piece{theme.Text, " " + string(p.Kind)})
	switch {
	case aloft(v.latest) != nil:
		t.aside = []piece{{theme.Accent, "flying"}}
		if left := timeLeft(p); left != "" {
			t.aside = []piece{{theme.Accent, left}}
		}
	case p.Finished:
		t.aside = []piece{{theme.Good, "landed"}}
	default:
		t.aside = []piece{{theme.Warn, "let go"}}
	}
	t.body = func(w, h int) []string { return autopilotLines(v, p, w, h) }
	return t
}

// autopilotLines are the rungs, as many as there is room for, above what the autopilot says.
func autopilotLines(v *Frame, p *engine.PilotView, w, h int) []string {
	role, sentence := theme.Text, p.Why
	if p.Finished {
		role, sentence = resultRole(p), p.Result.Sentence
	}
	said := sentences(v.th, w, role, sentence)
	rungs := p.Progress.Rungs
	room := max(h-len(said)-2, 0) // a heading, and a blank line between
	at := len(rungs) - 1
	for i := range rungs {
		if rungs[i].State == stage.Now {
			at = i
		}
	}
	var lines []string
	if room > 0 && len(rungs) > 0 {
		columns := rungColumnsOf(rungs, p.Axis)
		lines = append(lines, rungHead(v, columns, w))
		for i := firstShown(at, len(rungs), room); i < len(rungs) && len(lines) <= room; i++ {
			lines = append(lines, rungLine(v, &rungs[i], p.Axis, columns, w))
		}
		if len(rungs) < room {
			lines = append(lines, blank(w))
		}
	}
	return append(lines, said...)
}

// sentences writes each sentence over as many lines as it takes.
func sentences(th *theme.Theme, w int, role theme.Role, all ...string) []string {
	var lines []string
	for _, s := range all {
		for _, part := range wrapped(own(s, &th.Glyphs), w-2*inset) {
			lines = append(lines, newLine(th, w).skip(inset).put(role, part).String())
		}
	}
	return lines
}

// rungColumns is where the columns of the rungs begin, or end.
type rungColumns struct{ state, nEnd, outputEnd, note int }

// rungColumnsOf places them behind the longest level.
func rungColumnsOf(rungs []stage.Rung, axis stage.Axis) rungColumns {
	level := len("level")
	for i := range rungs {
		level = max(level, cells(axis.Name(rungs[i].Level)))
	}
	state := inset + level + 2
	return rungColumns{state: state, nEnd: state + 16, outputEnd: state + 24, note: state + 26}
}

func rungHead(v *Frame, at rungColumns, w int) string {
	l := newLine(v.th, w).skip(inset).put(theme.Muted, "level").flush(at.nEnd, theme.Muted, "n")
	return l.flush(at.outputEnd, theme.Muted, "tok/s").to(at.note).put(theme.Muted, "missed").String()
}

func rungLine(v *Frame, r *stage.Rung, axis stage.Axis, at rungColumns, w int) string {
	l := newLine(v.th, w).skip(inset)
	role := theme.Text
	switch r.State {
	case stage.Now:
		role = theme.Title
	case stage.Todo, stage.Skipped:
		role = theme.Muted
	}
	l.put(role, own(axis.Name(r.Level), &v.th.Glyphs)).to(at.state).pieces(rungState(v, r))
	if r.N > 0 {
		n := grouped(int64(r.N))
		if r.Few {
			n += "*"
		}
		l.flush(at.nEnd, role, n).flush(at.outputEnd, role, rate(r.Output))
	}
	return l.to(at.note).pieces(rungNote(r)).String()
}

// rungState says how a level came out, as glyph, word and colour.
func rungState(v *Frame, r *stage.Rung) []piece {
	g := &v.th.Glyphs
	switch r.State {
	case stage.Now:
		if aloft(v.latest) == nil {
			return []piece{{theme.Muted, g.Idle + " left off"}}
		}
		return []piece{{theme.Accent, g.Run + " now"}}
	case stage.Held:
		return []piece{{theme.Good, g.Check + " held"}}
	case stage.Missed:
		return []piece{{theme.Bad, g.Cross + " missed"}}
	case stage.Measured:
		return []piece{{theme.Text, g.Busy + " measured"}}
	case stage.Skipped:
		return []piece{{theme.Muted, g.Bullet + " skipped"}}
	}
	return []piece{{theme.Muted, g.Idle + " " + string(r.State)}}
}

// rungNote is the share that missed, and by what; or what else there is to say.
func rungNote(r *stage.Rung) []piece {
	switch {
	case r.N == 0 || r.State == stage.Todo:
		return []piece{{theme.Muted, r.Note}}
	case r.Binding != "":
		name, _, _ := strings.Cut(r.Binding, " <=")
		return []piece{{theme.Text, lost(r.Share).String()}, {theme.Muted, " " + name}}
	case r.Allowed > 0 || r.Share > 0:
		return []piece{{theme.Text, lost(r.Share).String()}}
	}
	return []piece{{theme.Muted, r.Note}}
}
