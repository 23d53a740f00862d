// This file is the Stages page: every load so far in a row, and two of them held against each other.

package stages

import (
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
)

// The parts of the Stages page.
const (
	partStages page.Part = iota
	partPair
)

// Page holds what was chosen. Stages are remembered by number, because rows can vanish: a stage in which nothing
// happened shows only while it is the current one.
type Page struct {
	cursor int // 0: on the newest, whichever that is
	held   cell.Held
	a, b   int // 0: none
	pair   pairing

	figures int // how many of accelerators and server the comparison has
}

// New returns the page in its first state.
func New() *Page { return &Page{} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "row", "down", "j"), Footer: 3, Repeats: true, Do: p.down, Why: noStage,
			Says: "the next stage; beyond the last, follow the newest",
		},
		{
			Binding: page.Bind("↑", "row before", "up", "k"), Repeats: true, Do: p.up, Why: noStage,
			Says: "the stage before",
		},
		{
			Binding: page.Bind("G", "newest", "G", "end"), Do: p.newest, Why: noStage,
			Says: "the newest stage, and follow it",
		},
		{
			Binding: page.Bind("enter", "mark A, B", "enter"), Footer: 4, Do: p.choose, Why: noStage,
			Says: "mark a stage as A, another as B; again unmarks",
		},
		{
			Binding: page.Bind("esc", "clear", "esc"), Footer: 5, Do: p.clear,
			Says: "unmark both",
		},
	}
}

// noStage says why no stage can be chosen; "" where one can.
func noStage(h page.Host) string {
	if len(h.Frame().Shown.Stages) == 0 {
		return "no stage yet: the load has not begun"
	}
	return ""
}

func (p *Page) down(h page.Host) { p.move(h, +1) }
func (p *Page) up(h page.Host)   { p.move(h, -1) }

func (p *Page) move(h page.Host, by int) {
	rows := h.Frame().Shown.Stages
	p.held.Let()
	p.goTo(rows, max(p.row(rows)+by, 0))
}

// goTo puts the cursor on a row; on the last, it follows the newest.
func (p *Page) goTo(rows []snapshot.StageRow, at int) {
	if at >= len(rows)-1 {
		p.cursor = 0
	} else {
		p.cursor = rows[at].Number
	}
}

func (p *Page) newest(page.Host) {
	p.cursor = 0
	p.held.Let()
}

// row is the index of the stage under the cursor; of one that has vanished, of the last before it.
func (p *Page) row(rows []snapshot.StageRow) int {
	if p.cursor == 0 {
		return len(rows) - 1
	}
	at := 0
	for i := range rows {
		if rows[i].Number <= p.cursor {
			at = i
		}
	}
	return at
}

// choose marks the stage under the cursor, or unmarks it.
func (p *Page) choose(h page.Host) {
	rows := h.Frame().Shown.Stages
	switch n := rows[p.row(rows)].Number; {
	case n == p.a:
		p.a, p.b = p.b, 0
	case n == p.b:
		p.b = 0
	case p.a == 0:
		p.a = n
	default:
		p.b = n
	}
}

func (p *Page) clear(page.Host) {
	p.a, p.b, p.pair = 0, 0, pairing{}
}

// pairOf returns the rows of A and B; nil for one that is not chosen, or has vanished.
func (p *Page) pairOf(rows []snapshot.StageRow) (a, b *snapshot.StageRow) {
	for i := range rows {
		switch rows[i].Number {
		case p.a:
			a = &rows[i]
		case p.b:
			b = &rows[i]
		}
	}
	return a, b
}

// Arrange gives the table the page, and the comparison its lower part once a stage is marked.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) {
	const (
		leastTable = 7 // a heading and four rows, with the frame
		hint       = 3
	)
	switch {
	case p.a == 0:
	case p.b == 0:
		a.Add(partPair, body.Bottom(hint))
	default:
		a.Add(partPair, body.Bottom(min(pairHeight+p.figures, max(body.H-leastTable, body.H/2))))
	}
	a.Add(partStages, body)
}

// Draw draws a panel.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	if at.Part == partPair {
		return p.pairPanel(v).Render(at.W, at.H, v.Theme)
	}
	return p.tablePanel(v, at.H-2).Render(at.W, at.H, v.Theme)
}
