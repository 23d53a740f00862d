// This file is the Requests page: its keys and its parts.

package requests

import (
	"tokdyno/engine/query"
	"tokdyno/ui/page"
)

// The parts of the Requests page.
const (
	partRequests page.Part = iota
)

// Page holds what was asked for, and what the run answered last. Requests are remembered by number.
type Page struct {
	filter     query.Filter
	sort       query.Figure // "": in the order in which they ended
	descending bool
	lanes      bool
	firstSlot  int  // lanes: the first that shows, from 0
	spot       spot // likewise, where one is chosen

	view   *query.View // nil: nothing was answered yet
	asking asking
	chosen choice
	input  input
	one    *opened // nil: all are shown
}

// New returns the page in its first state.
func New() *Page { return &Page{input: newInput()} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "row", "down", "j"), Footer: 3, Repeats: true, Do: p.down, Why: p.noRow,
			Says: "the next request, or the next lane; the page stands still while one is chosen",
		},
		{
			Binding: page.Bind("←→", "in its lane", "right", "l"), Footer: 4, Repeats: true, Do: p.sideways(+1), Why: p.noLanes,
			Says: "of lanes: the next request of the lane",
		},
		{
			Binding: page.Bind("←", "before in its lane", "left", "h"), Repeats: true, Do: p.sideways(-1), Why: p.noLanes,
			Says: "of lanes: the request before",
		},
		{Binding: page.Bind("↑", "row before", "up", "k"), Repeats: true, Do: p.up, Why: p.noRow, Says: "the request before"},
		{
			Binding: page.Bind("pgdn", "page", "pgdown"), Repeats: true, Do: p.pageDown, Why: p.noRow,
			Says: "a screen of requests further",
		},
		{
			Binding: page.Bind("pgup", "page back", "pgup"), Repeats: true, Do: p.pageUp, Why: p.noRow,
			Says: "a screen of requests back",
		},
		{
			Binding: page.Bind("g", "first", "g", "home"), Do: p.first, Why: p.noRow,
			Says: "the first request",
		},
		{
			Binding: page.Bind("G", "newest", "G", "end"), Footer: 6, Do: p.follow,
			Says: "follow the newest again",
		},
		{
			Binding: page.Bind("/", "filter", "/"), Footer: 3, Leads: true, Do: p.beginFilter,
			Says: "show some only: failed, missed ttft, slow e2el, beyond ttft p99, at 12:05..12:10, tokens>500 …",
		},
		{
			Binding: page.Bind("s", "sort", "s"), Footer: 4, Do: p.nextSort,
			Says: "sort by the next column, the highest first",
		},
		{Binding: page.Bind("S", "turn over", "S"), Do: p.reverse, Says: "turn the order over"},
		{
			Binding: page.Bind("v", "lanes", "v"), Footer: 4, Do: p.toggleLanes,
			Says: "a lane for each slot of the load, or the list again; [ ] sets how far lanes look back",
		},
		{
			Binding: page.Bind("x", "export", "x"), Footer: 8, Do: p.beginExport, Why: p.noExport,
			Says: "write what is shown to a file: by its ending JSONL, CSV, or a trace for ui.perfetto.dev",
		},
		{
			Binding: page.Bind("enter", "open", "enter"), Footer: 3, Do: p.open, Why: p.noChoice,
			Says: "one request: its instants, chunks, counts and texts",
		},
		{
			Binding: page.Bind("c", "curl", "c"), Footer: 3, Zoom: page.OnlyZoomed, Do: p.copyCurl,
			Says: "copy a curl command that repeats the request; the key is $OPENAI_API_KEY",
		},
		{
			Binding: page.Bind("esc", "back", "esc", "enter"), Footer: 4, Zoom: page.OnlyZoomed, Do: p.close,
			Says: "all requests again",
		},
		{
			Binding: page.Bind("esc", "clear", "esc"), Footer: 5, Do: p.clear,
			Says: "drop the choice; again: filter and order",
		},
	}
}

// Arrange gives the requests the page.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) { a.Add(partRequests, body) }

// Draw draws a panel.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	if p.one != nil {
		return p.onePanel(v).Render(at.W, at.H, v.Theme)
	}
	if p.lanes {
		return p.lanesPanel(v).Render(at.W, at.H, v.Theme)
	}
	return p.listPanel(v, at.H-2-headLines).Render(at.W, at.H, v.Theme)
}
