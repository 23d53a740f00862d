// Charts: what one shows, and how its parts are put together.

package chart

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"tokdyno/ui/theme"
)

// Series is one line of a chart.
type Series struct {
	Name   string
	Points []float64 // one per time step, oldest first, the last one now; NaN and infinities are gaps
	Role   theme.Role
	Dash   Dash // tells series apart without colour
}

// Mark is a moment worth a line across the chart, such as a changed knob.
type Mark struct {
	Step  int    // time step in the window: 0 is the oldest, Steps−1 is now; others are not drawn
	Label string // one line, such as "c 16→32"; may be empty
}

// Chart is one frame of a line chart over a window of time that ends now, at the right edge. The zero Chart is empty.
type Chart struct {
	Series []Series // drawn in this order, later over earlier
	Marks  []Mark   // oldest first; where labels collide the newest stays

	// Threshold is the SLO line; it is always in range. NaN, zero and less mean none.
	Threshold float64

	// Format writes an axis label with its unit; nil writes the bare number.
	Format func(float64) string

	// Steps is how many time steps the width shows; zero means as many as the longest series has. A series with fewer
	// points leaves the left of the chart empty.
	Steps int

	// Origin is the number of time steps, since any fixed moment, before the window's oldest one. A caller that keeps
	// it up to date has each step drawn with the same neighbours from frame to frame, so that the line scrolls instead
	// of shimmering.
	Origin int

	// AtLeast is a value the axis always reaches, such as 100 for a percentage; zero means none.
	AtLeast float64

	// AxisWidth is the least number of cells for axis labels, so that charts above each other line up.
	AxisWidth int

	// Scale is the range remembered from earlier frames; the zero Scale follows the data.
	Scale Scale
}

// maxSteps is what is drawn of a window at most: many times the columns of any terminal. A longer one is cut.
const maxSteps = 1 << 20

// noSamples is the text of a chart that has nothing to show.
const noSamples = "no samples yet"

// Peak returns the largest value in the window, the one to hand to [Scale.Next]; NaN if there are no values.
func (c Chart) Peak() float64 {
	const none = -1
	steps, peak := c.steps(), float64(none)
	for _, s := range c.Series {
		for _, v := range s.Points[max(0, len(s.Points)-steps):] {
			if drawable(v) {
				peak = max(peak, v, 0)
			}
		}
	}
	if peak == none {
		return math.NaN()
	}
	return peak
}

// Render draws the chart into h lines, each w cells wide, joined by line breaks. It is empty if h is not positive.
func (c Chart) Render(w, h int, th theme.Theme) string {
	w, h = max(w, 0), max(h, 0)
	out := newCells(w, h)
	if w == 0 || h == 0 {
		return out.render(th)
	}

	peak := c.Peak()
	p := c.plot(out, peak, th.Glyphs)
	slo := p.threshold(c.Threshold)
	p.markLines(c.Marks)
	for _, s := range c.Series {
		p.trace(s)
	}
	p.markLabels(c.Marks)
	if math.IsNaN(peak) {
		p.notice(noSamples, slo)
	}
	return out.render(th)
}

// plot writes the axis, and returns the part right of it.
func (c Chart) plot(out cells, peak float64, g theme.Glyphs) plot {
	a := newAxis(c, peak, out.h)
	left := a.draw(out, c.AxisWidth, g)
	return plot{
		cells:  out,
		left:   left,
		width:  out.w - left,
		axis:   a,
		glyphs: g,
		window: newWindow(c.steps(), c.Origin, out.w-left, g.Braille),
	}
}

// StepAt returns the time step that is drawn in a column of cells of the chart at a size: of several the newest, and where none is
// the nearest. It is false left of the plot.
func (c Chart) StepAt(column, w, h int, th theme.Theme) (step int, ok bool) {
	if w <= 0 || h <= 0 || column >= w {
		return 0, false
	}
	p := c.plot(newCells(w, h), c.Peak(), th.Glyphs)
	if column < p.left {
		return 0, false
	}
	last := (column-p.left+1)*p.window.perCell - 1 // the last column of dots in the cell
	step = sort.Search(p.window.steps, func(step int) bool { return p.window.column(step) > last })
	if step == p.window.steps || step > 0 && last-p.window.column(step-1) <= p.window.column(step)-last {
		step--
	}
	return step, true
}

// Lines is Render, line by line: max(h, 0) of them.
func (c Chart) Lines(w, h int, th theme.Theme) []string {
	if h <= 0 {
		return nil
	}
	return strings.Split(c.Render(w, h, th), "\n")
}

// steps is the number of time steps in the window, at least one.
func (c Chart) steps() int {
	steps := c.Steps
	if steps <= 0 {
		for _, s := range c.Series {
			steps = max(steps, len(s.Points))
		}
	}
	return min(max(steps, 1), maxSteps)
}

// plot is the part of a chart right of the axis.
type plot struct {
	cells  cells
	left   int // first column
	width  int
	axis   axis
	glyphs theme.Glyphs
	window window
}

// threshold draws the SLO line and returns its row, or -1.
func (p plot) threshold(v float64) int {
	if !positive(v) {
		return -1
	}
	row := p.axis.row(v)
	for x := range p.width {
		p.cells.set(p.left+x, row, first(p.glyphs.Threshold), theme.Accent)
	}
	return row
}

// notice writes text in the middle of the plot, off the row of the SLO line.
func (p plot) notice(text string, slo int) {
	line := legible(text, p.glyphs)
	line = line[:min(len(line), p.width)]
	row := p.cells.h / 2
	if row == slo && row+1 < p.cells.h {
		row++
	}
	p.cells.write(p.left+(p.width-len(line))/2, row, line, theme.Muted)
}

// drawable reports whether v is a number there is a place for; the others are gaps.
func drawable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// positive reports whether v is a finite number above zero.
func positive(v float64) bool { return drawable(v) && v > 0 }

// bare is the axis label of a chart without a Format.
func bare(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
