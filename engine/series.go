// This file hands out what was measured of a stage, for comparisons: of a live run and of a recorded one.

package engine

import (
	"tokdyno/engine/compare"
	"tokdyno/engine/record"
)

// StageSeries returns what was measured of stage n once it had settled; nil where it has not, or there is none.
func (e *Engine) StageSeries(n int) *compare.Series {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stageSeries(n, e.clock())
}

// StageSeries returns what was measured of stage n; see Engine.StageSeries.
func (p *Player) StageSeries(n int) *compare.Series {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stageSeries(n, p.now)
}

func (l *ledger) stageSeries(n int, now record.Instant) *compare.Series {
	if n < 1 || n > len(l.points.rows) {
		return nil
	}
	return l.collector.StageSeries(n, l.end(now))
}
