// This file is the table of pages, and how they are chosen.

package ui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// numbered is a page with the digit that chooses it.
type numbered struct {
	number int
	name   string // as in "on the Stages page"
	says   string // what it shows
	Page
}

// allPages returns every page in its first state, in order. A page is added here.
func allPages(desk *Desk) []numbered {
	return []numbered{
		{1, "Live", "gauges, charts and knobs", newLivePage(desk)},
		{2, "Curve", "what each load gave; the autopilot", newCurvePage()},
		{4, "GPU & server", "accelerators, the inference server, efficiency and advice", newMachinePage()},
		{5, "Stages", "every load so far, and two of them compared", newStagesPage()},
	}
}

// choosePage shows the i-th page.
func (m *model) choosePage(i int) tea.Cmd {
	if i != m.open {
		if z, ok := m.pages[m.open].Page.(Zoomer); ok {
			z.unzoom()
		}
		m.open = i
	}
	return m.pages[i].see(m)
}

// tabs writes the numbers of all pages, the open one in brackets: "1[5]".
func (v *screen) tabs() []piece {
	var out []piece
	for i, p := range v.pages {
		gap, role := " ", theme.Muted
		switch i {
		case v.open:
			gap, role = "[", theme.Title
		case v.open + 1:
			gap = "]"
		}
		out = append(out, piece{theme.Muted, gap}, piece{role, strconv.Itoa(p.number)})
	}
	if v.open == len(v.pages)-1 {
		return append(out, piece{theme.Muted, "]"})
	}
	return append(out, piece{theme.Muted, " "})
}
