// This file is the Stages page: every load so far in a row, and two of them held against each other.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
)

// The parts of the Stages page.
const (
	partStages part = 100*stagesNumber + iota
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

func (p *stagesPage) commands() []command {
	return []command{
		{
			keys: bind("↑↓", "row", "down", "j"), in: onStages, footer: 3, repeats: true, do: p.down,
			says: "the next stage; beyond the last, follow the newest",
		},
		{
			keys: bind("↑", "row before", "up", "k"), in: onStages, repeats: true, do: p.up,
			says: "the stage before",
		},
		{
			keys: bind("G", "newest", "G", "end"), in: onStages, do: p.newest,
			says: "the newest stage, and follow it",
		},
		{
			keys: bind("enter", "mark A, B", "enter"), in: onStages, footer: 4, do: p.choose,
			says: "mark a stage as A, another as B; again unmarks",
		},
		{
			keys: bind("esc", "clear", "esc"), in: onStages, footer: 5, do: p.clear,
			says: "unmark both",
		},
	}
}

func (p *stagesPage) down(m *model) tea.Cmd { return p.move(m, +1) }
func (p *stagesPage) up(m *model) tea.Cmd   { return p.move(m, -1) }

func (p *stagesPage) move(m *model, by int) tea.Cmd {
	rows := m.shown().Stages
	if len(rows) == 0 {
		return nil
	}
	at := max(p.row(rows)+by, 0)
	if at >= len(rows)-1 {
		p.cursor = 0
	} else {
		p.cursor = rows[at].Number
	}
	return nil
}

func (p *stagesPage) newest(*model) tea.Cmd {
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
func (p *stagesPage) choose(m *model) tea.Cmd {
	rows := m.shown().Stages
	if len(rows) == 0 {
		return nil
	}
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
	return p.see(m)
}

func (p *stagesPage) clear(*model) tea.Cmd {
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

func (p *stagesPage) draw(v *view, at place) []string {
	if at.part == partPair {
		return p.pairPanel(v).render(at.w, at.h, v.th)
	}
	return p.tablePanel(v, at.h-2).render(at.w, at.h, v.th)
}
