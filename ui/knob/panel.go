// This file draws the knobs: what each is set to, which one the keys turn, and what it does at present.

package knob

import (
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Panel draws the knobs: always the present, frozen or not.
func (d *Desk) Panel(v *page.Frame) cell.Panel {
	p := cell.Titled("Knobs")
	switch {
	case d.Typing:
		p.Aside = []cell.Piece{cell.Accent("typing")}
	case d.Turning:
		p.Aside = []cell.Piece{cell.Accent(cell.FitGlyphs("applying…", &v.Theme.Glyphs))}
	case v.Latest.Replay != nil:
		p.Aside = []cell.Piece{cell.Muted("as recorded")}
	default:
		p.Aside = []cell.Piece{cell.Muted("live")}
	}
	p.Body = func(w, h int) []string { return d.lines(v, w, h) }
	_, h := v.Inner(page.Knobs)
	first := d.first(h)
	p.Foot = cell.Hidden(v.Theme, first, len(d.knobs)-first-h)
	return p
}

// first is the knob at the top of h lines: where not all fit, the chosen one stays in sight.
func (d *Desk) first(h int) int { return d.held.First(d.at, len(d.knobs), h) }

func (d *Desk) lines(v *page.Frame, w, h int) []string {
	first := d.first(h)
	var lines []string
	for i := first; i < len(d.knobs) && len(lines) < h; i++ {
		d.regions(v, i, len(lines), first, w)
		lines = append(lines, d.line(v, i, w))
	}
	return lines
}

// The columns of a knob's line. The value ends valueCells after it begins.
const (
	nameAt  = 2
	lessAt  = 16
	valueAt = 18
)

func valueCells(w int) int { return min(max(w-valueAt-3, 6), 11) }

// moreAt is where a value's second arrow stands.
func moreAt(w int) int { return valueAt + valueCells(w) + 1 }

// regions are what the mouse does on a knob's line: a click chooses it, another types into it; its arrows and the wheel turn it.
func (d *Desk) regions(v *page.Frame, i, y, first, w int) {
	choose := func(page.Host) {
		d.at = i
		d.held.Keep(first)
	}
	row := page.Region{Hit: choose, Up: "+", Down: "-", Turns: true}
	if i == d.at {
		row.Key = "e"
	}
	v.Rows(y, 1, row)
	row.Key = "-"
	v.Cells(lessAt, y, 1, 1, row)
	row.Key = "+"
	v.Cells(moreAt(w), y, 1, 1, row)
}

func (d *Desk) line(v *page.Frame, i, w int) string {
	g, turned, applied := &v.Theme.Glyphs, d.Shown(v.Latest), d.Current(v.Latest)
	k := d.knobs[i].Setting(turned)
	valueCells, moreAt := valueCells(w), moreAt(w)

	l := cell.NewLine(v.Theme, w)
	name, value, arrow := theme.Text, theme.Text, theme.Muted
	if i == d.at {
		name, value, arrow = theme.Title, theme.Title, theme.Key
		l.Put(theme.Accent, g.Pointer)
	}
	l.To(nameAt).Put(name, k.Title).To(lessAt)
	if i == d.at && d.Typing {
		before, after := d.Entry.Split(g)
		return l.Put(theme.Key, g.More+" ").Put(theme.Title, before).Put(theme.Accent, g.AxisLine).Put(theme.Title, after).String()
	}

	shown, was := cell.Sanitise(k.Print(turned), g), cell.Sanitise(k.Print(applied), g)
	switch {
	case shown != was:
		value = theme.Accent
	case k.Off(turned):
		value = theme.Muted
	}
	l.Put(arrow, g.Less).Skip(1)
	within := cell.NewLine(v.Theme, min(cell.Width(shown), valueCells)).Put(value, shown)
	l.To(valueAt+valueCells-within.Width).Painted(within.String(), within.Width)
	l.To(moreAt).Put(arrow, g.More)

	note := cell.NewLine(v.Theme, max(w-moreAt-4, 0))
	if shown != was {
		note.Put(theme.Muted, "was "+was)
	} else {
		note.Put(theme.Muted, cell.Sanitise(k.Note(applied, v.Latest), g))
	}
	if note.Width > 8 {
		l.Skip(3).Painted(note.String(), note.Width)
	}
	return l.String()
}
