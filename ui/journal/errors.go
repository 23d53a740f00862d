// This file draws the failures by kind: how many, when, and what the first of them said.

package journal

import (
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The columns of the panel of failures, in cells.
const (
	kindCells   = 20
	numberCells = 9
	exampleFrom = cell.Inset + kindCells + 4*numberCells + 2
)

// errorLines are the lines that the panel of failures takes at a width.
func errorLines(s *snapshot.Snapshot, w int) int {
	const around = 3 // its frame, and the names of the columns
	n := around
	for i := range s.Problems {
		n += len(cell.Wrapped(s.Problems[i].Example, exampleCells(w-2)))
	}
	return n
}

func exampleCells(w int) int { return max(w-exampleFrom-cell.Inset, 8) }

// errorsPanel is a row for each kind of failure, the most frequent first.
func (p *Page) errorsPanel(v *page.Frame) cell.Panel {
	s := v.Shown
	t := cell.Titled("Errors")
	t.Focused = p.onErrors
	t.Title = append(t.Title, cell.Muted("  "), cell.Bad(cell.Grouped(int64(s.Counts.Failed))),
		cell.Muted(" of "+cell.Grouped(int64(s.Counts.OK+s.Counts.Failed))+" requests failed"))
	t.Body = func(w, h int) []string {
		head := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "kind")
		for i, name := range []string{"count", "share", "first", "last"} {
			head.Flush(cell.Inset+kindCells+(i+1)*numberCells, theme.Muted, name)
		}
		head.Skip(2).Put(theme.Muted, "the first of them said")
		rows, of := cell.Around(len(s.Problems), p.problem, h-1, func(i int) []string { return p.failure(v, i, w) })
		for y, i := range of {
			if region := (page.Region{Key: "enter"}); p.onErrors && i == p.problem {
				v.Rows(y+1, 1, region)
			} else {
				v.Rows(y+1, 1, page.Region{Hit: func(page.Host) { p.problem, p.onErrors = i, true }})
			}
		}
		return append([]string{head.String()}, rows...)
	}
	return t
}

// failure is one kind, over as many lines as its example takes.
func (p *Page) failure(v *page.Frame, i, w int) []string {
	s, g := v.Shown, &v.Theme.Glyphs
	o := &s.Problems[i]
	l := cell.NewLine(v.Theme, w)
	if p.onErrors && i == p.problem {
		l.Put(theme.Accent, g.Pointer)
	}
	l.To(cell.Inset).Put(theme.Bad, o.Name())
	share := cell.RoundUp(float64(o.Count) / float64(max(s.Counts.OK+s.Counts.Failed, 1))).String()
	for i, text := range []string{cell.Grouped(int64(o.Count)), share, clockAt(s, o.First), clockAt(s, o.Last)} {
		l.Flush(cell.Inset+kindCells+(i+1)*numberCells, theme.Text, text)
	}
	example := cell.Wrapped(cell.Sanitise(o.Example, g), exampleCells(w))
	if len(example) == 0 {
		return []string{l.String()}
	}
	out := []string{l.To(exampleFrom).Put(theme.Text, example[0]).String()}
	for _, part := range example[1:] {
		out = append(out, cell.NewLine(v.Theme, w).To(exampleFrom).Put(theme.Text, part).String())
	}
	return out
}
