// This file draws the autopilot: its way so far and ahead, what it waits for, and what it found.

package curve

import (
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// pilotWords are the autopilot in one line, where it has no panel; nil: there has been none.
func pilotWords(v *page.Frame) []cell.Piece {
	shown := *v
	shown.Latest = v.Shown // as the table of levels
	notes := figure.PilotNotes(&shown)
	if len(notes) == 0 {
		return nil
	}
	return []cell.Piece{cell.In(notes[0].Role, cell.FitGlyphs(notes[0].Text, &v.Theme.Glyphs))}
}

// pilotPanel shows an autopilot run, or how to begin one. It is of the moment that the table of levels is of.
func pilotPanel(v *page.Frame) cell.Panel {
	if v.Shown.Duel != nil {
		return sidesPilot(v)
	}
	p := v.Shown.Pilot
	t := cell.Titled("Autopilot")
	if p == nil {
		t.Aside = []cell.Piece{cell.Key("a"), cell.Muted(" begins")}
		t.Body = func(w, h int) []string {
			return cell.Sentences(v.Theme, w, theme.Muted,
				"a: a ladder up the levels, each until it is measured, which draws the curve",
				"a again: a search for the highest load that holds the SLO",
				":auto takes your own levels and times; turning any knob stops the autopilot")
		}
		return t
	}
	t.Title = append(t.Title, cell.Text(" "+string(p.Kind)))
	switch {
	case figure.RunningPilot(v.Shown) != nil:
		t.Aside = []cell.Piece{cell.Accent("running")}
		if left := figure.TimeLeft(p); left != "" {
			t.Aside = []cell.Piece{cell.Accent(left)}
		}
	case p.Finished:
		t.Aside = []cell.Piece{cell.Good("done")}
	default:
		t.Aside = []cell.Piece{cell.Warn("stopped")}
	}
	t.Body = func(w, h int) []string { return autopilotLines(v, p, w, h) }
	return t
}

// autopilotLines are the rungs, as many as there is room for, above what the autopilot says.
func autopilotLines(v *page.Frame, p *snapshot.PilotView, w, h int) []string {
	role, sentence := theme.Text, p.Why
	if p.Finished {
		role, sentence = figure.Found(v.Shown)
	}
	said := cell.Sentences(v.Theme, w, role, sentence)
	if figure.RunningPilot(v.Shown) != nil {
		for _, more := range []string{figure.NextLevel(p), p.Remark} {
			if more != "" {
				said = append(said, cell.Sentences(v.Theme, w, theme.Muted, more)...)
			}
		}
	}
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
		for i := cell.FirstShown(at, len(rungs), room); i < len(rungs) && len(lines) <= room; i++ {
			lines = append(lines, rungLine(v, &rungs[i], p.Axis, columns, w))
		}
		if len(rungs) < room {
			lines = append(lines, cell.Blank(w))
		}
	}
	return append(lines, said...)
}

// rungColumns is where the columns of the rungs begin, or end.
type rungColumns struct{ state, nEnd, outputEnd, note int }

// rungColumnsOf places them behind the longest level.
func rungColumnsOf(rungs []stage.Rung, axis stage.Axis) rungColumns {
	level := len("level")
	for i := range rungs {
		level = max(level, cell.Width(axis.Name(rungs[i].Level)))
	}
	state := cell.Inset + level + 2
	return rungColumns{state: state, nEnd: state + 16, outputEnd: state + 24, note: state + 26}
}

func rungHead(v *page.Frame, at rungColumns, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "level").Flush(at.nEnd, theme.Muted, "judged")
	return l.Flush(at.outputEnd, theme.Muted, "tok/s").To(at.note).Put(theme.Muted, "missed").String()
}

func rungLine(v *page.Frame, r *stage.Rung, axis stage.Axis, at rungColumns, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset)
	role := theme.Text
	switch r.State {
	case stage.Now:
		role = theme.Title
	case stage.Todo, stage.Skipped:
		role = theme.Muted
	}
	l.Put(role, cell.FitGlyphs(axis.Name(r.Level), &v.Theme.Glyphs)).To(at.state)
	if now := v.Shown.Rung(*r); now.State != r.State || r.Stuck { // what was judged of it then would contradict the table of levels
		role, sign := figure.Sign(v.Theme, slo.Verdict(now.State))
		return l.Put(role, sign+" "+now.Note).String()
	}
	l.Pieces(rungState(v, r))
	if r.N > 0 {
		n := cell.Grouped(int64(r.N))
		if r.Few {
			n += "*"
		}
		l.Flush(at.nEnd, role, n).Flush(at.outputEnd, role, cell.Rate(r.Output))
	}
	return l.To(at.note).Pieces(rungNote(r)).String()
}

// rungState says how a level came out, as glyph, word and colour.
func rungState(v *page.Frame, r *stage.Rung) []cell.Piece {
	g := &v.Theme.Glyphs
	switch r.State {
	case stage.Now:
		if figure.RunningPilot(v.Shown) == nil {
			return []cell.Piece{cell.Muted(g.Idle + " cut short")}
		}
		return []cell.Piece{cell.Accent(g.Run + " now")}
	case stage.Held, stage.Missed, stage.Unknown:
		role, sign := figure.Sign(v.Theme, slo.Verdict(r.State))
		return []cell.Piece{cell.In(role, sign+" "+string(r.State))}
	case stage.Measured:
		return []cell.Piece{cell.Text(g.Busy + " measured")}
	case stage.Skipped:
		return []cell.Piece{cell.Muted(g.Bullet + " skipped")}
	}
	return []cell.Piece{cell.Muted(g.Idle + " " + string(r.State))}
}

// rungNote is the share that missed, and by what; or what else there is to say.
func rungNote(r *stage.Rung) []cell.Piece {
	switch {
	case r.N == 0 || r.State == stage.Todo:
		return []cell.Piece{cell.Muted(r.Note)}
	case r.State == stage.Unknown && r.Note == "":
		return []cell.Piece{cell.Muted(r.Judged.Why)}
	case r.State == stage.Unknown:
		return []cell.Piece{cell.Muted(r.Note)}
	case r.Binding != "":
		name, _, _ := strings.Cut(r.Binding, " <=")
		return []cell.Piece{cell.Text(cell.RoundUp(r.Share).String()), cell.Muted(" " + name)}
	case (r.Allowed > 0 || r.Share > 0) && r.Note != "":
		return []cell.Piece{cell.Text(cell.RoundUp(r.Share).String()), cell.Muted(" " + r.Note)}
	case r.Allowed > 0 || r.Share > 0:
		return []cell.Piece{cell.Text(cell.RoundUp(r.Share).String())}
	}
	return []cell.Piece{cell.Muted(r.Note)}
}
