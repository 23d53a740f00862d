// This file finds out which differences between two stages exceed the noise: from the requests' own latencies, beside
// the console, and only when something has changed.

package ui

import (
	"math/rand/v2"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// pairEvery is how often at most the same two stages are compared: the current one changes with every request.
const pairEvery = time.Second

// pairing is what was found out about two stages. The zero pairing knows nothing.
type pairing struct {
	of      pairKey
	begun   time.Time // when its comparison was last asked for
	running bool
	found   map[quantileKey]stage.Difference // nil: nothing yet
}

// pairKey is two stages in two states.
type pairKey struct {
	a, b               int
	summaryA, summaryB *stats.Summary
}

func (k pairKey) sameStages(o pairKey) bool { return k.a == o.a && k.b == o.b }

// quantileKey is one percentile of one latency.
type quantileKey struct {
	metric slo.Metric
	p      float64
}

// comparedQuantiles are those that the comparison shows and that have samples.
func comparedQuantiles() []quantileKey {
	return []quantileKey{
		{slo.TTFT, 0.50}, {slo.TTFT, 0.95}, {slo.TTFT, 0.99}, {slo.TPOT, 0.50}, {slo.TPOT, 0.95}, {slo.E2EL, 0.95},
	}
}

// see has the marked stages compared when one of them has changed.
func (p *stagesPage) see(h Host) tea.Cmd {
	a, b := p.pairOf(h.Frame().shown.Stages)
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
	return later(func() Done {
		found := compared(h.StageValues, key)
		return func() {
			if p.pair.of == key { // else others were marked meanwhile
				p.pair.found, p.pair.running = found, false
			}
		}
	})
}

// compared compares the samples of two stages. The same samples always give the same words.
func compared(valuesOf stageValues, key pairKey) map[quantileKey]stage.Difference {
	samples := func(n int, metric slo.Metric) []float64 {
		values := valuesOf(n, metric)
		out := make([]float64, len(values))
		for i, v := range values {
			out[i] = float64(v)
		}
		return out
	}
	random := rand.New(rand.NewPCG(uint64(key.a), uint64(key.b)))
	found := make(map[quantileKey]stage.Difference)
	for _, metric := range slo.Metrics() {
		a, b := samples(key.a, metric), samples(key.b, metric)
		for _, q := range comparedQuantiles() {
			if q.metric == metric {
				found[q] = stage.Compare(a, b, q.p, random)
			}
		}
	}
	return found
}

// words says whether a difference exceeds the noise, and which way it goes.
func (p *pairing) words(v *Frame, r *pairRow, by float64) []piece {
	g := &v.th.Glyphs
	d, ok := p.found[quantileKey{r.metric, r.p}]
	switch {
	case !ok:
		return []piece{{theme.Muted, g.Ellipsis}}
	case d.Few:
		return []piece{{theme.Muted, "too few"}}
	case !d.Clear:
		return []piece{{theme.Muted, "within noise"}}
	case by < 0 == r.less:
		return []piece{{theme.Good, g.Check + " clear: better"}}
	}
	return []piece{{theme.Bad, g.Cross + " clear: worse"}}
}
