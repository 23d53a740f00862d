// This file is the charts over levels of load, and of how latencies are spread.

package web

import (
	"math"
	"slices"
	"time"

	"tokdyno/engine/run"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// leastSteps is by how much the highest level exceeds the lowest where the axis is logarithmic.
const leastSteps = 8

// levelCharts are the curve of a run: what each level gave. There are none of a single level.
func levelCharts(r *run.Report) []chart {
	if len(r.Levels) < 2 {
		return nil
	}
	base := chart{Over: overLevels}
	for i := range r.Levels {
		base.X = append(base.X, r.Levels[i].Level)
		base.Levels = append(base.Levels, r.Levels[i].Name)
	}
	base.Log = base.X[0] > 0 && base.X[len(base.X)-1] >= leastSteps*base.X[0]
	if held := r.Reach.Held; held >= 0 && r.SLO.Text != "" {
		base.Lines = []line{{base.X[held], r.Levels[held].Name + " held"}}
	}
	of := func(f func(*run.Level) *float64) numbers {
		y := make(numbers, len(r.Levels))
		for i := range r.Levels {
			y[i] = orNaN(f(&r.Levels[i]))
		}
		return y
	}
	limit := func(ms *float64) []line {
		if ms == nil {
			return nil
		}
		return []line{{*ms, "SLO " + cell.Limit(cell.FromMilliseconds(*ms))}}
	}
	latency := func(id, title string, d func(*run.Level) *run.Distribution, asked *float64) chart {
		c := base
		c.ID, c.Title, c.Unit, c.Limits = id, title, inMillis, limit(asked)
		c.Series = []series{
			{"p50", of(func(l *run.Level) *float64 { return d(l).P50 })},
			{"p95", of(func(l *run.Level) *float64 { return d(l).P95 })},
			{"p99", of(func(l *run.Level) *float64 { return d(l).P99 })},
		}
		return c
	}
	rates := func(id, title string, u unit, all ...series) chart {
		c := base
		c.ID, c.Title, c.Unit, c.Series = id, title, u, all
		return c
	}
	charts := []chart{
		latency("level-ttft", "TTFT", func(l *run.Level) *run.Distribution { return &l.TTFT }, r.SLO.Criteria.TTFT),
		latency("level-tpot", "TPOT", func(l *run.Level) *run.Distribution { return &l.TPOT }, r.SLO.Criteria.TPOT),
		rates("level-output", "Output tok/s", inTokens,
			series{"output", of(func(l *run.Level) *float64 { return l.Throughput.Output })}),
		rates("level-goodput", "Requests per second", inRate,
			series{"completed", of(func(l *run.Level) *float64 { return l.Throughput.Requests })},
			series{"good (goodput)", of(func(l *run.Level) *float64 { return l.SLO.Goodput })}),
	}
	var kept []chart
	for _, c := range charts {
		if c, ok := c.drawn(); ok {
			kept = append(kept, c)
		}
	}
	return kept
}

// levelAxis says what levels are counted in; "" where they are of several kinds.
func levelAxis(r *run.Report) string {
	all := func(is func(*run.Load) bool) bool {
		return !slices.ContainsFunc(r.Levels, func(l run.Level) bool { return !is(&l.Load) })
	}
	switch {
	case all(func(l *run.Load) bool { return l.Concurrency != nil && l.Conversations }):
		return "conversations at once"
	case all(func(l *run.Load) bool { return l.Concurrency != nil && !l.Conversations }):
		return "requests in flight"
	case all(func(l *run.Load) bool { return l.Rate != nil }):
		return "requests per second"
	}
	return ""
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// spreadChart is how the latencies of the figures are spread: the share of requests within each. There is none of nothing.
func spreadChart(r *run.Report) (chart, bool) {
	itl := "ITL"
	if r.ITLIsChunkGap {
		itl = "gap between chunks"
	}
	all := []struct {
		name   string
		spread stats.Spread
	}{{"TTFT", r.Spreads.TTFT}, {"TPOT", r.Spreads.TPOT}, {itl, r.Spreads.ITL}, {"E2EL", r.Spreads.E2EL}}
	least := shortest(r)
	at := make(map[time.Duration]bool)
	for _, d := range all {
		for _, s := range d.spread.Cumulative() {
			if s.Within >= least {
				at[s.Within] = true
			}
		}
	}
	bounds := make([]time.Duration, 0, len(at))
	for b := range at {
		bounds = append(bounds, b)
	}
	slices.Sort(bounds)
	c := chart{ID: "spread", Title: "Share of requests within a latency", Over: overValues, Unit: inPercent, Log: true}
	for _, b := range bounds {
		c.X = append(c.X, cell.Milliseconds(b))
	}
	for _, d := range all {
		y := make(numbers, len(bounds))
		for i := range y {
			y[i] = math.NaN()
		}
		for _, s := range d.spread.Cumulative() {
			if i, ok := slices.BinarySearch(bounds, s.Within); ok {
				y[i] = 100 * s.Share
			}
		}
		c.Series = append(c.Series, series{d.name, y})
	}
	for _, l := range []struct {
		name string
		ms   *float64
	}{{"TTFT", r.SLO.Criteria.TTFT}, {"TPOT", r.SLO.Criteria.TPOT}, {"E2EL", r.SLO.Criteria.E2EL}} {
		if l.ms != nil {
			c.Lines = append(c.Lines, line{*l.ms, l.name + " SLO"})
		}
	}
	return c.drawn()
}

// shortest is where the axis of latencies begins: see axisBegin.
func shortest(r *run.Report) time.Duration {
	var medians []float64
	for _, p50 := range []*float64{r.TTFT.P50, r.TPOT.P50, r.ITL.P50, r.ChunkGap.P50, r.E2EL.P50} {
		if p50 != nil {
			medians = append(medians, *p50)
		}
	}
	return cell.FromMilliseconds(axisBegin(medians...))
}

// axisBegin is where an axis of latencies begins, in milliseconds: far below what half of any metric is within. Chunks that come
// together have gaps of a microsecond, and an axis that shows these shows little else.
func axisBegin(medians ...float64) float64 {
	const below, resolved = 20, 0.01 // ms
	least := math.Inf(1)
	for _, p50 := range medians {
		if p50 > 0 {
			least = min(least, max(p50/below, resolved))
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}
