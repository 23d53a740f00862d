// This file draws what happened, a sentence each.

package journal

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

const (
	clockCells = 8  // of the time since the load began
	wallCells  = 10 // of the wall clock, with the gap before it
	topicCells = 11 // with the gap before it
	wideEnough = 100
)

// clockAt is when something was, since the load began; what was before that is at 0.
func clockAt(s *snapshot.Snapshot, at record.Instant) string { return cell.Clock(s.Since(at)) }

// eventsPanel is what happened: the newest at the bottom, or the chosen one in sight.
func (p *Page) eventsPanel(v *page.Frame) cell.Panel {
	t := cell.Titled("Log")
	t.Focused = !p.onErrors
	switch n := cell.Grouped(int64(len(p.kept))); {
	case p.find.text != "":
		t.Title = append(t.Title, cell.Muted("  "), cell.Accent(cell.Sanitise(p.find.text, &v.Theme.Glyphs)),
			cell.Muted("  "), cell.Text(n), cell.Muted(" of "+cell.Grouped(int64(len(v.Shown.Events)))))
	default:
		t.Title = append(t.Title, cell.Muted("  "), cell.Text(n), cell.Muted(" events"))
	}
	if p.find.typing {
		t.Foot = p.find.pieces(v)
	}
	t.Coda = []cell.Piece{cell.Muted("follows the newest")}
	if p.chosen > 0 {
		t.Coda = []cell.Piece{cell.Muted("stands still; "), cell.Key("G"), cell.Muted(" follows")}
	}
	t.Body = func(w, h int) []string {
		if len(p.kept) == 0 {
			sentence := p.noRow(nil)
			if v.Shown.Replay != nil && p.find.text == "" {
				sentence = "the recording says of nothing that happened up to here"
			}
			return cell.Centred(v.Theme, w, h, sentence)
		}
		at := len(p.kept) - 1
		if p.chosen > 0 {
			at = p.chosen - 1
		}
		lines, of := cell.Around(len(p.kept), at, h, func(i int) []string { return p.event(v, i, w) })
		for y, i := range of {
			v.Rows(y, 1, page.Region{Hit: func(page.Host) { p.chosen, p.onErrors = i+1, false }, Up: "up", Down: "down"})
		}
		return lines
	}
	return t
}

// event is one of those that are kept, over as many lines as its sentence takes.
func (p *Page) event(v *page.Frame, at, w int) []string {
	s, g := v.Shown, &v.Theme.Glyphs
	e := &s.Events[p.kept[at]]
	indent := cell.Inset + clockCells + topicCells + 1
	wall := w >= wideEnough && !s.Started.IsZero()
	if wall {
		indent += wallCells
	}
	role, sign := signOf(v.Theme, e.Weight)
	var out []string
	for i, part := range cell.Wrapped(cell.Sanitise(e.Text, g), max(w-indent-3, 8)) {
		l := cell.NewLine(v.Theme, w)
		if i > 0 {
			out = append(out, l.To(indent+2).Put(roleOf(e.Weight), part).String())
			continue
		}
		if at == p.chosen-1 {
			l.Put(theme.Accent, g.Pointer)
		}
		l.Flush(cell.Inset+clockCells, theme.Muted, clockAt(s, e.At))
		if wall {
			l.Flush(cell.Inset+clockCells+wallCells, theme.Muted, s.Started.Add(s.Since(e.At)).Format(time.TimeOnly))
		}
		l.To(indent-topicCells).Put(theme.Muted, string(e.Topic))
		out = append(out, l.To(indent).Put(role, sign).To(indent+2).Put(roleOf(e.Weight), part).String())
	}
	return out
}

// signOf is the glyph of a weight, so that it is told apart without colour, and its role.
func signOf(th *theme.Theme, w snapshot.Weight) (theme.Role, string) {
	switch w {
	case snapshot.Good:
		return theme.Good, th.Glyphs.Check
	case snapshot.Caution:
		return theme.Warn, th.Glyphs.Alert
	case snapshot.Bad:
		return theme.Bad, th.Glyphs.Cross
	}
	return theme.Muted, th.Glyphs.Bullet
}

// roleOf is the role of an event's sentence.
func roleOf(w snapshot.Weight) theme.Role {
	if w == snapshot.Neutral {
		return theme.Text
	}
	role, _ := signOf(&theme.Theme{}, w)
	return role
}
