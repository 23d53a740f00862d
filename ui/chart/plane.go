// Planes: what one is, and how its parts are put together.

package chart

import (
	"math"
	"strings"

	"tokdyno/ui/theme"
)

// Sign is how far a point in a plane is to be relied on, and so how it is drawn.
type Sign uint8

// The signs.
const (
	Firm   Sign = iota // measured: ●
	Hollow             // of too few samples: ○
	Live               // still moving: ▶
)

// Spot is a point in a plane. One with a coordinate that is no finite number, or with a negative X, is not drawn.
type Spot struct {
	X, Y  float64
	Sign  Sign
	Loose bool // not joined to its neighbours: a line leads past it
}

// Dash is how a line is broken, which tells lines apart without colour.
type Dash uint8

// The dashes.
const (
	Whole Dash = iota
	Broken
	Dotted
	DotDash
	NoLine // spots alone
)

// blank reports whether a line has a gap at a dot, counted along it.
func (d Dash) blank(dot int) bool {
	switch d {
	case Broken:
		return dot%dashPeriod >= dashOn
	case Dotted:
		return dot%dotPeriod != 0
	case DotDash:
		return dot%dashPeriod == dashPeriod-3 || dot%dashPeriod == dashPeriod-1
	}
	return false
}

// Glyph is what stands for a line in a legend, and in the plot where Braille is off.
func (d Dash) Glyph(g *theme.Glyphs) string {
	switch d {
	case Broken:
		return g.Dashed
	case Dotted:
		return g.Dotted
	case DotDash:
		return g.DotDash
	}
	return g.Solid
}

// Line is one line of a plane: spots that are joined in their order, whichever way that goes.
type Line struct {
	Name  string // stands at the last spot
	Spots []Spot
	Role  theme.Role
	Dash  Dash
}

// Tick is a labelled place on the axis of X.
type Tick struct {
	At     float64
	Label  string
	Below  string // a second label, on a row of its own where there is room; "" for none
	Chosen bool   // it stands out, and is the last to give way
}

// Guide is a line from top to bottom at some X.
type Guide struct {
	At    float64
	Label string // at the top; may be empty
	Role  theme.Role
}

// Plane is one frame of a chart of one quantity against another, such as latency against load. The zero Plane is empty.
// Both axes begin at zero, but for a logarithmic one, which begins at the smallest X.
type Plane struct {
	Lines  []Line  // drawn in this order, later over earlier
	Guides []Guide // drawn beneath the lines; where labels collide the later ones stay
	Ticks  []Tick  // nil: round numbers, and those only where X is not logarithmic

	// LogX makes equal factors of X equal distances. What is not above zero then has no place.
	LogX bool

	// Threshold is the SLO line; it is always in range. NaN, zero and less mean none.
	Threshold float64

	// FormatX and FormatY write axis labels with their units; nil writes the bare number.
	FormatX, FormatY func(float64) string

	// AtLeast is a value of Y that the axis always reaches; zero means none.
	AtLeast float64

	// Scale is the range of Y remembered from earlier frames; the zero Scale follows the data.
	Scale Scale
}

// Peak returns the largest Y of all lines, the one to hand to [Scale.Next]; NaN if there is none.
func (p Plane) Peak() float64 {
	peak := math.NaN()
	p.each(func(_ *Line, s Spot) {
		if y := max(s.Y, 0); math.IsNaN(peak) || y > peak {
			peak = y
		}
	})
	return peak
}

// each visits the spots that have a place.
func (p Plane) each(visit func(*Line, Spot)) {
	for i := range p.Lines {
		for _, s := range p.Lines[i].Spots {
			if p.placed(s) {
				visit(&p.Lines[i], s)
			}
		}
	}
}

func (p Plane) placed(s Spot) bool {
	return drawable(s.X) && drawable(s.Y) && (s.X > 0 || s.X == 0 && !p.LogX)
}

// The heights from which a plane has an axis of X, and a second row of labels below it.
const (
	axisFrom  = 3
	belowFrom = 9
)

// Render draws the plane into h lines, each w cells wide, joined by line breaks. It is empty if h is not positive.
func (p Plane) Render(w, h int, th theme.Theme) string {
	w, h = max(w, 0), max(h, 0)
	out := newCells(w, h)
	if w == 0 || h == 0 {
		return out.render(th)
	}
	peak := p.Peak()
	f, below := p.field(out, peak, th.Glyphs)
	slo := f.threshold(p.Threshold)
	f.guides(p.Guides)
	for i := range p.Lines {
		f.join(&p, &p.Lines[i])
	}
	p.each(func(l *Line, s Spot) { f.spot(l, s) })
	f.names(&p)
	f.guideLabels(p.Guides)
	if below > 0 {
		f.ticks(p.ticksOn(f.x), below > 1)
	}
	if math.IsNaN(peak) {
		f.notice(noSamples, slo)
	}
	return out.render(th)
}

// field draws the axis of Y and returns what is right of it, above so many lines of labels.
func (p Plane) field(out cells, peak float64, g theme.Glyphs) (f field, below int) {
	if out.h >= axisFrom {
		below = 1
	}
	if out.h >= belowFrom && p.hasBelow() {
		below = 2
	}
	y := newAxis(Chart{Threshold: p.Threshold, AtLeast: p.AtLeast, Format: p.FormatY, Scale: p.Scale}, peak, out.h-below)
	left := y.draw(out, 0, g)
	return field{
		plot: plot{cells: out, left: left, width: out.w - left, axis: y, glyphs: g},
		x:    p.rulerIn(left, out.w-left),
	}, below
}

// Nearest returns the index of the one of several X that stands nearest to a column of the plane at a size; false left of the plot,
// and where none has a place.
func (p Plane) Nearest(column int, of []float64, w, h int, th theme.Theme) (index int, ok bool) {
	if w <= 0 || h <= 0 {
		return 0, false
	}
	f, _ := p.field(newCells(w, h), p.Peak(), th.Glyphs)
	least := math.MaxInt
	for i, x := range of {
		if at, placed := f.x.cell(x); placed && column >= f.left && abs(at-column) < least {
			index, ok, least = i, true, abs(at-column)
		}
	}
	return index, ok
}

// Rows is Render, line by line: max(h, 0) of them.
func (p Plane) Rows(w, h int, th theme.Theme) []string {
	if h <= 0 {
		return nil
	}
	return strings.Split(p.Render(w, h, th), "\n")
}

func (p Plane) hasBelow() bool {
	for _, t := range p.Ticks {
		if t.Below != "" {
			return true
		}
	}
	return false
}

// ticksOn are the labelled places of the axis: those that were asked for, or some round numbers.
func (p Plane) ticksOn(x ruler) []Tick {
	const intervals = 4
	if p.Ticks != nil || p.LogX || !positive(x.high) {
		return p.Ticks
	}
	format := p.FormatX
	if format == nil {
		format = bare
	}
	step := niceStep(min(max(x.high/intervals, smallest), largest))
	var ticks []Tick
	for i := 0; float64(i)*step <= x.high && i <= 2*intervals; i++ {
		v := axis{step: step}.tick(i)
		ticks = append(ticks, Tick{At: v, Label: format(v)})
	}
	return ticks
}
