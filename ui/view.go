// This file draws a frame: it asks the layout what stands where and lets every part draw itself.

package ui

import (
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// view is everything that a frame depends on. Drawing reads it and changes nothing.
type view struct {
	framing
	w, h int
	th   *theme.Theme

	shown    *engine.Snapshot // what is drawn: the latest, or the one that was frozen
	latest   *engine.Snapshot
	frozen   bool
	scales   scales
	places   []place
	controls controls
	leaving  leaving
	message  message

	commands []command
}

// controls is what the knobs panel shows: always the present, frozen or not.
type controls struct {
	knobs   []knob
	chosen  int
	turned  engine.Knobs // as set by hand
	applied engine.Knobs // as the engine has them
	pending bool
	input   *input // a value being typed; nil: none
}

// input is a value being typed.
type input struct {
	before, after string // of the cursor
}

// leaving is how far the person is on the way out.
type leaving int

const (
	staying  leaving = iota
	draining         // no new requests; the console closes with the last one
	gone             // the program is ending
)

// message is something to tell the person for a while.
type message struct {
	role  theme.Role
	text  string
	until time.Time
}

// frame draws the screen: exactly h lines of w cells.
func (v *view) frame() string {
	if v.w <= 0 || v.h <= 0 {
		return ""
	}
	if classOf(v.w, v.h) == tooSmall {
		return strings.Join(v.centred(v.w, v.h, own("needs 60×16", &v.th.Glyphs)), "\n")
	}
	return strings.Join(compose(v.places, v.w, v.h, v.draw), "\n")
}

// draw draws one part.
func (v *view) draw(p place) []string {
	boxed := classOf(v.w, v.h) > compact
	switch p.part {
	case partTTFT, partITL, partOutput, partGoodput:
		return v.chartPanel(p.part).render(p.w, p.h, v.th)
	case partGaugeTTFT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight:
		g := v.gauge(p.part)
		if boxed {
			return g.box(p.w, p.h, v.th)
		}
		return []string{g.line(p.w, v.th)}
	case partGaugeGPU:
		return []string{v.gpuLine(p.w)}
	case partPercentiles:
		return v.percentilesPanel().render(p.w, p.h, v.th)
	case partThroughput:
		return v.throughputPanel().render(p.w, p.h, v.th)
	case partRates:
		return v.ratesPanel().render(p.w, p.h, v.th)
	case partGPU:
		return v.gpuPanel().render(p.w, p.h, v.th)
	case partKnobs:
		return v.knobsPanel().render(p.w, p.h, v.th)
	case partNotes:
		return v.notesPanel().render(p.w, p.h, v.th)
	case partHelp:
		return v.helpPanel().render(p.w, p.h, v.th)
	case partHeader:
		return []string{v.header(p.w)}
	case partAdvice:
		return []string{v.advice(p.w)}
	}
	return []string{v.footer(p.w)}
}
