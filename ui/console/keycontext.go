// This file names where keys mean something: on a page, or in what covers it.

package console

import (
	"tokdyno/ui/page"
)

// layer is what lies on top of the screen and gets the keys. Those in which a key means something combine.
type layer uint8

// The layers: what takes the keys away from the page first.
const (
	onTyping layer = 1 << iota // a value being typed into a knob
	onEntry                    // a line of text that a page takes
	onPrompt                   // the command line
	onPicker                   // the choice of presets
	onHelp                     // the help overlay
	onZoom                     // a page with one panel enlarged
	onPage

	anywhere = onTyping | onEntry | onPrompt | onPicker | onHelp | onZoom | onPage
)

// keyContext is where the keys go: a layer, over the page of an index.
type keyContext struct {
	layer layer
	page  int
}

// context is where the keys go at present.
func (m *model) context() keyContext {
	in := keyContext{page: m.open}
	zoomer, zooms := m.pages[m.open].Page.(page.Zoomer)
	switch {
	case m.run.desk.Typing:
		in.layer = onTyping
	case m.typist() != nil:
		in.layer = onEntry
	case m.prompt.open:
		in.layer = onPrompt
	case m.picker.open:
		in.layer = onPicker
	case m.help.open:
		in.layer = onHelp
	case zooms && zoomer.Zoomed():
		in.layer = onZoom
	default:
		in.layer = onPage
	}
	return in
}

// typist is the page, while it takes text; nil while it does not.
func (m *model) typist() page.Typist {
	if t, ok := m.pages[m.open].Page.(page.Typist); ok && t.Entry() != nil {
		return t
	}
	return nil
}
