// This file draws changes with their intervals under each other, on one axis: a forest plot.

package web

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

// The picture of one change, a row of a table: half the width of its plot, and its height.
const (
	forestWidth, forestHeight = 280.0, 30.0
	forestReach               = forestWidth/2 - 12
	forestMiddle              = forestHeight / 2
)

// forest is a level's figures, each with its picture.
type forest struct {
	Axis     template.HTML // its labels
	Interval string        // what its intervals are called
	Letter   string        // of what is compared with A
	Rows     []forestRow
}

// forestRow is a figure.
type forestRow struct {
	report.ComparedRow
	Class string // its answer
	Plot  template.HTML
}

func newForest(l *compare.Level, letter string) forest {
	rows := report.ComparedRows(l)
	s := newForestScale(rows)
	f := forest{Axis: s.axis(), Interval: report.Interval(l), Letter: letter}
	for _, row := range rows {
		f.Rows = append(f.Rows, forestRow{row, string(row.Difference.Answer), s.draw(row.Difference)})
	}
	return f
}

// forestScale is the axis of a forest plot, in percent or, of shares, points: as far to either side of 0.
type forestScale struct{ step, top float64 }

// newForestScale reaches as far as the farthest change, and a bit more where intervals do: a wide one would else make all others
// points.
func newForestScale(rows []report.ComparedRow) forestScale {
	changes, bounds := 0.0, 0.0
	for i := range rows {
		d := rows[i].Difference
		changes = max(changes, 2*100*d.Noise)
		if d.Change != nil {
			changes = max(changes, 1.1*math.Abs(100**d.Change))
		}
		for _, bound := range []*float64{d.Low, d.High} {
			if bound != nil {
				bounds = max(bounds, math.Abs(100**bound))
			}
		}
	}
	step, top := ruler(max(changes, min(bounds, 1.3*changes)))
	return forestScale{step, top}
}

func (s forestScale) place(percent float64) float64 { return forestWidth/2 + forestReach*percent/s.top }

// axis is the labels above the pictures: both ends, and the middle.
func (s forestScale) axis() template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f 16" aria-hidden="true">`, forestWidth)
	text := func(class string, x float64, format string, args ...any) {
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="12">%s</text>`, class, x, fmt.Sprintf(format, args...))
	}
	text("from", 0, "−%s %%", cell.Exactly(s.top))
	text("x", s.place(0), "0")
	text("y", forestWidth, "+%s %%", cell.Exactly(s.top))
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// draw is one change: the noise shaded, the interval with a bar at each end or an arrow where it goes on, and the change, whose
// shape is the answer.
func (s forestScale) draw(d *compare.Difference) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" aria-hidden="true">`, forestWidth, forestHeight)
	path := func(class, format string, args ...any) {
		fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, class, fmt.Sprintf(format, args...))
	}
	noise := min(100*d.Noise, s.top)
	fmt.Fprintf(&b, `<rect class="noise" x="%.1f" y="0" width="%.1f" height="%.0f"/>`,
		s.place(-noise), s.place(noise)-s.place(-noise), forestHeight)
	for n := math.Round(s.top / s.step); n >= 0; n-- {
		class := "grid"
		if n == 0 {
			class = "zero"
		}
		path(class, "M%.1f 0V%.0fM%.1f 0V%.0f", s.place(-n*s.step), forestHeight, s.place(n*s.step), forestHeight)
	}
	if d.Low != nil || d.High != nil {
		from, before := s.end(d.Low, -1)
		to, beyond := s.end(d.High, 1)
		path("whisker", "M%.1f %.0fH%.1f", s.place(from), forestMiddle, s.place(to))
		tip := func(at float64, goesOn bool, side float64) {
			if x := s.place(at); goesOn {
				path("tip", "M%.1f %.0fl%.0f 4M%.1f %.0fl%.0f -4", x, forestMiddle, -5*side, x, forestMiddle, -5*side)
			} else {
				path("tip", "M%.1f %.0fv8", x, forestMiddle-4)
			}
		}
		tip(from, before, -1)
		tip(to, beyond, 1)
	}
	if d.Change != nil {
		x := s.place(100 * *d.Change)
		switch d.Answer {
		case compare.Worse:
			path("dot", "M%.1f %.0fh9v9h-9z", x-4.5, forestMiddle-4.5)
		case compare.Better:
			path("dot", "M%.1f %.0fl6 6l-6 6l-6 -6z", x, forestMiddle-6)
		default:
			fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.0f" r="4.5"/>`, x, forestMiddle)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // nothing but numbers is in it
}

// end is where one end of an interval is drawn, and whether it goes on beyond.
func (s forestScale) end(bound *float64, side float64) (at float64, goesOn bool) {
	if bound == nil || side*100**bound > s.top {
		return side * s.top, true
	}
	return max(100**bound, -s.top), false
}
