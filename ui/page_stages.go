// This file is the Stages page: every load so far in a row, and two of them held against each other.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
)

// The parts of the Stages page.
const (
	partStages part = iota
	partPair
)

// stagesPage holds what was chosen. Stages are remembered by number, because rows can vanish: a stage in which nothing
// happened shows only while it is the current one.
type stagesPage struct {
	cursor int // 0: on the newest, whichever that is
	a, b   int // 0: none
	pair   pairing

	figures int // how many of accelerators and server the comparison has
}

func newStagesPage() *stagesPage { return &stagesPage{} }

func (p *stagesPage) keys() []Key {
	return []Key{
		{
			binding: bind("↑↓", "row", "down", "j"), footer: 3, repeats: true, do: p.down, why: noStage,
			says: "the next stage; beyond the last, follow the newest",
		},
		{
			binding: bind("↑", "row before", "up", "k"), repeats: true, do: p.up, why: noStage,
			says: "the stage before",
		},
		{
			binding: bind("G", "newest", "G", "end"), do: p.newest, why: noStage,
			says: "the newest stage, and follow it",
		},
		{
			binding: bind("enter", "mark A, B", "enter"), footer: 4, do: p.choose, why: noStage,
			says: "mark a stage as A, another as B; again unmarks",
		},
		{
			binding: bind("esc", "clear", "esc"), footer: 5, do: p.clear,
			says: "unmark both",
		},
	}
}

// noStage says why no stage can be chosen; "" where one can.
func noStage(h Host) string {
	if len(h.Frame().shown.Stages) == 0 {
		return "no stage yet: the load has not begun"
	}
	return ""
}

func (p *stagesPage) down(h Host) tea.Cmd { return p.move(h, +1) }
func (p *stagesPage) up(h Host) tea.Cmd   { return p.move(h, -1) }

func (p *stagesPage) move(h Host, by int) tea.Cmd {
	rows := h.Frame().shown.Stages
	at := max(p.row(rows)+by, 0)
	if at >= len(rows)-1 {
		p.cursor = 0
	} else {
		p.cursor = rows[at].Number
	}
	return nil
}

func (p *stagesPage) newest(Host) tea.Cmd {
	p.cursor = 0
	return nil
}

// row is the index of the stage under the cursor; of one that has vanished, of the last before it.
func (p *stagesPage) row(rows []engine.StageRow) int {
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
func (p *stagesPage) choose(h Host) tea.Cmd {
	rows := h.Frame().shown.Stages
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
	return p.see(h)
}

func (p *stagesPage) clear(Host) tea.Cmd {
	p.a, p.b, p.pair = 0, 0, pairing{}
	return nil
}

// pairOf returns the rows of A and B; nil for one that is not chosen, or has vanished.
func (p *stagesPage) pairOf(rows []engine.StageRow) (a, b *engine.StageRow) {
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

// arrange gives the table the page, and the comparison its lower part once a stage is marked.
func (p *stagesPage) arrange(a *arranger, body rect) {
	const (
		leastTable = 7 // a heading and four rows, with the frame
		hint       = 3
	)
	switch {
	case p.a == 0:
	case p.b == 0:
		a.add(partPair, body.bottom(hint))
	default:
		a.add(partPair, body.bottom(min(pairHeight+p.figures, max(body.h-leastTable, body.h/2))))
	}
	a.add(partStages, body)
}

func (p *stagesPage) draw(v *Frame, at place) []string {
	if at.part == partPair {
		return p.pairPanel(v).render(at.w, at.h, v.th)
	}
	return p.tablePanel(v, at.h-2).render(at.w, at.h, v.th)
}
