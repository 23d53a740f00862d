// This file is the Workers page: its keys, and what stands where.

package workers

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
)

// partWorkers is the page's only part.
const partWorkers page.Part = 0

// Page holds what was chosen.
type Page struct {
	cursor int
	held   cell.Held
}

// New returns the page in its first state.
func New() *Page { return &Page{} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "worker", "down", "j"), Footer: 3, Repeats: true, Do: p.down, Why: none,
			Says: "the next worker, with all that is known of it",
		},
		{
			Binding: page.Bind("↑", "worker before", "up", "k"), Repeats: true, Do: p.up, Why: none,
			Says: "the worker before",
		},
	}
}

// none says why no worker can be chosen; "" where one can.
func none(h page.Host) string {
	if len(list(h.Frame().Shown)) == 0 {
		return "no worker has joined"
	}
	return ""
}

// list are the workers of a snapshot.
func list(s *snapshot.Snapshot) []snapshot.Worker {
	if s.Workers == nil {
		return nil
	}
	return s.Workers.List
}

func (p *Page) down(h page.Host) { p.move(h, +1) }
func (p *Page) up(h page.Host)   { p.move(h, -1) }

func (p *Page) move(h page.Host, by int) {
	p.held.Let()
	p.cursor = min(max(p.cursor+by, 0), max(len(list(h.Frame().Shown))-1, 0))
}

// See has nothing to remember.
func (p *Page) See(page.Host) tea.Cmd { return nil }

// Arrange gives the table the page.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) { a.Add(partWorkers, body) }

// Draw draws the table.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	return p.panel(v).Render(at.W, at.H, v.Theme)
}
