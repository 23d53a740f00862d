// This file draws a frame: it asks the layout what stands where and lets every part draw itself.

package ui

import (
	"slices"
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

	pages     []numbered
	open      int // which of them shows
	context   keyContext
	helpFirst int // the first line of the help that shows
	commands  []command
	orders    []order
	ghost     string   // what would complete the command line
	offered   []Preset // those that can be chosen now
	preset    int      // which of them is
}

// controls is what the knobs panel shows: always the present, frozen or not.
type controls struct {
	knobs   []knob
	chosen  int
	turned  engine.Knobs // as set by hand
	applied engine.Knobs // as the engine has them
	pending bool
	typing  bool   // a value for the chosen knob
	input   *input // what is being typed, for whichever purpose; nil: nothing
}

// input is a text being typed.
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

// shows reports whether a part has a place on the screen.
func (v *view) shows(p part) bool {
	return slices.ContainsFunc(v.places, func(placed place) bool { return placed.part == p })
}

// inner is the room within the frame of a part that has a place; 0 for one that has none.
func (v *view) inner(p part) (w, h int) {
	for _, placed := range v.places {
		if placed.part == p {
			return placed.w - 2, placed.h - 2
		}
	}
	return 0, 0
}

// draw draws one part.
func (v *view) draw(p place) []string {
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
	return v.pages[v.open].draw(v, p)
}
