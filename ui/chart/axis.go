// Axes: which range a chart has, in 1-2-5 steps from zero, and its labels.

package chart

import (
	"math"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/theme"
)

const (
	// dotsPerRow is how many braille dots a cell is high. Rows are counted in dots without braille too, so that a
	// chart has the same proportions with and without.
	dotsPerRow = 4

	// Values beyond these bounds would overflow in between; no unit that is charted comes near them.
	smallest = 1e-300
	largest  = 1e300

	// headroomFrom is the height from which the top row is left to the labels of marks.
	headroomFrom = 5

	// leastPlot is the width below which a plot is worth more than its axis.
	leastPlot = 4

	// mostTicks is how many steps a tall axis is divided into at most.
	mostTicks = 5
)

// axis maps values to rows. A labelled step is a whole number of rows, so that labels stand at even distances: the step
// is 1, 2 or 5 times a power of ten, and the top of the range is wherever the last row ends.
type axis struct {
	height  int
	perRow  float64 // value of one row
	step    float64 // value between labels
	stride  int     // rows between labels
	format  func(float64) string
	slo     float64 // NaN if there is none
	unknown bool    // nothing has set the range yet: only zero can be labelled
}

// newAxis fits an axis of h rows to all that has to be in its range.
func newAxis(c Chart, peak float64, h int) axis {
	a := axis{height: h, format: c.Format, slo: math.NaN()}
	if a.format == nil {
		a.format = bare
	}

	need := 0.0
	for _, v := range []float64{peak, c.Threshold, c.AtLeast, c.Scale.Top()} {
		if positive(v) {
			need = max(need, v)
		}
	}
	if positive(c.Threshold) {
		a.slo = c.Threshold
	}
	if need == 0 {
		need, a.unknown = 1, math.IsNaN(peak)
	}
	a.fit(min(max(need, smallest), largest))
	return a
}

// fit chooses the step and the stride that leave the least of the height unused.
func (a *axis) fit(need float64) {
	rows := float64(a.height) - 1.0/dotsPerRow
	if a.height >= headroomFrom {
		rows = float64(a.height - 1)
	}
	intervals := a.height - 1
	if intervals < 1 {
		a.perRow, a.step, a.stride = need/rows, need, 1
		return
	}

	least := min(max(2, (intervals+mostTicks-1)/mostTicks), intervals)
	most := min(max(least+1, intervals/2), least+2, intervals)
	a.perRow = math.Inf(1)
	for stride := least; stride <= most; stride++ {
		step := niceStep(need * float64(stride) / rows)
		if perRow := step / float64(stride); perRow < a.perRow {
			a.perRow, a.step, a.stride = perRow, step, stride
		}
	}
}

// niceStep returns the smallest 1, 2 or 5 times a power of ten that is not below v, for v > 0.
func niceStep(v float64) float64 {
	exponent := int(math.Floor(math.Log10(v)))
	for {
		for _, m := range []float64{1, 2, 5} {
			// A hair of tolerance: 0.3/3 is not to miss 0.1 by the last bit.
			if step := scaled(m, exponent); step >= v*(1-1e-9) {
				return step
			}
		}
		exponent++
	}
}

// scaled returns m×10^exponent, correctly rounded: dividing by a power of ten is exact where multiplying by a fraction
// is not, and a label must read 0.3.
func scaled(m float64, exponent int) float64 {
	if exponent < 0 {
		return m / math.Pow10(-exponent)
	}
	return m * math.Pow10(exponent)
}

// dot returns the row of dots of a value, 0 at the bottom, within the height.
func (a axis) dot(v float64) int {
	return int(math.Round(min(max(v/a.perRow*dotsPerRow, 0), float64(a.height*dotsPerRow-1))))
}

// row returns the row of cells of a value, 0 at the top.
func (a axis) row(v float64) int { return a.height - 1 - a.dot(v)/dotsPerRow }

// label is the text of one row of the axis.
type label struct {
	text []rune
	role theme.Role
}

// labels returns the label of each row, and the width of the widest.
func (a axis) labels(g theme.Glyphs) (labels []label, width int) {
	labels = make([]label, a.height)
	if a.height < 2 {
		return labels, 0
	}
	for i, row := 0, a.height-1; row >= 0; i, row = i+1, row-a.stride {
		labels[row] = label{legible(a.format(a.tick(i)), g), theme.Muted}
		if a.unknown {
			break
		}
	}
	if !math.IsNaN(a.slo) {
		labels[a.row(a.slo)] = label{[]rune("SLO"), theme.Accent}
	}
	for _, l := range labels {
		width = max(width, len(l.text))
	}
	return labels, width
}

// tick returns the value of the i-th label. Steps below one are the inverse of a whole number; see scaled.
func (a axis) tick(i int) float64 {
	if a.step < 1 && a.step > smallest {
		return float64(i) / math.Round(1/a.step)
	}
	return float64(i) * a.step
}

// draw writes the axis at the left of the cells and returns its width: zero if there is no room for it.
func (a axis) draw(out cells, leastWidth int, g theme.Glyphs) int {
	labels, width := a.labels(g)
	room := out.w - 1 - leastPlot
	if a.height < 2 || width > room {
		return 0
	}
	width = max(width, min(leastWidth, room))
	for y, l := range labels {
		line := first(g.AxisLine)
		if len(l.text) > 0 {
			line = first(g.AxisTick)
		}
		out.write(width-len(l.text), y, l.text, l.role)
		out.set(width, y, line, theme.Border)
	}
	return width + 1
}

// legible returns s as one rune a cell: escape sequences are dropped, what is not one cell wide is replaced.
func legible(s string, g theme.Glyphs) []rune {
	if isPlain(s) {
		return []rune(s)
	}
	line := []rune(ansi.Strip(s))
	for i, r := range line {
		switch {
		case !g.Braille && r == '→':
			line[i] = first(g.Right)
		case ansi.StringWidth(string(r)) != 1, !g.Braille && r > '~':
			line[i] = '?'
		}
	}
	return line
}

// isPlain reports whether s is printable ASCII, as nearly all labels are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
