// This file is the charts over time: TTFT, ITL, output and goodput.

package live

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

const chartCount = int(partGoodput) + 1

// scales are the ranges of the charts, remembered from frame to frame.
type scales [chartCount]chart.Scale

// next returns the scales after a new snapshot.
func (sc scales) next(v *page.Frame) scales {
	next := sc
	for i := range next {
		next[i] = next[i].Next(chartOf(v, &sc, page.Part(i), v.W/2).Peak(), v.Shown.At.Elapsed())
	}
	return next
}

// chart builds the chart p for a plot of about w cells.
func chartOf(v *page.Frame, sc *scales, p page.Part, w int) chart.Chart {
	s := v.Shown
	steps := figure.ChartSpan(w, s.Knobs.Window)
	points := cell.Last(s.History, steps)
	c := figure.TimeChart(v, steps, len(points), func(i int) record.Instant { return points[i].At })
	c.Scale, c.Format = sc[p], cell.AxisTime

	switch p {
	case partTTFT:
		c.Series = latencySeries(points, ttftP50, ttftP95)
		c.Threshold = figure.InMillis(s.Knobs.SLO[slo.TTFT])
	case partITL:
		c.Series = latencySeries(points, itlP50, itlP95)
		if o := itlObjective(s); o != nil && !s.Live.ITLIsChunkGap() { // a chunk of several tokens may take longer than a token may
			c.Threshold = figure.InMillis(o.Objective.Limit)
		}
	case partTPOT:
		c.Series = latencySeries(points, tpotP50, tpotP95)
		c.Threshold = figure.InMillis(s.Knobs.SLO[slo.TPOT])
	case partOutput:
		c.Series = []chart.Series{{Name: "output", Points: figure.Series(points, outputRate), Role: theme.Series1}}
		c.Format = cell.AxisCount
	case partGoodput:
		c.Series = []chart.Series{{Name: "attainment", Points: figure.Series(points, attained), Role: theme.Series1}}
		c.Format, c.AtLeast = cell.AxisPercent, 100
		if s.Knobs.SLO.Active() {
			c.Threshold = 100 * s.Knobs.Target
		}
	}
	if s.Duel != nil {
		c.Series = sideSeries(s, steps, sideFigure(p))
	}
	return c
}

func latencySeries(points []stats.Point, p50, p95 func(*stats.Point) float64) []chart.Series {
	return []chart.Series{
		{Name: "p95", Points: figure.Series(points, p95), Role: theme.Series2, Dash: chart.Broken},
		{Name: "p50", Points: figure.Series(points, p50), Role: theme.Series1},
	}
}

// The figures of a point.
func ttftP50(p *stats.Point) float64    { return figure.InMillis(p.TTFTP50) }
func ttftP95(p *stats.Point) float64    { return figure.InMillis(p.TTFTP95) }
func itlP50(p *stats.Point) float64     { return figure.InMillis(p.ITLP50) }
func itlP95(p *stats.Point) float64     { return figure.InMillis(p.ITLP95) }
func tpotP50(p *stats.Point) float64    { return figure.InMillis(p.TPOTP50) }
func tpotP95(p *stats.Point) float64    { return figure.InMillis(p.TPOTP95) }
func outputRate(p *stats.Point) float64 { return p.OutputTokens }
func attained(p *stats.Point) float64   { return 100 * p.Attainment }
func inFlight(p *stats.Point) float64   { return float64(p.InFlight) }

// chartPanel frames a chart with its legend; picked points at one of its points, nil at none.
func chartPanel(v *page.Frame, sc *scales, p page.Part, picked *pick) cell.Panel {
	panel := cell.Titled(chartTitle(v, p))
	panel.Body = func(w, h int) []string { return chartLines(v, sc, p, picked, w, h) }
	panel.Aside = legend(v, p)
	return panel
}

func chartLines(v *page.Frame, sc *scales, p page.Part, picked *pick, w, h int) []string {
	// A chart whose only series is a share of an SLO that nobody set has nothing to say.
	if p == partGoodput && !v.Shown.Knobs.SLO.Active() {
		return cell.Centred(v.Theme, w, h, "no SLO set: turn TTFT or TPOT SLO up to set one")
	}
	c := chartOf(v, sc, p, w)
	if picked != nil {
		picked.mark(v, &c, cell.Last(v.Shown.History, c.Steps))
	}
	return c.Lines(w, h, *v.Theme)
}

func chartTitle(v *page.Frame, p page.Part) string {
	name := chartName(v, p)
	if v.Shown.Duel != nil && p < partOutput {
		name += " p95"
	}
	return name
}

func chartName(v *page.Frame, p page.Part) string {
	switch p {
	case partTTFT:
		return "TTFT"
	case partITL:
		return figure.GapName(v.Shown)
	case partTPOT:
		return "TPOT"
	case partOutput:
		return "Output tok/s"
	}
	return "Goodput" + " " + v.Theme.Glyphs.Bullet + " % of requests within SLO"
}

func legend(v *page.Frame, p page.Part) []cell.Piece {
	g := &v.Theme.Glyphs
	length := cell.Muted(cell.Span(time.Duration(spanOf(v, p)) * time.Second))
	if d := v.Shown.Duel; d != nil {
		return append(figure.SideLegend(g, d), length)
	}
	switch p {
	case partTTFT, partITL, partTPOT:
		return []cell.Piece{
			cell.In(theme.Series1, g.Solid),
			cell.Muted(" p50  "),
			cell.In(theme.Series2, g.Dashed),
			cell.Muted(" p95  "),
			length,
		}
	case partOutput:
		if figure.Estimated(v.Shown) {
			return []cell.Piece{cell.Warn("~ estimated  "), length}
		}
	}
	return []cell.Piece{length}
}

// spanOf is the stretch that a placed chart shows, in seconds.
func spanOf(v *page.Frame, p page.Part) int {
	for _, placed := range v.Places {
		if placed.Part == p || p == partOutput && placed.Part == partThroughput {
			return figure.ChartSpan(placed.W-2, v.Shown.Knobs.Window)
		}
	}
	return figure.ChartSpan(0, v.Shown.Knobs.Window)
}
