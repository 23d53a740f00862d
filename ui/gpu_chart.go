// This file is the charts of the GPU page: what accelerators and server showed over time, under the marks of every chart.

package ui

import (
	"math"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// activityPanel is the accelerators' activity and memory. GPU-util stands in where SM activity is unknown, under its own
// name.
func activityPanel(v *Frame) panel {
	p := titled("GPU activity and memory")
	name, of := "SM active", smActive
	if !knownSomewhere(v.shown.GPUHistory, smActive) && knownSomewhere(v.shown.GPUHistory, gpuUtil) {
		name, of = "GPU-util", gpuUtil
	}
	p.body = func(w, h int) []string {
		if why := noDevices(v); why != "" && len(v.shown.GPUHistory) == 0 {
			return centred(v.th, w, h, why)
		}
		steps := chartSpan(w, v.shown.Knobs.Window)
		points := last(v.shown.GPUHistory, steps)
		c := timeChart(v, steps, len(points), func(i int) record.Instant { return points[i].At })
		c.Series = []chart.Series{
			{Name: "memory", Points: series(points, memoryUsed), Role: theme.Series2, Dashed: true},
			{Name: name, Points: series(points, of), Role: theme.Series1},
		}
		c.Format, c.AtLeast = axisPercent, 100
		return c.Lines(w, h, *v.th)
	}
	p.aside = pairLegend(v, name, "memory", partActivity)
	return p
}

// queuePanel is the server's batch and queue.
func queuePanel(v *Frame) panel {
	p := titled("Server batch and queue")
	p.body = func(w, h int) []string {
		if len(v.shown.ServerHistory) == 0 {
			return centred(v.th, w, h, noServer(v))
		}
		steps := chartSpan(w, v.shown.Knobs.Window)
		points := last(v.shown.ServerHistory, steps)
		c := timeChart(v, steps, len(points), func(i int) record.Instant { return points[i].At })
		c.Series = []chart.Series{
			{Name: "waiting", Points: series(points, func(p *engine.ServerPoint) float64 { return p.Waiting }), Role: theme.Series2, Dashed: true},
			{Name: "running", Points: series(points, func(p *engine.ServerPoint) float64 { return p.Running }), Role: theme.Series1},
		}
		c.Format = axisCount
		return c.Lines(w, h, *v.th)
	}
	p.aside = pairLegend(v, "running", "waiting", partQueue)
	return p
}

// pairLegend names a solid and a dashed series, and the stretch that their chart shows.
func pairLegend(v *Frame, solid, dashed string, of part) []piece {
	g := &v.th.Glyphs
	w, _ := v.inner(of)
	return []piece{
		{theme.Series1, g.Solid},
		{theme.Muted, " " + solid + "  "},
		{theme.Series2, g.Dashed},
		{theme.Muted, " " + dashed + "  "},
		{theme.Muted, span(time.Duration(chartSpan(w, v.shown.Knobs.Window)) * time.Second)},
	}
}

// knownSomewhere reports whether a figure was known in the last minutes.
func knownSomewhere(points []engine.GPUPoint, of func(*engine.GPUPoint) float64) bool {
	points = last(points, sparkReach)
	for i := range points {
		if !math.IsNaN(of(&points[i])) {
			return true
		}
	}
	return false
}
