// This file is the charts of the GPU page: what accelerators and server showed over time, under the marks of every chart.

package machine

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// activityPanel is the accelerators' activity and memory. GPU-util stands in where SM activity is unknown, under its own
// name.
func activityPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("GPU activity and memory")
	name, of := "SM active", device.SMActive
	if !knownSomewhere(v.Shown.GPUHistory, device.SMActive) && knownSomewhere(v.Shown.GPUHistory, device.GPUUtil) {
		name, of = "GPU-util", device.GPUUtil
	}
	p.Aside = pairLegend(v, name, "memory", partActivity)
	if why := device.NoDevices(v); why != "" && len(v.Shown.GPUHistory) == 0 {
		p.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, why) }
		return p
	}
	pair(v, &p, v.Shown.GPUHistory, func(p *snapshot.GPUPoint) record.Instant { return p.At },
		series[snapshot.GPUPoint]{name, of}, series[snapshot.GPUPoint]{"memory", device.MemoryUsed},
		chart.Chart{Format: cell.AxisPercent, AtLeast: 100})
	return p
}

// queuePanel is the server's batch and queue.
func queuePanel(v *page.Frame) cell.Panel {
	p := cell.Titled("Server batch and queue")
	p.Aside = pairLegend(v, "running", "waiting", partQueue)
	if len(v.Shown.ServerHistory) == 0 {
		p.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, device.NoServer(v)) }
		return p
	}
	pair(v, &p, v.Shown.ServerHistory, func(p *snapshot.ServerPoint) record.Instant { return p.At },
		series[snapshot.ServerPoint]{"running", running}, series[snapshot.ServerPoint]{"waiting", waiting},
		chart.Chart{Format: cell.AxisCount})
	return p
}

// The figures of a point of the server's trend.
func waiting(p *snapshot.ServerPoint) float64 { return p.Waiting }
func running(p *snapshot.ServerPoint) float64 { return p.Running }

// series is a figure of a trend.
type series[P any] struct {
	name string
	of   func(*P) float64
}

// pair draws a panel's chart of a trend: a dashed series behind a solid one, with the axis that like has.
func pair[P any](
	v *page.Frame, p *cell.Panel, history []P, when func(*P) record.Instant, solid, dashed series[P], like chart.Chart,
) {
	steps := figure.ChartSpan(v.Drawn.W-2, v.Shown.Knobs.Window)
	points := cell.Last(history, steps)
	at := func(i int) record.Instant { return when(&points[i]) }
	c := figure.TimeChart(v, steps, len(points), at)
	c.Series = []chart.Series{
		{Name: dashed.name, Points: figure.Series(points, dashed.of), Role: theme.Series2, Dash: chart.Broken},
		{Name: solid.name, Points: figure.Series(points, solid.of), Role: theme.Series1},
	}
	c.Format, c.AtLeast = like.Format, like.AtLeast
	figure.ReadOut(v, p, c, len(points), at)
}

// pairLegend names a solid and a dashed series, and the stretch that their chart shows.
func pairLegend(v *page.Frame, solid, dashed string, of page.Part) []cell.Piece {
	g := &v.Theme.Glyphs
	w, _ := v.Inner(of)
	return []cell.Piece{
		cell.In(theme.Series1, g.Solid),
		cell.Muted(" " + solid + "  "),
		cell.In(theme.Series2, g.Dashed),
		cell.Muted(" " + dashed + "  "),
		cell.Muted(cell.Span(time.Duration(figure.ChartSpan(w, v.Shown.Knobs.Window)) * time.Second)),
	}
}

// knownSomewhere reports whether a figure was known in the last minutes.
func knownSomewhere(points []snapshot.GPUPoint, of func(*snapshot.GPUPoint) float64) bool {
	points = cell.Last(points, figure.SparkReach)
	for i := range points {
		if !math.IsNaN(of(&points[i])) {
			return true
		}
	}
	return false
}
