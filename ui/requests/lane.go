// This file is which request is chosen among the lanes.

package requests

import (
	"cmp"
	"slices"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
)

// spot is a place among the lanes, from which the request there follows. The zero spot is none.
type spot struct {
	slot int            // from 1; 0: none
	at   record.Instant // within its bar
	now  record.Instant // when the lanes were stopped
}

// lanesShown is how many lanes have room, at least.
func lanesShown(v *page.Frame) int { return max(v.H-around-headLines-1-waveLines, 1) }

// inLane are the requests of a slot, in the order in which they began.
func (p *Page) inLane(slot int) []*query.Row {
	var rows []*query.Row
	for _, list := range [][]query.Row{p.view.Rows, p.view.Running} {
		for i := range list {
			if list[i].Slot == slot && list[i].Began < p.view.At {
				rows = append(rows, &list[i])
			}
		}
	}
	slices.SortFunc(rows, func(a, b *query.Row) int { return cmp.Compare(a.Began, b.Began) })
	return rows
}

// atSpot is the request that is chosen among the lanes, and its place in its own: that which ran at the time, or the nearest
// before; nil where there is none, or it was not asked for yet.
func (p *Page) atSpot() (*query.Row, int) {
	if p.view == nil || p.spot.slot == 0 {
		return nil, 0
	}
	rows := p.inLane(p.spot.slot)
	if len(rows) == 0 {
		return nil, 0
	}
	at, _ := slices.BinarySearchFunc(rows, p.spot.at+1, func(r *query.Row, t record.Instant) int { return cmp.Compare(r.Began, t) })
	at = max(at-1, 0)
	return rows[at], at
}

// moveLane chooses in a lane so many further, at the same time. The first to be chosen is the newest of the first lane.
func (p *Page) moveLane(v *page.Frame, by int) {
	if p.view == nil || p.view.Slots == 0 {
		return
	}
	if p.spot.slot == 0 {
		p.spot = spot{slot: p.firstSlot + 1, at: p.view.At, now: p.view.At}
		p.chosen = choice{at: 1, until: p.view.Until}
	} else {
		p.spot.slot += by
	}
	p.spot.slot = min(max(p.spot.slot, 1), p.view.Slots)
	p.firstSlot = min(max(p.firstSlot, p.spot.slot-lanesShown(v)), p.spot.slot-1)
}

// laneRegions are what the mouse does on so many lanes, the first of which is drawn in line y: a click chooses the request under
// it, and another opens it.
func (p *Page) laneRegions(v *page.Frame, a *axis, lanes, y int) {
	x, _, ok := v.Pointed()
	if v.Regions == nil || !ok || a.cells <= 0 {
		return
	}
	at := a.from.Add(a.span * time.Duration(min(max(x-laneCells-cell.Inset, 0), a.cells)) / time.Duration(a.cells))
	chosen, _ := p.atSpot()
	for i := range lanes {
		slot := p.firstSlot + i + 1
		r := page.Region{Up: "up", Down: "down"}
		if slot == p.spot.slot && chosen != nil && chosen.Began <= at && at <= chosen.End {
			r.Key = "enter"
		} else {
			r.Hit = func(page.Host) { p.chooseAt(slot, at) }
		}
		v.Rows(y+i, 1, r)
	}
}

// chooseAt chooses the request that ran in a slot at a time; the lanes stand still then.
func (p *Page) chooseAt(slot int, at record.Instant) {
	now := p.view.At
	if p.spot.slot > 0 {
		now = p.spot.now
	} else {
		p.chosen = choice{at: 1, until: p.view.Until}
	}
	p.spot = spot{slot: slot, at: at, now: now}
}

// sideways chooses the next request of the lane, or the one before.
func (p *Page) sideways(by int) func(page.Host) {
	return func(h page.Host) {
		_, at := p.atSpot()
		if p.spot.slot == 0 {
			p.moveLane(h.Frame(), 0)
			return
		}
		if rows := p.inLane(p.spot.slot); len(rows) > 0 {
			r := rows[min(max(at+by, 0), len(rows)-1)]
			p.spot.at = r.Began.Add(min(time.Duration(r.End-r.Began)/2, time.Duration(p.view.At-r.Began)))
		}
	}
}

// noLanes says why there is nothing to the sides; "" where there is.
func (p *Page) noLanes(page.Host) string {
	switch {
	case !p.lanes:
		return "v shows lanes, in which there are requests to the sides"
	case p.view == nil || p.view.Slots == 0:
		return "no request in the window yet"
	}
	return ""
}

// spotWords say in few words of the request that is chosen among the lanes what its bar does not.
func (p *Page) spotWords(v *page.Frame) []cell.Piece {
	r, _ := p.atSpot()
	if r == nil {
		return nil
	}
	out := []cell.Piece{cell.Title("#" + cell.Grouped(int64(r.ID))), cell.Muted("  ")}
	for _, c := range columns() {
		switch c.sorts {
		case query.Prompt, query.Output, query.TTFT, query.E2EL:
			out = append(append(append(out, cell.Muted(c.name+" ")), c.cell(v, r)...), cell.Muted("  "))
		}
	}
	return append(append(out, resultCell(v, r)...), cell.Muted("  "), cell.Key("enter"), cell.Muted(" opens it"))
}
