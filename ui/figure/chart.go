// This file is what charts over time have in common.

package figure

import (
	"math"
	"strconv"
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
		Step: c.Steps - n + point, Label: v.Theme.Glyphs.Pointer + units.Clock(v.Shown.Since(at)),
	})
}

// ReadOut draws a chart of n points into a panel, and says beneath it what the chart shows where the mouse points.
func ReadOut(v *page.Frame, p *cell.Panel, c chart.Chart, n int, at func(int) record.Instant) {
	if i, ok := PointedAt(v, &c, n, 0, v.Drawn.W-2, v.Drawn.H-2); ok {
		p.Foot = PointWords(v, &c, n, i, at(i))
		PointerMark(v, &c, n, i, at(i))
	}
	p.Body = func(w, h int) []string { return c.Lines(w, h, *v.Theme) }
}

// PointWords say what each series of a chart of n points shows at one of them.
func PointWords(v *page.Frame, c *chart.Chart, n, point int, at record.Instant) []cell.Piece {
	out := []cell.Piece{cell.Title(units.Clock(v.Shown.Since(at)))}
	for _, s := range c.Series {
		out = append(out, cell.Muted("  "+s.Name+" "), cell.Text(ReadAs(c.Format, s.Points[len(s.Points)-n+point])))
	}
	return out
}

// ReadAs writes a value of a chart as its axis does, in three digits. What is less than a hundred is not written as a hundred: a
// share that is not whole is not to look so.
func ReadAs(format func(float64) string, v float64) string {
	switch {
	case math.IsNaN(v):
		return cell.Unknown
	case v < 100 && v >= 99.95:
		return format(99.9)
	}
	if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64); err == nil {
		v = short
	}
	return format(v)
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
