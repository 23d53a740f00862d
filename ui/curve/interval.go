// This file finds out how far the percentiles of a level can be trusted: from the requests' own latencies, beside the
// console, and only when something has changed.

package curve

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/chance"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
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
	found   map[figure.Quantile]bounds // nil: nothing yet
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
func (b *bounding) see(h page.Host, p *stage.Point) tea.Cmd {
	key, now := boundKey{p.Level, p.Summary}, h.Now()
	switch {
	case key.level != b.of.level:
		*b = bounding{}
	case b.running || key == b.of || now.Sub(b.begun) < boundEvery:
		return nil
	}
	b.of, b.begun, b.running = key, now, true
	stages := sampledStages(h.Frame().Shown, p)
	return page.Later(func() page.Done {
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
func sampledStages(s *snapshot.Snapshot, p *stage.Point) []int {
	unsettled := make(map[int]bool)
	for i := range s.Stages {
		unsettled[s.Stages[i].Number] = s.Stages[i].Summary.Settling
	}
	return slices.DeleteFunc(slices.Clone(p.Stages), func(n int) bool { return p.Settled && unsettled[n] })
}

// boundsOf pools the samples of stages and bounds their percentiles.
func boundsOf(valuesOf page.StageValues, stages []int) map[figure.Quantile]bounds {
	found := make(map[figure.Quantile]bounds)
	for _, metric := range slo.Metrics() {
		var values []time.Duration
		for _, n := range stages {
			values = append(values, valuesOf(n, metric)...)
		}
		slices.Sort(values)
		for _, q := range boundedQuantiles() {
			low, high, ok := chance.QuantileRanks(len(values), q, sure)
			if !ok {
				found[figure.Quantile{Metric: metric, P: q}] = bounds{few: true}
				continue
			}
			found[figure.Quantile{Metric: metric, P: q}] = bounds{low: values[low-1], high: values[high-1]}
		}
	}
	return found
}

// words write the bounds of a percentile: "295–330 ms".
func (b *bounding) words(v *page.Frame, metric slo.Metric, q float64) []cell.Piece {
	got, ok := b.found[figure.Quantile{Metric: metric, P: q}]
	switch {
	case !ok:
		return []cell.Piece{cell.Muted(v.Theme.Glyphs.Ellipsis)}
	case got.few:
		return []cell.Piece{cell.Muted("too few")}
	}
	unit := cell.LatencyUnit(got.high)
	return []cell.Piece{
		cell.Text(cell.FitGlyphs(cell.LatencyIn(unit, got.low)+"–"+cell.LatencyIn(unit, got.high), &v.Theme.Glyphs)),
		cell.Muted(" " + unit),
	}
}

// intervalWords are the foot of the table: the chosen level's p95 of the latency that is drawn, and how sure it is.
func (p *Page) intervalWords(v *page.Frame, point *stage.Point) []cell.Piece {
	const q = 0.95
	metric, name := slo.TTFT, "TTFT"
	if drawn := &curveMetrics()[p.metric]; drawn.timed && !p.trading {
		metric, name = drawn.latency, drawn.name
	}
	d := figure.LatencyOf(point.Summary, metric)
	out := []cell.Piece{cell.Title(figure.LevelName(v.Shown.Knobs, point.Level)), cell.Muted("  " + name + " p95 ")}
	out = append(out, figure.LatencyCell(d, q)...)
	if d.N == 0 {
		return out
	}
	if p.bounds.found[figure.Quantile{Metric: metric, P: q}].few {
		return append(out, cell.Muted("  too few samples to be sure of it"))
	}
	out = append(out, cell.Muted("  95 % interval "))
	return append(out, p.bounds.words(v, metric, q)...)
}
