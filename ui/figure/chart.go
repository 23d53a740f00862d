// This file is what charts over time have in common.

package figure

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// axisCells keeps the plots of charts above each other in line.
const axisCells = 6

// TimeChart is a chart of n points a second apart, which are at the given instants, with the marks of the run.
func TimeChart(v *page.Frame, steps, n int, at func(int) record.Instant) chart.Chart {
	c := chart.Chart{Steps: steps, AxisWidth: axisCells}
	if n == 0 {
		return c
	}
	c.Origin = int(at(0).Elapsed()/time.Second) + n - steps
	places, marks := markSteps(v.Shown.Marks, at(n-1), steps)
	for i, m := range marks {
		c.Marks = append(c.Marks, chart.Mark{Step: places[i], Label: cell.Sanitise(m.Label, &v.Theme.Glyphs)})
	}
	return c
}

// SparkSeconds is what a sparkline shows.
const SparkSeconds = 60

// SparkReach is the most seconds that a sparkline can need: a group of seconds per cell may not divide a minute.
const SparkReach = 4 * SparkSeconds

// Spark draws a sparkline that never fills its cells to the brim: rows of them stay apart.
func Spark(values []float64, w int, top float64, role theme.Role, th *theme.Theme) string {
	if w <= 0 {
		return ""
	}
	if !(top > 0) {
		for _, v := range values {
			if v > top && !math.IsInf(v, 0) {
				top = v
			}
		}
	}
	return chart.Spark(values, w, top*8/7, role, *th)
}
