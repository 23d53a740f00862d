// Traces: how a series becomes dots, without losing a peak and without joining what a gap parts.

package chart

import (
	"math"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"tokdyno/ui/theme"
)

const (
	dotsPerColumn = 2

	// The dash of a dashed series, in dots.
	dashOn, dashPeriod = 4, 6

	// A span of more dots is a slope or a spike and is drawn whole: a dash must not hide a peak.
	dashHides = 2
)

// window maps time steps to columns of dots, the newest step to the last column. The boundaries between columns are
// fixed in time, not in the window: a step shares its column with the same steps as the window moves on.
type window struct {
	steps   int
	columns int
	first   int // the origin, reduced to [steps, 2×steps) so that all that follows is small and positive
	phase   int // columns before the window, modulo the dash period: dashes move with the line
	perCell int
}

func newWindow(steps, origin, width int, braille bool) window {
	w := window{steps: steps, columns: width, perCell: 1}
	if braille {
		w.columns, w.perCell = width*dotsPerColumn, dotsPerColumn
	}
	turns, rest := origin/steps, origin%steps
	if rest < 0 {
		turns, rest = turns-1, rest+steps
	}
	w.first = rest + steps
	w.phase = (turns%dashPeriod+dashPeriod)*(w.columns%dashPeriod) + w.slot(0) - w.column(0)
	return w
}

// slot is the column of a step on a ruler that does not move with the window.
func (w window) slot(step int) int { return (w.first + step) * w.columns / w.steps }

// column is the column of a step; it is negative for the steps before the window.
func (w window) column(step int) int { return w.slot(step) - w.slot(w.steps-1) + w.columns - 1 }

// span is what a series covers of one column: dots lo to hi, counted from the bottom.
type span struct {
	lo, hi int
	drawn  bool
	joined bool // with the column before
}

func (s *span) add(dot int) {
	if !s.drawn {
		s.lo, s.hi, s.drawn = dot, dot, true
		return
	}
	s.lo, s.hi = min(s.lo, dot), max(s.hi, dot)
}

// spans returns the columns of a series: the smallest and the largest of all steps that fall into one, and a straight
// line between neighbouring steps that fall apart.
func (p plot) spans(points []float64) []span {
	spans := make([]span, p.window.columns)
	// One step before the window, so that the line comes in from the edge.
	begin := max(0, len(points)-p.window.steps-1)
	var x0, y0 int
	known := false
	for k := begin; k < len(points); k++ {
		if !drawable(points[k]) {
			known = false
			continue
		}
		x, y := p.window.column(p.window.steps-len(points)+k), p.axis.dot(points[k])
		if known {
			for column := max(x0+1, 0); column <= x; column++ {
				spans[column].joined = true
				spans[column].add(y0 + divide((y-y0)*(column-x0), x-x0))
			}
		}
		if x >= 0 {
			spans[x].add(y)
		}
		x0, y0, known = x, y, true
	}
	join(spans)
	return spans
}

// join closes the steps between joined columns, half of each in either column, as a steep line looks.
func join(spans []span) {
	if len(spans) == 0 {
		return
	}
	before := spans[0]
	for x := 1; x < len(spans); x++ {
		here := spans[x]
		if here.joined && before.drawn {
			switch {
			case here.lo > before.hi+1:
				middle := (before.hi + here.lo) / 2
				spans[x-1].hi = max(spans[x-1].hi, middle)
				spans[x].lo = min(spans[x].lo, middle+1)
			case before.lo > here.hi+1:
				middle := (before.lo + here.hi) / 2
				spans[x-1].lo = min(spans[x-1].lo, middle+1)
				spans[x].hi = max(spans[x].hi, middle)
			}
		}
		before = here
	}
}

// trace draws a series.
func (p plot) trace(s Series) {
	spans := p.spans(s.Points)
	if p.glyphs.Braille {
		p.dots(spans, s)
		return
	}
	glyph := first(s.Dash.Glyph(&p.glyphs))
	for x, span := range spans {
		if !span.drawn {
			continue
		}
		for row := span.lo / dotsPerRow; row <= span.hi/dotsPerRow; row++ {
			p.cells.set(p.left+x, p.cells.h-1-row, glyph, s.Role)
		}
	}
}

// dots draws the columns of a series as braille; where two series share a cell the dots of both stay.
func (p plot) dots(spans []span, s Series) {
	// The grid's own mapping from values is left alone: the axis has done that, and NaN would hang it.
	grid := graph.NewBrailleGrid(p.window.columns/dotsPerColumn, p.cells.h, 0, 1, 0, 1)
	bottom := p.cells.h*dotsPerRow - 1
	for x, span := range spans {
		if !span.drawn {
			continue
		}
		if s.Dash.blank(p.window.phase+x) && span.hi-span.lo < dashHides {
			p.blank(x, span)
			continue
		}
		for dot := span.lo; dot <= span.hi; dot++ {
			grid.Set(canvas.Point{X: x, Y: bottom - dot})
		}
	}
	for y, row := range grid.BraillePatterns() {
		for x, pattern := range row {
			if pattern != runes.BrailleBlockOffset {
				under := p.cells.at(p.left+x, y)
				p.cells.set(p.left+x, y, runes.CombineBraillePatterns(under, pattern), s.Role)
			}
		}
	}
}

// blank clears what is not a series under the gap of a dash, or the SLO line would show through it and a dashed series
// along the line would read as neither.
func (p plot) blank(column int, gap span) {
	x := p.left + column/dotsPerColumn
	for row := gap.lo / dotsPerRow; row <= gap.hi/dotsPerRow; row++ {
		if y := p.cells.h - 1 - row; !runes.IsBraillePattern(p.cells.at(x, y)) {
			p.cells.set(x, y, 0, theme.Text)
		}
	}
}

// divide returns a/b rounded to the nearest whole number, for b > 0.
func divide(a, b int) int { return int(math.Round(float64(a) / float64(b))) }
