// This file is what charts over time have in common.

package figure

import (
	"math"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/units"
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

// PointedAt is which of n points, the last of which is drawn last, the mouse points at in a chart that is drawn so many lines
// below the frame of the part, at a size; false where it points elsewhere.
func PointedAt(v *page.Frame, c *chart.Chart, n, top, w, h int) (point int, ok bool) {
	x, y, ok := v.Pointed()
	if !ok || y < top || y >= top+h {
		return 0, false
	}
	step, ok := c.StepAt(x, w, h, *v.Theme)
	point = step - (c.Steps - n)
	return point, ok && point >= 0 && point < n
}

// PointerMark puts a line into a chart of n points at the one that is pointed at.
func PointerMark(v *page.Frame, c *chart.Chart, n, point int, at record.Instant) {
	c.Marks = append(c.Marks, chart.Mark{
		Step: c.Steps - n + point, Label: v.Theme.Glyphs.Pointer + units.Clock(at.Elapsed()),
	})
}

// ReadOut draws a chart of n points into a panel, and says beneath it what the chart shows where the mouse points.
func ReadOut(v *page.Frame, p *cell.Panel, c chart.Chart, n int, at func(int) record.Instant) {
	if i, ok := PointedAt(v, &c, n, 0, v.Drawn.W-2, v.Drawn.H-2); ok {
		p.Foot = []cell.Piece{cell.Title(units.Clock(at(i).Elapsed()))}
		for _, s := range slices.Backward(c.Series) {
			value := cell.Unknown
			if y := s.Points[len(s.Points)-n+i]; !math.IsNaN(y) {
				value = c.Format(y)
			}
			p.Foot = append(p.Foot, cell.Muted("  "+s.Name+" "), cell.Text(value))
		}
		PointerMark(v, &c, n, i, at(i))
	}
	p.Body = func(w, h int) []string { return c.Lines(w, h, *v.Theme) }
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
