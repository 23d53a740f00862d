// Fields: how lines, spots, names and labels are drawn into a plane.

package chart

import (
	"cmp"
	"slices"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"tokdyno/ui/theme"
)

// field is the part of a plane above its axis of X.
type field struct {
	plot
	x ruler
}

// guides draws the lines from top to bottom.
func (f field) guides(guides []Guide) {
	for _, g := range guides {
		if x, ok := f.x.cell(g.At); ok {
			for y := range f.axis.height {
				f.cells.set(x, y, first(f.glyphs.Mark), g.Role)
			}
		}
	}
}

// guideLabels writes what guides are on the top row, the last first, as [plot.markLabels] does for marks.
func (f field) guideLabels(guides []Guide) {
	taken := make([]bool, f.left+f.width)
	for i := len(guides) - 1; i >= 0; i-- {
		x, ok := f.x.cell(guides[i].At)
		if !ok || guides[i].Label == "" || f.axis.height < 2 {
			continue
		}
		label := legible(guides[i].Label, f.glyphs)
		if start, fits := f.place(x, &label, taken); fits {
			f.cells.write(start, 0, label, guides[i].Role)
			for at := max(start-1, f.left); at < min(start+len(label)+1, len(taken)); at++ {
				taken[at] = true
			}
		}
	}
}

// join draws the line between the spots that are joined.
func (f field) join(p *Plane, l *Line) {
	if l.Dash == NoLine {
		return
	}
	grid := graph.NewBrailleGrid(f.width, f.axis.height, 0, 1, 0, 1)
	var x0, y0, run int
	known := false
	for _, s := range l.Spots {
		if s.Loose || !p.placed(s) {
			known = known && s.Loose // a gap ends the line; what is loose is passed by
			continue
		}
		x, _ := f.x.dot(s.X)
		y := f.axis.dot(s.Y)
		if known {
			run = f.stroke(grid, l, [2]int{x0, y0}, [2]int{x, y}, run)
		}
		x0, y0, known = x, y, true
	}
	if !f.glyphs.Braille {
		return
	}
	for y, row := range grid.BraillePatterns() {
		for x, pattern := range row {
			if pattern != runes.BrailleBlockOffset {
				under := f.cells.at(f.left+x, y)
				f.cells.set(f.left+x, y, runes.CombineBraillePatterns(under, pattern), l.Role)
			}
		}
	}
}

// stroke draws a straight line of dots and returns how many it had, counted on from run: dashes go round corners.
func (f field) stroke(grid *graph.BrailleGrid, l *Line, from, to [2]int, run int) int {
	dx, dy := to[0]-from[0], to[1]-from[1]
	steps := max(abs(dx), abs(dy), 1)
	for i := 0; i <= steps; i++ {
		x, y := from[0]+divide(dx*i, steps), from[1]+divide(dy*i, steps)
		run++
		switch {
		case l.Dash.blank(run):
		case f.glyphs.Braille:
			grid.Set(canvas.Point{X: x - dotsPerColumn*f.left, Y: f.axis.height*dotsPerRow - 1 - y})
		default:
			f.cells.set(x/dotsPerColumn, f.axis.height-1-y/dotsPerRow, first(f.glyphs.Track), l.Role)
		}
	}
	return run
}

// dotPeriod is the distance of the dots of a dotted line.
const dotPeriod = 3

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// spot draws a point as its sign.
func (f field) spot(l *Line, s Spot) {
	glyph := f.glyphs.Busy
	switch s.Sign {
	case Hollow:
		glyph = f.glyphs.Idle
	case Live:
		glyph = f.glyphs.Run
	}
	if x, ok := f.x.cell(s.X); ok {
		f.cells.set(x, f.axis.row(s.Y), first(glyph), l.Role)
	}
}

// named is a line with the cell behind which its name stands.
type named struct {
	line   *Line
	y      float64
	x, row int
}

// names writes what the lines are, right of their last spots. Names of one column stand in the order of their values, and
// make room for each other; one that has a column to itself gives way by a row where another is in the way.
func (f field) names(p *Plane) {
	taken := make([]bool, f.cells.w*f.axis.height)
	p.each(func(_ *Line, s Spot) {
		if x, ok := f.x.cell(s.X); ok {
			taken[f.axis.row(s.Y)*f.cells.w+x] = true
		}
	})
	var all []named
	for i := range p.Lines {
		if s, ok := p.lastPlaced(&p.Lines[i]); ok && p.Lines[i].Name != "" {
			x, _ := f.x.cell(s.X)
			all = append(all, named{&p.Lines[i], s.Y, x, f.axis.row(s.Y)})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(b.y, a.y)) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].x == all[0].x {
			n++
		}
		column := all[:n]
		all = all[n:]
		if n == 1 {
			_ = f.name(column[0], taken, 0) || f.name(column[0], taken, +1) || f.name(column[0], taken, -1)
			continue
		}
		f.spread(column)
		for _, one := range column {
			f.name(one, taken, 0)
		}
	}
}

// spread gives names of one column, the upper first, a row each: downwards, and from the bottom back up.
func (f field) spread(column []named) {
	for i := 1; i < len(column); i++ {
		column[i].row = max(column[i].row, column[i-1].row+1)
	}
	lowest := f.axis.height - 1
	for i := len(column) - 1; i >= 0; i-- {
		column[i].row = min(column[i].row, lowest)
		lowest = column[i].row - 1
	}
}

// name writes a name some rows off its own, if there is room.
func (f field) name(n named, taken []bool, off int) bool {
	text, row := legible(n.line.Name, f.glyphs), n.row+off
	start := row*f.cells.w + n.x + 2
	if row < 0 || row >= f.axis.height || n.x+2+len(text) > f.cells.w || !free(taken[start:start+len(text)]) {
		return false
	}
	for i := range text {
		taken[start+i] = true
	}
	f.cells.write(n.x+2, row, text, n.line.Role)
	return true
}

// lastPlaced is the last spot of a line that has a place.
func (p Plane) lastPlaced(l *Line) (Spot, bool) {
	for i := len(l.Spots) - 1; i >= 0; i-- {
		if p.placed(l.Spots[i]) {
			return l.Spots[i], true
		}
	}
	return Spot{}, false
}

// ticks writes the labels of the axis of X below the field: the chosen one first, then the last, then from the left, as
// far as they leave each other room.
func (f field) ticks(ticks []Tick, second bool) {
	taken := make([]bool, f.cells.w)
	write := func(t Tick) {
		x, ok := f.x.cell(t.At)
		if !ok {
			return
		}
		label, below := legible(t.Label, f.glyphs), legible(t.Below, f.glyphs)
		if !second {
			below = nil
		}
		wide := max(len(label), len(below))
		start := min(max(x-(wide-1)/2, f.left), f.cells.w-wide)
		if start < f.left || wide == 0 || !free(taken[start:start+wide]) {
			return
		}
		for at := max(start-1, 0); at < min(start+wide+1, len(taken)); at++ {
			taken[at] = true
		}
		role := theme.Muted
		if t.Chosen {
			role = theme.Title
		}
		f.cells.write(start+(wide-len(label))/2, f.axis.height, label, role)
		f.cells.write(start+(wide-len(below))/2, f.axis.height+1, below, theme.Muted)
	}
	for _, t := range ticks {
		if t.Chosen {
			write(t)
		}
	}
	if n := len(ticks); n > 0 {
		write(ticks[n-1])
	}
	for _, t := range ticks {
		if !t.Chosen {
			write(t)
		}
	}
}
