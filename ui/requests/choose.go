// This file is which request is chosen, and that the page stands still while one is.

package requests

import (
	"tokdyno/engine/query"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
)

// choice is a row that was chosen. The zero choice follows what comes.
type choice struct {
	at    int   // one more than its place among the rows, those that run included; 0: none is
	until int64 // the requests that had ended then
	lines int   // that there were for rows
	held  cell.Held
}

func (c *choice) still() bool { return c.at > 0 }

// rows is how many rows there are: those that ended, and those that run.
func (p *Page) rows() int {
	if p.view == nil {
		return 0
	}
	return p.view.Matched + len(p.view.Running)
}

// row is the row at a place; nil where it was not asked for yet.
func (p *Page) row(at int) *query.Row {
	v := p.view
	if v == nil || at < 0 {
		return nil
	}
	above := p.runningAbove(at)
	switch ended := at - above; {
	case above < len(v.Places) && v.Places[above] == at:
		return &v.Running[above]
	case ended >= v.First && ended-v.First < len(v.Rows):
		return &v.Rows[ended-v.First]
	}
	return nil
}

// noRow says why no request can be chosen; "" where one can.
func (p *Page) noRow(page.Host) string {
	switch {
	case p.lanes || p.rows() > 0:
		return ""
	case p.filter != query.Filter{}:
		return "no request is so; / filters otherwise, esc shows all"
	}
	return "no request yet"
}

func (p *Page) down(h page.Host)     { p.move(h, +1) }
func (p *Page) up(h page.Host)       { p.move(h, -1) }
func (p *Page) pageDown(h page.Host) { p.move(h, +max(h.Frame().H-around-headLines, 1)) }
func (p *Page) pageUp(h page.Host)   { p.move(h, -max(h.Frame().H-around-headLines, 1)) }
func (p *Page) first(h page.Host)    { p.move(h, -max(p.rows(), p.slots())) }

// slots is how many lanes there are.
func (p *Page) slots() int {
	if p.view == nil {
		return 0
	}
	return p.view.Slots
}

// move chooses another row. The first to be chosen is that at the end to which the page follows.
func (p *Page) move(h page.Host, by int) {
	if p.lanes {
		p.moveLane(h.Frame(), by)
		return
	}
	n := p.rows()
	if !p.chosen.still() {
		p.chosen = choice{at: n, until: p.view.Until}
		if p.topDown() {
			p.chosen.at = 1
		}
		if by < -1 || by > 1 {
			p.chosen.at += by
		}
	} else {
		p.chosen.at += by
	}
	p.chosen.at = min(max(p.chosen.at, 1), n)
	p.chosen.lines = max(h.Frame().H-around-headLines, 1)
	p.chosen.held.Let()
}

// region is what the mouse does on a row: a click chooses it, and another opens it.
func (p *Page) region(at, first int) page.Region {
	r := page.Region{Up: "up", Down: "down", Key: "enter"}
	if at != p.chosen.at-1 {
		r.Key, r.Hit = "", func(h page.Host) {
			if !p.chosen.still() {
				p.chosen.until = p.view.Until
			}
			p.chosen.at, p.chosen.lines = at+1, max(h.Frame().H-around-headLines, 1)
			p.chosen.held.Keep(first)
		}
	}
	return r
}

// follow shows the newest again.
func (p *Page) follow(page.Host) {
	p.chosen, p.spot = choice{}, spot{}
	if p.lanes {
		p.firstSlot = 0
	}
}

// clear drops the choice and, where there is none, filter and order.
func (p *Page) clear(page.Host) {
	if p.chosen.still() {
		p.chosen, p.spot = choice{}, spot{}
		return
	}
	p.filter, p.sort, p.descending = query.Filter{}, "", false
}

// firstShown is the place of the first row that shows, of so many lines.
func (p *Page) firstShown(lines int) int {
	if !p.chosen.still() {
		if p.topDown() {
			return 0
		}
		return max(p.rows()-lines, 0)
	}
	return p.chosen.held.First(p.chosen.at-1, p.rows(), lines)
}
