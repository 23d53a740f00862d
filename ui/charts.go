// This file is the charts over time: TTFT, ITL, output and goodput.

package ui

import (
	"time"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

const chartCount = int(partGoodput) + 1

// axisCells keeps the plots of charts above each other in line.
const axisCells = 6

// scales are the ranges of the charts, remembered from frame to frame.
type scales [chartCount]chart.Scale

// next returns the scales after a new snapshot.
func (sc scales) next(v *Frame) scales {
	next := sc
	for i := range next {
		next[i] = next[i].Next(chartOf(v, &sc, part(i), v.w/2).Peak(), v.shown.At.Elapsed())
	}
	return next
}

// chart builds the chart p for a plot of about w cells.
func chartOf(v *Frame, sc *scales, p part, w int) chart.Chart {
	s := v.shown
	steps := chartSpan(w, s.Knobs.Window)
	points := last(s.History, steps)
	c := timeChart(v, steps, len(points), func(i int) record.Instant { return points[i].At })
	c.Scale, c.Format = sc[p], axisTime

	switch p {
	case partTTFT:
		c.Series = latencySeries(points, ttftP50, ttftP95)
		c.Threshold = inMillis(s.Knobs.SLO[slo.TTFT])
	case partITL:
		c.Series = latencySeries(points, itlP50, itlP95)
		if !s.Live.ITLIsChunkGap() { // a chunk of several tokens may take longer than a token may
			c.Threshold = inMillis(s.Knobs.SLO[slo.TPOT])
		}
	case partOutput:
		c.Series = []chart.Series{{Name: "output", Points: series(points, outputRate), Role: theme.Series1}}
		c.Format = axisCount
	case partGoodput:
		c.Series = []chart.Series{{Name: "attainment", Points: series(points, attained), Role: theme.Series1}}
		c.Format, c.AtLeast = axisPercent, 100
		if s.Knobs.SLO.Active() {
			c.Threshold = 100 * s.Knobs.Target
		}
	}
	return c
}

// timeChart is a chart of n points a second apart, which are at the given instants, with the marks of the run.
func timeChart(v *Frame, steps, n int, at func(int) record.Instant) chart.Chart {
	c := chart.Chart{Steps: steps, AxisWidth: axisCells}
	if n == 0 {
		return c
	}
	c.Origin = int(at(0).Elapsed()/time.Second) + n - steps
	places, marks := markSteps(v.shown.Marks, at(n-1), steps)
	for i, m := range marks {
		c.Marks = append(c.Marks, chart.Mark{Step: places[i], Label: foreign(m.Label, &v.th.Glyphs)})
	}
	return c
}

func latencySeries(points []stats.Point, p50, p95 func(*stats.Point) float64) []chart.Series {
	return []chart.Series{
		{Name: "p95", Points: series(points, p95), Role: theme.Series2, Dashed: true},
		{Name: "p50", Points: series(points, p50), Role: theme.Series1},
	}
}

// chartPanel frames a chart with its legend.
func chartPanel(v *Frame, sc *scales, p part) panel {
	panel := titled(chartTitle(v, p))
	panel.body = func(w, h int) []string { return chartLines(v, sc, p, w, h) }
	panel.aside = legend(v, p)
	return panel
}

func chartLines(v *Frame, sc *scales, p part, w, h int) []string {
	// A chart whose only series is a share of an SLO that nobody set has nothing to say.
	if p == partGoodput && !v.shown.Knobs.SLO.Active() {
		return centred(v.th, w, h, "no SLO set: turn TTFT or TPOT SLO up to set one")
	}
	return chartOf(v, sc, p, w).Lines(w, h, *v.th)
}

func chartTitle(v *Frame, p part) string {
	switch p {
	case partTTFT:
		return "TTFT"
	case partITL:
		return gapName(v.shown)
	case partOutput:
		return "Output tok/s"
	}
	return "Goodput" + " " + v.th.Glyphs.Bullet + " % of requests within SLO"
}

// gapName is what the samples between tokens are: ITL, or chunk gaps where chunks carry other than one token.
func gapName(s *engine.Snapshot) string {
	if s.Live.ITLIsChunkGap() {
		return "Chunk gap"
	}
	return "ITL"
}

func legend(v *Frame, p part) []piece {
	g := &v.th.Glyphs
	length := piece{theme.Muted, span(time.Duration(spanOf(v, p)) * time.Second)}
	switch p {
	case partTTFT, partITL:
		return []piece{
			{theme.Series1, g.Solid},
			{theme.Muted, " p50  "},
			{theme.Series2, g.Dashed},
			{theme.Muted, " p95  "},
			length,
		}
	case partOutput:
		if estimated(v.shown) {
			return []piece{{theme.Warn, "~ estimated  "}, length}
		}
	}
	return []piece{length}
}

// spanOf is the stretch that a placed chart shows, in seconds.
func spanOf(v *Frame, p part) int {
	for _, placed := range v.places {
		if placed.part == p || p == partOutput && placed.part == partThroughput {
			return chartSpan(placed.w-2, v.shown.Knobs.Window)
		}
	}
	return chartSpan(0, v.shown.Knobs.Window)
}

// estimated reports whether token figures rest on our own estimate.
func estimated(s *engine.Snapshot) bool { return s.Live.Tokens.Source == record.SourceEstimated }

// approximate puts "~" before a token figure that rests on an estimate.
func approximate(s *engine.Snapshot, number string) string {
	if estimated(s) && number != unknown {
		return "~" + number
	}
	return number
}

// centred writes a muted sentence into the middle of an empty panel.
func centred(th *theme.Theme, w, h int, sentence string) []string {
	lines := wrapped(sentence, w-2)
	out := fitted(nil, w, max(0, (h-len(lines))/2))
	for _, s := range lines {
		out = append(out, newLine(th, w).skip((w-cells(s))/2).put(theme.Muted, s).String())
	}
	return fitted(out, w, h)
}
