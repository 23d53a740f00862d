// This file draws a frame: it asks the layout what stands where and lets every part draw itself.

package ui

import (
	"strings"
	"time"

	"tokdyno/ui/theme"
)

// The console's own parts. Pages count theirs from 0.
const (
	partHeader part = -1 - iota
	partAdvice
	partFooter
	partHelp
	partPicker
	partPreview
)

// screen is what the console draws around a page and over it. Drawing reads it and changes nothing.
type screen struct {
	*Frame
	frozen  bool
	leaving leaving
	message message
	desk    *Desk

	pages     []numbered
	open      int // which of them shows
	context   keyContext
	helpFirst int         // the first line of the help that shows
	keys      []keyAction // the whole table
	working   []keyAction // those that mean something at present, and would not refuse
	commands  []command
	typed     input    // what is being typed, for whichever purpose
	ghost     string   // what would complete the command line
	offered   []Preset // those that can be chosen now
	preset    int      // which of them is
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
func (v *screen) frame() string {
	if v.w <= 0 || v.h <= 0 {
		return ""
	}
	if classOf(v.w, v.h) == tooSmall {
		return strings.Join(centred(v.th, v.w, v.h, own("needs 60×16", &v.th.Glyphs)), "\n")
	}
	return strings.Join(compose(v.places, v.w, v.h, v.draw), "\n")
}

// arrange places the parts of the page, or of what covers it, between those that are always there. The rectangles tile the
// screen: no gap, no overlap.
func (v *screen) arrange() []place {
	if classOf(v.w, v.h) == tooSmall {
		return nil
	}
	a := newArranger(v.w, v.h, v.shown)
	body := rect{0, 0, v.w, v.h}
	a.add(partHeader, body.top(1))
	footer := body.bottom(1)
	advice := body.bottom(1)

	switch v.context.layer {
	case onHelp:
		a.add(partHelp, body)
	case onPicker:
		names := body.left(min(max(body.w*2/5, 24), 48))
		a.add(partPicker, names)
		a.add(partPreview, body)
	default:
		v.pages[v.open].arrange(a, body)
	}
	a.add(partAdvice, advice)
	a.add(partFooter, footer)
	return a.places
}

// draw draws one part.
func (v *screen) draw(p place) []string {
	switch p.part {
	case partHeader:
		return []string{v.header(p.w)}
	case partAdvice:
		return []string{v.advice(p.w)}
	case partFooter:
		return []string{v.footer(p.w)}
	case partHelp:
		return v.helpPanel().render(p.w, p.h, v.th)
	case partPicker:
		return v.pickerPanel().render(p.w, p.h, v.th)
	case partPreview:
		return v.previewPanel().render(p.w, p.h, v.th)
	}
	return v.pages[v.open].draw(v.Frame, p)
}

// input is a text being typed.
type input struct {
	before, after string // of the cursor
}
