// This file lists what there is to say, and the last changes of the load.

package live

import (
	"math"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// notesPanel lists all notes and the last changes of the load.
func notesPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("Notes")
	p.Body = func(w, h int) []string {
		var lines []string
		all := figure.Notes(v)
		if len(all) == 0 {
			all = []cell.Note{figure.KnobHint()}
		}
		for _, n := range all {
			lines = append(lines, cell.NoteLines(v.Theme, n, w)...)
		}
		lines = append(lines, promptLines(v, w)...)
		if past := figure.Earlier(v); past != "" {
			lines = append(lines, cell.NoteLines(v.Theme, cell.Note{Role: theme.Muted, Text: "earlier: " + past}, w)...)
		}
		marks := cell.Last(v.Latest.Marks, max(h-len(lines)-1, 0))
		if len(marks) > 0 {
			lines = append(lines, cell.Blank(w))
		}
		for _, m := range marks {
			l := cell.NewLine(v.Theme, w).Skip(1).Put(theme.Muted, cell.Clock(v.Latest.Since(m.At)))
			lines = append(lines, l.Skip(2).Put(theme.Text, cell.Sanitise(m.Label, &v.Theme.Glyphs)).String())
		}
		return lines
	}
	return p
}

// promptLines say how long prompts are, against what was asked for; none where the server has counted no prompt.
func promptLines(v *page.Frame, w int) []string {
	p := &v.Latest.Prompts
	if p.N == 0 {
		return nil
	}
	l := cell.NewLine(v.Theme, w).Skip(1).Put(theme.Muted, "prompts: ").Put(theme.Text, string(p.Method))
	l.Put(theme.Muted, "  asked ").Put(theme.Text, cell.Exactly(math.Round(10*p.Asked)/10))
	l.Put(theme.Muted, "  got ").Put(theme.Text, cell.Exactly(math.Round(10*p.Achieved)/10))
	return []string{l.Put(theme.Muted, " (n="+cell.Grouped(int64(p.N))+")").String()}
}
