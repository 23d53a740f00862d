// This file shows the latest moment over another window than the knobs have.

package engine

import (
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// overWindow is the latest moment over another window, as far as somebody has asked for it.
type overWindow struct {
	of, shown *snapshot.Snapshot
	live      costly
}

// Over returns the latest moment with all that is over Knobs.Window over another window instead, for somebody who looks besides
// the person at the knobs. Like Snapshot it is never nil; it is the same as that where there is no such window. A summary that
// takes long is computed less often than there are moments.
func (e *Engine) Over(w stats.Window) *snapshot.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.snapshot.Load() // no other is published meanwhile
	if w == s.Knobs.Window || w < stats.Last10s || w > stats.WholeRun {
		return s
	}
	o := e.besides[w]
	if o == nil {
		o = &overWindow{}
		if e.besides == nil {
			e.besides = make(map[stats.Window]*overWindow)
		}
		e.besides[w] = o
	}
	if o.of == s {
		return o.shown
	}
	shown := *s
	shown.Knobs.Window = w
	shown.Live = o.live.summary(e.collector, shown.Knobs, len(e.points.rows), e.end(s.At), e.always || e.over != 0)
	e.telemetry.showWindow(&shown)
	o.of, o.shown = s, &shown
	return o.shown
}
