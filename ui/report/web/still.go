// This file draws a chart as SVG, for paper and for readers without scripts.

package web

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"tokdyno/ui/cell"
)

// The picture: its size, and the margins around the plot.
const (
	stillWidth, stillHeight = 640.0, 190.0
	leftEdge, rightEdge     = 52.0, 8.0
	topEdge, bottomEdge     = 16.0, 22.0
	plotWidth               = stillWidth - leftEdge - rightEdge
	plotHeight              = stillHeight - topEdge - bottomEdge
	mostStill               = 320  // points of a line
	apartX                  = 48.0 // of labels under the x axis
	letter                  = 8.0  // about, with the room around a text
)

// still is a chart as a picture. Its colours are the page's, by class.
func still(c *chart, axis *timeAxis) template.HTML {
	thin := thinned(*c, mostStill)
	c = &thin
	var b strings.Builder
	from, to := c.X[0], c.X[len(c.X)-1]
	if c.Over == overTime {
		from, to = 0, max(to, axis.End)
	}
	place := func(v float64) float64 {
		share := (v - from) / max(to-from, 1e-9)
		if c.Log {
			share = math.Log(v/from) / max(math.Log(to/from), 1e-9)
		}
		return leftEdge + plotWidth*share
	}
	step, top := ruler(c.top())
	height := func(v float64) float64 { return topEdge + plotHeight*(1-v/top) }

	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`,
		stillWidth, stillHeight, template.HTMLEscapeString(c.Title))
	text := func(class string, x, y float64, s string) {
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, template.HTMLEscapeString(s))
	}
	path := func(class string, x0, y0, x1, y1 float64) {
		fmt.Fprintf(&b, `<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`, class, x0, y0, x1, y1)
	}
	for v := 0.0; v <= top*1.0001; v += step {
		path("grid", leftEdge, height(v), stillWidth-rightEdge, height(v))
		text("y", leftEdge-6, height(v)+3.5, c.Unit.axis(math.Round(v*1e6)/1e6))
	}
	last := -apartX
	for _, t := range c.ticks(from, to) {
		if x := place(t.At); x-last >= apartX {
			text("x", x, stillHeight-6, t.Text)
			last = x
		}
	}
	if c.Over == overTime {
		free := 0.0
		for i := range axis.Stages {
			st := &axis.Stages[i]
			x := place(st.From)
			if i > 0 {
				path("stage", x, topEdge, x, stillHeight-bottomEdge)
			}
			width := letter * float64(utf8.RuneCountInString(st.Text))
			if x >= free && x+width <= place(st.To) {
				text("from", x+2, topEdge-5, st.Text)
				free = x + width
			}
		}
		for _, m := range axis.Marks {
			if m.At <= to {
				path("mark", place(m.At), topEdge, place(m.At), stillHeight-bottomEdge)
				text("from mark", place(m.At)+3, topEdge+10, m.Text)
			}
		}
	}
	for _, l := range c.Lines {
		if l.At >= from && l.At <= to {
			path("limit", place(l.At), topEdge, place(l.At), stillHeight-bottomEdge)
			text("y", place(l.At)-3, topEdge-5, l.Text)
		}
	}
	for _, l := range c.Limits {
		if l.At <= top {
			at := height(l.At)
			path("limit", leftEdge, at, stillWidth-rightEdge, at)
			if at -= 4; at < topEdge+10 { // above the plot are the names of stages and lines
				at += 16
			}
			text("x", leftEdge+plotWidth/2, at, l.Text)
		}
	}
	for i, s := range c.Series {
		fmt.Fprintf(&b, `<path class="line s%d" d="%s"/>`, i+1, outline(c, s.Y, place, height))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // every text in it is escaped above
}

// outline is the path of a series, with a gap where nothing is known.
func outline(c *chart, y numbers, place, height func(float64) float64) string {
	var b strings.Builder
	down := false
	for i, v := range y {
		if math.IsNaN(v) {
			down = down && c.Over != overTime // elsewhere a line goes on to the next value that is known
			continue
		}
		pen := byte('L')
		if !down {
			pen = 'M'
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", pen, place(c.X[i]), height(v))
		down = true
	}
	return b.String()
}

// ruler is the step of an axis from 0, of 1, 2 or 5 times a power of ten, and where it ends.
func ruler(most float64) (step, top float64) {
	if !(most > 0) {
		return 1, 1
	}
	const about = 4
	size := math.Pow(10, math.Floor(math.Log10(most/about)))
	step = 10 * size
	for _, n := range []float64{1, 2, 5} {
		if n*size*about >= most {
			step = n * size
			break
		}
	}
	return step, step * math.Ceil(most/step-1e-9)
}

// ticks are what may stand under the x axis.
func (c *chart) ticks(from, to float64) (ticks []line) {
	switch c.Over {
	case overTime:
		step := timeStep(to)
		for v := 0.0; v <= to; v += step {
			ticks = append(ticks, line{v, cell.Clock(time.Duration(v * float64(time.Second)))})
		}
	case overLevels:
		for _, v := range c.X {
			ticks = append(ticks, line{v, cell.Exactly(v)})
		}
	default:
		for _, v := range latencyTicks(from, to) {
			ticks = append(ticks, line{v, cell.AxisTime(v)})
		}
	}
	return ticks
}

// latencyTicks are what may stand under a logarithmic axis: 1, 2 and 5 times powers of ten, or, where that were hardly any, as
// many round values as an axis from 0 has between them.
func latencyTicks(from, to float64) (ticks []float64) {
	const few = 8
	if to < few*from {
		step, _ := ruler(0.6 * (to - from))
		for v := step * math.Ceil(from/step); v <= to; v += step {
			ticks = append(ticks, math.Round(v*1e6)/1e6)
		}
		return ticks
	}
	for power := math.Floor(math.Log10(from)); power <= math.Log10(to); power++ {
		for _, n := range []float64{1, 2, 5} {
			if v := n * math.Pow(10, power); v >= from && v <= to {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// timeStep is the distance of labels on an axis of so many seconds.
func timeStep(seconds float64) float64 {
	steps := []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400}
	for _, s := range steps {
		if seconds/s <= 10 {
			return s
		}
	}
	return steps[len(steps)-1]
}
