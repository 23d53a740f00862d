// This file is the Log page: its keys and its parts.

package journal

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/page"
)

// The parts of the Log page.
const (
	partErrors page.Part = iota
	partEvents
)

// Page holds what was chosen.
type Page struct {
	find     find
	kept     []int // the events that the filter keeps, by their places in the snapshot
	seen     int   // how many events were looked at
	chosen   int   // one more than the place among kept; 0: it follows the newest
	onErrors bool  // the keys move among the failures
	problem  int   // the one that is chosen there
}

// New returns the page in its first state.
func New() *Page { return &Page{find: find{entry: page.NewEntry()}} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "row", "down", "j"), Footer: 3, Repeats: true, Do: p.down, Why: p.noRow,
			Says: "the next event or failure; the page stands still while an event is chosen",
		},
		{Binding: page.Bind("↑", "row before", "up", "k"), Repeats: true, Do: p.up, Why: p.noRow, Says: "the one before"},
		{
			Binding: page.Bind("pgdn", "page", "pgdown"), Repeats: true, Do: p.pageDown, Why: p.noRow,
			Says: "some rows further",
		},
		{
			Binding: page.Bind("pgup", "page back", "pgup"), Repeats: true, Do: p.pageUp, Why: p.noRow,
			Says: "some rows back",
		},
		{Binding: page.Bind("g", "first", "g", "home"), Do: p.first, Why: p.noRow, Says: "the first row"},
		{Binding: page.Bind("G", "newest", "G", "end"), Footer: 6, Do: p.follow, Says: "follow the newest again"},
		{
			Binding: page.Bind("/", "filter", "/"), Footer: 3, Leads: true, Do: p.beginFilter,
			Says: "show the events that have all of the words: a topic such as failure or stage, or a piece of the sentence",
		},
		{
			Binding: page.Bind("tab", "errors", "tab"), Footer: 4, Do: p.toggle, Why: noErrors,
			Says: "between the events and the failures",
		},
		{
			Binding: page.Bind("enter", "requests", "enter"), Footer: 4, Do: p.requests, Why: p.noProblem,
			Says: "the requests that failed so, on the page of requests",
		},
		{Binding: page.Bind("esc", "clear", "esc"), Footer: 5, Do: p.clear, Says: "drop the choice; again: the filter"},
	}
}

// noRow says why no row can be chosen; "" where one can.
func (p *Page) noRow(page.Host) string {
	switch {
	case p.onErrors || len(p.kept) > 0:
		return ""
	case p.find.text != "":
		return "no event has these words; / filters otherwise, esc shows all"
	}
	return "nothing has happened yet"
}

// noErrors says why there are no failures to choose from; "" where there are.
func noErrors(h page.Host) string {
	if len(h.Frame().Shown.Problems) == 0 {
		return "no request has failed"
	}
	return ""
}

func (p *Page) noProblem(h page.Host) string {
	if why := noErrors(h); why != "" || p.onErrors {
		return why
	}
	return "tab goes to the failures; enter there shows their requests"
}

const fewRows = 10 // that a key moves at once

func (p *Page) down(h page.Host)     { p.move(h, +1) }
func (p *Page) up(h page.Host)       { p.move(h, -1) }
func (p *Page) pageDown(h page.Host) { p.move(h, +fewRows) }
func (p *Page) pageUp(h page.Host)   { p.move(h, -fewRows) }

func (p *Page) first(h page.Host) { p.move(h, -max(len(p.kept), p.problem)) }

// move chooses another row. Below the last event, the page follows what comes.
func (p *Page) move(h page.Host, by int) {
	if p.onErrors {
		p.problem = min(max(p.problem+by, 0), len(h.Frame().Shown.Problems)-1)
		return
	}
	if p.chosen == 0 && by > 0 {
		return
	}
	at := p.chosen
	if at == 0 {
		at = len(p.kept) + 1
	}
	p.chosen = max(at+by, 1)
	if p.chosen > len(p.kept) {
		p.chosen = 0
	}
}

// follow shows the newest again.
func (p *Page) follow(page.Host) { p.chosen, p.onErrors = 0, false }

func (p *Page) toggle(page.Host) { p.onErrors = !p.onErrors }

// requests shows those that failed as the chosen ones did.
func (p *Page) requests(h page.Host) {
	problems := h.Frame().Shown.Problems
	h.ShowRequests(string(problems[min(p.problem, len(problems)-1)].Kind), "")
}

// clear drops the choice and, where there is none, the filter.
func (p *Page) clear(h page.Host) {
	if p.chosen == 0 && !p.onErrors {
		p.filter("")
	}
	p.follow(h)
}

// See looks which events are kept. Of a run they only become more; of a recording, there may be fewer.
func (p *Page) See(h page.Host) tea.Cmd {
	s := h.Frame().Shown
	if len(s.Events) < p.seen {
		p.seen, p.kept = 0, nil
	}
	for ; p.seen < len(s.Events); p.seen++ {
		if p.find.keeps(&s.Events[p.seen]) {
			p.kept = append(p.kept, p.seen)
		}
	}
	if p.chosen > len(p.kept) {
		p.chosen = 0
	}
	p.problem = max(min(p.problem, len(s.Problems)-1), 0)
	p.onErrors = p.onErrors && len(s.Problems) > 0
	return nil
}

// Arrange gives the failures what they need, where there are any, and the events the rest.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) {
	const least = 4
	if len(a.Shown.Problems) > 0 {
		a.Add(partErrors, body.Top(min(errorLines(a.Shown, body.W), max(body.H/3, least))))
	}
	a.Add(partEvents, body)
}

// Draw draws a panel.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	if at.Part == partErrors {
		return p.errorsPanel(v).Render(at.W, at.H, v.Theme)
	}
	return p.eventsPanel(v).Render(at.W, at.H, v.Theme)
}
