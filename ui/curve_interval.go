// This file finds out how far the percentiles of a level can be trusted: from the requests' own latencies, beside the
// console, and only when something has changed.

package ui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// What the intervals are.
const (
	sure       = 0.95        // how often such an interval holds the true percentile, at least
	boundEvery = time.Second // how often at most the same level is looked at: the present one changes with every request
)

// bounding is what was found out about one level. The zero bounding knows nothing.
type bounding struct {
	of      boundKey
	begun   time.Time // when it was last asked for
	running bool
	found   map[quantileKey]bounds // nil: nothing yet
}

// boundKey is a level in one state. Of a level whose stages are over, that state stays.
type boundKey struct {
	level   float64
	summary *stats.Summary
}

// bounds are the two latencies between which a percentile lies.
type bounds struct {
	low, high time.Duration
	few       bool // too few samples to say
}

// boundedQuantiles are those whose bounds are shown.
func boundedQuantiles() []float64 { return []float64{0.50, 0.95, 0.99} }

// see has a level looked at when it has changed.
func (b *bounding) see(h Host, p *stage.Point) tea.Cmd {
	key, now := boundKey{p.Level, p.Summary}, h.Now()
	switch {
	case key.level != b.of.level:
		*b = bounding{}
	case b.running || key == b.of || now.Sub(b.begun) < boundEvery:
		return nil
	}
	b.of, b.begun, b.running = key, now, true
	stages := sampledStages(h.Frame().shown, p)
	return later(func() Done {
		found := boundsOf(h.StageValues, stages)
		return func() {
			if b.of == key { // else another was chosen meanwhile
				b.found, b.running = found, false
			}
		}
	})
}

// sampledStages are those whose samples a point's figures are made of: a stage that never settled gives a settled point
// none.
func sampledStages(s *engine.Snapshot, p *stage.Point) []int {
	unsettled := make(map[int]bool)
	for i := range s.Stages {
		unsettled[s.Stages[i].Number] = s.Stages[i].Summary.Settling
	}
	return slices.DeleteFunc(slices.Clone(p.Stages), func(n int) bool { return p.Settled && unsettled[n] })
}

// boundsOf pools the samples of stages and bounds their percentiles.
func boundsOf(valuesOf stageValues, stages []int) map[quantileKey]bounds {
	found := make(map[quantileKey]bounds)
	for _, metric := range slo.Metrics() {
		var values []time.Duration
		for _, n := range stages {
			values = append(values, valuesOf(n, metric)...)
		}
		slices.Sort(values)
		for _, q := range boundedQuantiles() {
			low, high, ok := stage.Interval(len(values), q, sure)
			if !ok {
				found[quantileKey{metric, q}] = bounds{few: true}
				continue
			}
			found[quantileKey{metric, q}] = bounds{low: values[low-1], high: values[high-1]}
		}
	}
	return found
}

// words write the bounds of a percentile: "295–330 ms".
func (b *bounding) words(v *Frame, metric slo.Metric, q float64) []piece {
	got, ok := b.found[quantileKey{metric, q}]
	switch {
	case !ok:
		return []piece{{theme.Muted, v.th.Glyphs.Ellipsis}}
	case got.few:
		return []piece{{theme.Muted, "too few"}}
	}
	unit := latencyUnit(got.high)
	return []piece{
		{theme.Text, own(latencyIn(unit, got.low)+"–"+latencyIn(unit, got.high), &v.th.Glyphs)},
		{theme.Muted, " " + unit},
	}
}

// intervalWords are the foot of the table: the chosen level's p95 of the latency that is drawn, and how sure it is.
func (p *curvePage) intervalWords(v *Frame, point *stage.Point) []piece {
	const q = 0.95
	metric, name := slo.TTFT, "TTFT"
	if drawn := &curveMetrics()[p.metric]; drawn.timed && !p.trading {
		metric, name = drawn.latency, drawn.name
	}
	d := latencyOf(point.Summary, metric)
	out := []piece{{theme.Title, levelName(v.shown.Knobs, point.Level)}, {theme.Muted, "  " + name + " p95 "}}
	out = append(out, latencyCell(d, q)...)
	if d.N == 0 {
		return out
	}
	if p.bounds.found[quantileKey{metric, q}].few {
		return append(out, piece{theme.Muted, "  too few samples to be sure of it"})
	}
	out = append(out, piece{theme.Muted, "  95 % sure "})
	return append(out, p.bounds.words(v, metric, q)...)
}
