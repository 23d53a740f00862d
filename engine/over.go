// This file shows the latest moment over another window than the knobs have.

package engine

import (
	"maps"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// unasked is for how long a window is kept that nobody asks for.
const unasked = 10 * time.Second

// overWindow is the latest moment over another window, as far as somebody has asked for it.
type overWindow struct {
	of, shown *snapshot.Snapshot
	live      costly
}

// besides are those that somebody asked for besides the person at the knobs. They have the lock of what they are of.
type besides map[stats.Window]*overWindow

// over is the latest moment s of a ledger over another window; s itself where there is no such window.
func (b *besides) over(l *ledger, s *snapshot.Snapshot, w stats.Window) *snapshot.Snapshot {
	if w == s.Knobs.Window || w < stats.Last10s || w > stats.WholeRun {
		return s
	}
	if *b == nil {
		*b = make(besides)
	}
	maps.DeleteFunc(*b, func(_ stats.Window, o *overWindow) bool { // a moment has all stages: who left is not to keep one
		return s.At > o.of.At.Add(unasked)
	})
	o := (*b)[w]
	if o == nil {
		o = &overWindow{}
		(*b)[w] = o
	}
	if o.of == s {
		return o.shown
	}
	if s.Replay != nil {
		o.live = costly{} // the moment before may be one that comes later
	}
	shown := *s
	shown.Knobs.Window = w
	shown.Live = o.live.summary(l.collector, shown.Knobs, len(l.points.rows), l.end(s.At), l.always || l.over != 0)
	l.telemetry.showWindow(&shown)
	o.of, o.shown = s, &shown
	return o.shown
}

// Over returns the latest moment with all that is over Knobs.Window over another window instead, for somebody who looks besides
// the person at the knobs. Like Snapshot it is never nil; it is the same as that where there is no such window. A summary that
// takes long is computed less often than there are moments.
func (e *Engine) Over(w stats.Window) *snapshot.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.besides.over(&e.ledger, e.snapshot.Load(), w) // no other is published meanwhile
}

// Over is that of the moment of the recording that is shown. While another one is sought, it is over the window of the knobs.
func (p *Player) Over(w stats.Window) *snapshot.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.wishes.shown.Load()
	if p.towards != nil {
		return s
	}
	return p.besides.over(&p.ledger, s, w)
}
