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
	steps := figure.ChartSpan(v.Drawn.W-2, v.Shown.Knobs.Window)
	points := cell.Last(v.Shown.GPUHistory, steps)
	at := func(i int) record.Instant { return points[i].At }
	c := figure.TimeChart(v, steps, len(points), at)
	c.Series = []chart.Series{
		{Name: "memory", Points: figure.Series(points, device.MemoryUsed), Role: theme.Series2, Dash: chart.Broken},
		{Name: name, Points: figure.Series(points, of), Role: theme.Series1},
	}
	c.Format, c.AtLeast = cell.AxisPercent, 100
	figure.ReadOut(v, &p, c, len(points), at)
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
	steps := figure.ChartSpan(v.Drawn.W-2, v.Shown.Knobs.Window)
	points := cell.Last(v.Shown.ServerHistory, steps)
	at := func(i int) record.Instant { return points[i].At }
	c := figure.TimeChart(v, steps, len(points), at)
	c.Series = []chart.Series{
		{Name: "waiting", Points: figure.Series(points, waiting), Role: theme.Series2, Dash: chart.Broken},
		{Name: "running", Points: figure.Series(points, running), Role: theme.Series1},
	}
	c.Format = cell.AxisCount
	figure.ReadOut(v, &p, c, len(points), at)
	return p
}

// The figures of a point of the server's trend.
func waiting(p *snapshot.ServerPoint) float64 { return p.Waiting }
func running(p *snapshot.ServerPoint) float64 { return p.Running }

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
