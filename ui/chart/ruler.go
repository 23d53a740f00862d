// Rulers: where on the width of a plane a value stands.

package chart

import "math"

// ruler maps X to columns of dots, two to a cell whether there is braille or not, so that a plane has the same
// proportions with and without.
type ruler struct {
	low, high float64 // NaN: there is nothing to show
	log       bool
	left      int // the first cell of the plot
	first     int // the cell of low
	span      int // cells from low to high, less one
	width     int // of the plot
}

// leastSpan is the number of cells below which names at the right give way to the plot.
const leastSpan = 8

// rulerIn fits a ruler to all X that have a place, in a plot of width cells from cell left on. At its right it leaves
// room for the names of the lines.
func (p Plane) rulerIn(left, width int) ruler {
	r := ruler{low: math.NaN(), high: math.NaN(), log: p.LogX, left: left, width: width}
	p.each(func(_ *Line, s Spot) {
		if !(s.X >= r.low) {
			r.low = s.X
		}
		if !(s.X <= r.high) {
			r.high = s.X
		}
	})
	if !p.LogX {
		r.low = 0
	}
	names := 0
	for i := range p.Lines {
		names = max(names, len([]rune(p.Lines[i].Name)))
	}
	before, after := 1, names+2
	if width-before-after < leastSpan {
		before, after = 0, 0
	}
	r.first, r.span = left+before, max(width-before-after-1, 0)
	return r
}

// dot returns the column of dots of a value, counted from the left edge of the whole; false if it has no place.
func (r ruler) dot(x float64) (int, bool) {
	share := 0.5
	switch {
	case !drawable(x) || math.IsNaN(r.high) || x < r.low || x > r.high:
		return 0, false
	case r.log && r.high > r.low:
		share = (math.Log(x) - math.Log(r.low)) / (math.Log(r.high) - math.Log(r.low))
	case !r.log && r.high > 0:
		share = x / r.high
	case !r.log:
		share = 0
	}
	if !(share >= 0 && share <= 1) { // two neighbouring numbers can have the same logarithm
		share = 0.5
	}
	return dotsPerColumn*r.first + int(math.Round(share*float64(dotsPerColumn*r.span))), true
}

// cell returns the cell of a value; false if it has no place.
func (r ruler) cell(x float64) (int, bool) {
	dot, ok := r.dot(x)
	return dot / dotsPerColumn, ok
}
