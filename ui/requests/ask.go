// This file asks the run for what is to be shown, beside the console: to look through a million requests takes longer than a
// frame may.

package requests

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/ui/page"
)

// asking is what is being asked.
type asking struct {
	latest query.Query // that was asked, answered or not
	at     record.Instant
	busy   bool
	begun  time.Time
	took   time.Duration
}

const (
	// share bounds what looking costs while the page follows: a twentieth of a core.
	share = 20
	// margin is how many rows beyond those in sight are asked for, so that scrolling does not wait.
	margin = 60
	// mostLaneRows bounds the requests that lanes show.
	mostLaneRows = 8192
	// mostRunning bounds the requests that run among those that are in order.
	mostRunning = 4096
	// around is how many lines and columns of the screen are not the panel's.
	around = 5
)

// See has the requests looked through again, where something else is asked for or something new has come.
func (p *Page) See(h page.Host) tea.Cmd {
	if p.one != nil {
		return page.Later(p.seeOne(h))
	}
	v := h.Frame()
	if p.asking.busy || v.Shown != v.Latest && p.view != nil && p.chosen.still() {
		return nil
	}
	q := p.wanted(v)
	now := h.Now()
	asked := p.asking.latest
	if p.lanes {
		asked.Since = q.Since // moves with time
	}
	if q == asked && p.view != nil {
		fresh := p.chosen.still() || v.Shown.At == p.asking.at
		if fresh || v.Shown != v.Latest || now.Sub(p.asking.begun) < share*p.asking.took {
			return nil
		}
	}
	p.asking = asking{latest: q, at: v.Shown.At, busy: true, begun: now, took: p.asking.took}
	source := h.Requests()
	return page.Later(func() page.Done {
		begun := time.Now()
		view := source.Requests(q)
		took := time.Since(begun)
		return func() {
			if p.asking.latest != q {
				return // something else was asked meanwhile
			}
			p.asking.busy, p.asking.took = false, took
			if q.Waves == p.lanes {
				p.take(view)
			}
		}
	})
}

// wanted is what is to be asked for.
func (p *Page) wanted(v *page.Frame) query.Query {
	lines := max(v.H-around-headLines, 1)
	if p.lanes {
		q := query.Query{Filter: p.filter, Begun: v.Shown.Begun, First: -1, Count: mostLaneRows, Running: 1, Waves: true, Until: p.chosen.until}
		now := v.Shown.At
		if p.spot.slot > 0 {
			now = p.spot.now
		}
		q.Since = max(now.Add(-laneSpan(v.Shown)), 1)
		q.Slots = stats.SlotRange{First: int32(p.firstSlot + 1), Last: int32(p.firstSlot + lines)}
		return q
	}
	q := query.Query{Filter: p.filter, Begun: v.Shown.Begun, Sort: p.sort, Descending: p.descending, Count: lines, First: -1, Until: p.chosen.until}
	q.Running = max(lines/2, 1)
	if p.sort != "" {
		q.Running = mostRunning
	}
	switch {
	case p.chosen.still():
		q.First = max(p.firstShown(lines)-p.runningAbove(p.firstShown(lines))-margin, 0)
		q.First -= q.First % margin // so that not every step asks anew
		q.Count = lines + 3*margin
	case p.topDown():
		q.First = 0
	}
	return q
}

// topDown reports whether the first in order are what is looked for; else the newest, which are the last.
func (p *Page) topDown() bool { return p.sort != "" || p.descending }

// runningAbove is how many of those that run stand above a place among all rows.
func (p *Page) runningAbove(at int) int {
	if p.view == nil {
		return 0
	}
	n, _ := slices.BinarySearch(p.view.Places, at)
	return n
}

// everything reports whether nothing is left out, and rows stand as they ended.
func (p *Page) everything() bool { return p.filter == query.Filter{} && p.sort == "" && !p.descending }

// take takes an answer. While the page stands still, those that run stay as they were, and lanes where they were.
func (p *Page) take(view *query.View) {
	if p.chosen.still() && p.view != nil && !p.lanes {
		view.Running, view.Places, view.InFlight, view.At = p.view.Running, p.view.Places, p.view.InFlight, p.view.At
	}
	if p.spot.slot > 0 {
		view.At = p.spot.now
	}
	p.view = view
}
