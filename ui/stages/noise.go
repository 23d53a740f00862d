// This file finds out which differences between two stages exceed the noise: from the requests' own latencies, beside
// the console, and only when something has changed.

package stages

import (
	"math/rand/v2"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
)

// pairEvery is how often at most the same two stages are compared: the current one changes with every request.
const pairEvery = time.Second

// pairing is what was found out about two stages. The zero pairing knows nothing.
type pairing struct {
	of      pairKey
	begun   time.Time // when its comparison was last asked for
	running bool
	found   map[figure.Quantile]stage.Difference // nil: nothing yet
}

// pairKey is two stages in two states.
type pairKey struct {
	a, b               int
	summaryA, summaryB *stats.Summary
}

func (k pairKey) sameStages(o pairKey) bool { return k.a == o.a && k.b == o.b }

// comparedQuantiles are those that the comparison shows and that have samples.
func comparedQuantiles() []figure.Quantile {
	return []figure.Quantile{
		{Metric: slo.TTFT, P: 0.50},
		{Metric: slo.TTFT, P: 0.95},
		{Metric: slo.TTFT, P: 0.99},
		{Metric: slo.TPOT, P: 0.50},
		{Metric: slo.TPOT, P: 0.95},
		{Metric: slo.E2EL, P: 0.95},
	}
}

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
		found := compared(h.StageValues, key)
		return func() {
			if p.pair.of == key { // else others were marked meanwhile
				p.pair.found, p.pair.running = found, false
			}
		}
	})
}

// compared compares the samples of two stages. The same samples always give the same words.
func compared(valuesOf page.StageValues, key pairKey) map[figure.Quantile]stage.Difference {
	samples := func(n int, metric slo.Metric) []float64 {
		values := valuesOf(n, metric)
		out := make([]float64, len(values))
		for i, v := range values {
			out[i] = float64(v)
		}
		return out
	}
	random := rand.New(rand.NewPCG(uint64(key.a), uint64(key.b)))
	found := make(map[figure.Quantile]stage.Difference)
	for _, metric := range slo.Metrics() {
		a, b := samples(key.a, metric), samples(key.b, metric)
		for _, q := range comparedQuantiles() {
			if q.Metric == metric {
				found[q] = stage.Compare(a, b, q.P, random)
			}
		}
	}
	return found
}

// words says whether a difference exceeds the noise, and which way it goes.
func (p *pairing) words(v *page.Frame, r *pairRow, by float64) []cell.Piece {
	g := &v.Theme.Glyphs
	d, ok := p.found[figure.Quantile{Metric: r.metric, P: r.p}]
	switch {
	case !ok:
		return []cell.Piece{cell.Muted(g.Ellipsis)}
	case d.Few:
		return []cell.Piece{cell.Muted("too few")}
	case !d.Clear:
		return []cell.Piece{cell.Muted("within noise")}
	case by < 0 == r.less:
		return []cell.Piece{cell.Good(g.Check + " clear: better")}
	}
	return []cell.Piece{cell.Bad(g.Cross + " clear: worse")}
}
