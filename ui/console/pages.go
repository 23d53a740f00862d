// This file is the table of pages, and how they are chosen.

package console

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/curve"
	"tokdyno/ui/journal"
	"tokdyno/ui/knob"
	"tokdyno/ui/live"
	"tokdyno/ui/machine"
	"tokdyno/ui/page"
	"tokdyno/ui/requests"
	"tokdyno/ui/stages"
	"tokdyno/ui/theme"
	"tokdyno/ui/workers"
)

// numbered is a page with the digit that chooses it.
type numbered struct {
	number int
	tab    string // its name where there is little room
	name   string // as in "on the Stages page"
	says   string // what it shows
	page.Page
}

// allPages returns every page in its first state, in order. A page is added here.
func allPages(desk *knob.Desk) []numbered {
	return []numbered{
		{1, "Live", "Live", "gauges, charts and knobs", live.New(desk)},
		{2, "Curve", "Curve", "what each load gave; the autopilot", curve.New()},
		{3, "Requests", "Requests", "each request as a bar", requests.New()},
		{4, "GPU", "GPU & server", "accelerators, the inference server, efficiency and advice", machine.New()},
		{5, "Stages", "Stages", "every load so far, and two of them compared", stages.New()},
		{6, "Log", "Log", "what happened, in order, and what failed, by kind", journal.New()},
		{7, "Workers", "Workers", "the processes that make the load, where several do", workers.New()},
	}
}

// pagesOf are the pages that there is something on, by the first snapshot.
func pagesOf(s *snapshot.Snapshot, desk *knob.Desk) []numbered {
	pages := allPages(desk)
	if s.Workers == nil {
		return pages[:len(pages)-1]
	}
	return pages
}

// choosePage shows the i-th page.
func (m *model) choosePage(i int) tea.Cmd {
	m.turnTo(i)
	return m.pages[i].See(m)
}

// turnTo opens the i-th page, which is yet to see what there is.
func (m *model) turnTo(i int) {
	if i != m.open {
		if z, ok := m.pages[m.open].Page.(page.Zoomer); ok {
			z.Unzoom()
		}
		m.open = i
	}
}

// From so many cells on the tabs have room for the name of the open page, and for those of all.
const (
	openNamed = 100
	allNamed  = 160
)

// tabs writes the numbers of all pages, the open one with its name and in brackets: "1 2 [3 Requests] 4". They end in a column; a
// click on one chooses its page.
func (v *screen) tabs(end int) (out []cell.Piece) {
	defer func() {
		at := end - cell.WidthOf(out)
		for i := range v.pages {
			gap, tab := out[2*i], out[2*i+1]
			at += cell.Width(gap.Text)
			v.Region(page.Region{Rect: page.Rect{X: at, Y: 0, W: cell.Width(tab.Text), H: 1}, Key: strconv.Itoa(v.pages[i].number)})
			at += cell.Width(tab.Text)
		}
	}()
	for i, p := range v.pages {
		gap, role := " ", theme.Muted
		switch i {
		case v.open:
			gap, role = "[", theme.Title
		case v.open + 1:
			gap = "]"
		}
		text := strconv.Itoa(p.number)
		if v.W >= allNamed || i == v.open && v.W >= openNamed {
			text += " " + p.tab
		}
		out = append(out, cell.Muted(gap), cell.In(role, text))
	}
	if v.open == len(v.pages)-1 {
		return append(out, cell.Muted("]"))
	}
	return append(out, cell.Muted(" "))
}

// showRequests turns to those that a filter keeps, the highest of a figure first.
func (m *model) showRequests(filter string, by query.Figure) error {
	for i := range m.pages {
		if finder, ok := m.pages[i].Page.(page.Finder); ok {
			if err := finder.Find(filter, by); err != nil {
				return err
			}
			m.turnTo(i)
		}
	}
	return nil
}

// ShowRequests shows those that a filter keeps; the page that asked sees to it that there is such a filter.
func (m *model) ShowRequests(filter string, by query.Figure) {
	if err := m.showRequests(filter, by); err != nil {
		m.Say(theme.Bad, "%s", cell.OneLine(err))
	}
}
