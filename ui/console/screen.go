// This file draws a frame: it asks the layout what stands where and lets every part draw itself.

package console

import (
	"strings"
	"time"

	"tokdyno/ui/cell"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The console's own parts. Pages count theirs from 0.
const (
	partHeader page.Part = -1 - iota
	partAdvice
	partFooter
	partHelp
	partPicker
	partPreview
)

// screen is what the console draws around a page and over it. Drawing reads it and changes nothing.
type screen struct {
	*page.Frame
	frozen  bool
	leaving leaving
	watched int  // how many watch
	watches bool // this screen only looks
	message message
	tour    cell.Note // what the tour says, or how it is begun; the zero Note: nothing
	toured  bool      // it is under way
	said    []string  // the lines above the footer
	desk    *knob.Desk

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
	picker    *picker  // in which a click chooses
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
	if v.W <= 0 || v.H <= 0 {
		return ""
	}
	if page.ClassOf(v.W, v.H) == page.TooSmall {
		return strings.Join(v.small(), "\n")
	}
	return strings.Join(page.Compose(v.Places, v.W, v.H, v.draw), "\n")
}

// arrange places the parts of the page, or of what covers it, between those that are always there. The rectangles tile the
// screen: no gap, no overlap. What is said above the footer has so many lines.
func (v *screen) arrange(saying int) []page.Place {
	if page.ClassOf(v.W, v.H) == page.TooSmall {
		return nil
	}
	a := page.NewArranger(v.W, v.H, v.Shown)
	body := page.Rect{X: 0, Y: 0, W: v.W, H: v.H}
	a.Add(partHeader, body.Top(1))
	footer := body.Bottom(1)
	advice := body.Bottom(saying)

	switch v.context.layer {
	case onHelp:
		a.Add(partHelp, body)
	case onPicker:
		names := body.Left(min(max(body.W*2/5, 24), 48))
		a.Add(partPicker, names)
		a.Add(partPreview, body)
	default:
		v.pages[v.open].Arrange(a, body)
	}
	a.Add(partAdvice, advice)
	a.Add(partFooter, footer)
	return a.Places
}

// draw draws one part.
func (v *screen) draw(p page.Place) []string {
	v.Drawn = p
	switch p.Part {
	case partHeader:
		return []string{v.header(p.W)}
	case partAdvice:
		return cell.Fitted(v.said, p.W, p.H)
	case partFooter:
		return []string{v.footer(p.W)}
	case partHelp:
		return v.helpPanel().Render(p.W, p.H, v.Theme)
	case partPicker:
		return v.pickerPanel().Render(p.W, p.H, v.Theme)
	case partPreview:
		return v.previewPanel().Render(p.W, p.H, v.Theme)
	}
	return v.Frame.Draw(v.pages[v.open], p)
}

// input is a text being typed.
type input struct {
	before, after string // of the cursor
}
