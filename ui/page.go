// This file is the pages: what stands between the header and the advice line, chosen with a digit.

package ui

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// page is one of them. It holds its own state, such as a cursor, which only its commands and see change; arranging and
// drawing only read it.
type page interface {
	// commands returns the keys that mean something only here. They name the page's own context.
	commands() []command
	// see looks at a new snapshot.
	see(m *model) tea.Cmd
	// arrange places the page's parts so that they tile the body.
	arrange(a *arranger, body rect)
	// draw returns the p.h lines of p.w cells of a part that arrange placed.
	draw(v *view, p place) []string
}

// numbered is a page with the digit that chooses it.
type numbered struct {
	page
	number int
	name   string     // as in "on the Stages page"
	says   string     // what it shows
	in     keyContext // where its own keys mean something
}

// Numbers of pages. Each page counts its parts from a hundred times its number, so that those of two pages never meet.
const (
	liveNumber   = 1
	curveNumber  = 2
	gpuNumber    = 4
	stagesNumber = 5
)

// allPages returns every page in its first state, in order. A page is added here, and its context to keyContext and to
// onPages.
func allPages() []numbered {
	return []numbered{
		{&livePage{}, liveNumber, "Live", "gauges, charts and knobs", onLive},
		{&curvePage{}, curveNumber, "Curve", "what each load gave; the autopilot", onCurve},
		{&gpuPage{}, gpuNumber, "GPU & server", "accelerators, the inference server, efficiency and advice", onGPU},
		{&stagesPage{}, stagesNumber, "Stages", "every load so far, and two of them compared", onStages},
	}
}

// pageCommands returns the keys that choose pages, and those of the pages themselves.
func pageCommands(pages []numbered) []command {
	var table []command
	for i, p := range pages {
		digit := strconv.Itoa(p.number)
		table = append(table, command{
			keys: bind(digit, p.name, digit), in: onPages | onZoom,
			do:   func(m *model) tea.Cmd { return m.choosePage(i) },
			says: fmt.Sprintf("the %s page: %s", p.name, p.says),
		})
	}
	for _, p := range pages {
		table = append(table, p.commands()...)
	}
	return table
}

// choosePage shows the i-th page.
func (m *model) choosePage(i int) tea.Cmd {
	if i != m.open {
		m.open, m.zoomed = i, false
	}
	return m.pages[i].see(m)
}

// tabs writes the numbers of all pages, the open one in brackets: "1[5]".
func (v *view) tabs() []piece {
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
