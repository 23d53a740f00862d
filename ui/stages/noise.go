// This file finds out what can be said of the differences between two stages: from what was measured of each, beside the
// console, and only when something has changed.

package stages

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/compare"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
)

// pairEvery is how often at most the same two stages are compared: the current one changes with every request.
const pairEvery = time.Second

// pairing is what was found out about two stages. The zero pairing knows nothing.
type pairing struct {
	of      pairKey
	begun   time.Time // when its comparison was last asked for
	running bool
	found   map[string]compare.Difference // by metric; nil: nothing yet
}

// pairKey is two stages in two states.
type pairKey struct {
	a, b               int
	summaryA, summaryB *stats.Summary
}

func (k pairKey) sameStages(o pairKey) bool { return k.a == o.a && k.b == o.b }

// See has the marked stages compared when one of them has changed.
func (p *Page) See(h page.Host) tea.Cmd {
	a, b := p.pairOf(h.Frame().Shown.Stages)
	if a == nil || b == nil {
		p.pair = pairing{}
		return nil
	}
	p.figures = len(telemetryRows(a, b))
	key := pairKey{a.Number, b.Number, a.Summary, b.Summary}
	now := h.Now()
	switch {
	case !key.sameStages(p.pair.of):
		p.pair = pairing{}
	case p.pair.running || key == p.pair.of || now.Sub(p.pair.begun) < pairEvery:
		return nil
	}
	if a.Knobs.Shape != b.Knobs.Shape {
		p.pair.of = key
		return nil
	}
	p.pair.of, p.pair.begun, p.pair.running = key, now, true
	return page.Later(func() page.Done {
		found := compared(h.StageSeries, key)
		return func() {
			if p.pair.of == key { // else others were marked meanwhile
				p.pair.found, p.pair.running = found, false
			}
		}
	})
}

// compared compares two stages, by metric.
func compared(seriesOf func(n int) *compare.Series, key pairKey) map[string]compare.Difference {
	found := make(map[string]compare.Difference)
	a, b := []*compare.Series{seriesOf(key.a)}, []*compare.Series{seriesOf(key.b)}
	for _, d := range compare.Compare(a, b, compare.Usual(), compare.Noise) {
		found[d.Metric] = d
	}
	return found
}

// words say what can be said of a difference.
func (p *pairing) words(v *page.Frame, r *pairRow) []cell.Piece {
	g := &v.Theme.Glyphs
	d, ok := p.found[r.metric]
	switch {
	case !ok:
		return []cell.Piece{cell.Muted(g.Ellipsis)}
	case d.Answer == compare.Better:
		return []cell.Piece{cell.Good(g.Check + " " + d.String())}
	case d.Answer == compare.Worse:
		return []cell.Piece{cell.Bad(g.Cross + " " + d.String())}
	case d.Answer == compare.Absent: // what it would be told from is not there, though the figure is
		return nil
	}
	return []cell.Piece{cell.Muted(d.String())}
}
