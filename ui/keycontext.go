// This file names where keys mean something: on a page, or in what covers it.

package ui

import "strings"

// keyContext is where a key means something. Contexts combine.
type keyContext uint16

// The contexts: what takes the keys away from the page first, then the pages.
const (
	onTyping keyContext = 1 << iota // a value being typed into a knob
	onPrompt                        // the command line
	onPicker                        // the choice of presets
	onHelp                          // the help overlay
	onZoom                          // the Live page with one panel enlarged
	onLive
	onCurve
	onGPU
	onStages
)

const (
	onPages  = onLive | onCurve | onGPU | onStages
	anywhere = onTyping | onPrompt | onPicker | onHelp | onZoom | onPages
)

// String names a context for people.
func (c keyContext) String() string {
	if c == anywhere {
		return "everywhere"
	}
	var names []string
	if c&(onPages|onZoom) == onPages|onZoom {
		names, c = append(names, "on every page"), c&^(onPages|onZoom)
	}
	for _, p := range allPages() {
		if c&p.in != 0 {
			names = append(names, "on the "+p.name+" page")
		}
	}
	for _, one := range []struct {
		context keyContext
		name    string
	}{
		{onZoom, "with a panel enlarged"},
		{onHelp, "in the help"},
		{onTyping, "typing a value"},
		{onPrompt, "on the command line"},
		{onPicker, "choosing a preset"},
	} {
		if c&one.context != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// context is where the keys go at present.
func (m *model) context() keyContext {
	switch {
	case m.typing:
		return onTyping
	case m.prompt.open:
		return onPrompt
	case m.picker.open:
		return onPicker
	case m.help.open:
		return onHelp
	case m.zoomed:
		return onZoom
	}
	return m.pages[m.open].in
}

// entering reports whether keys that mean nothing else go into a line of text.
func (c keyContext) entering() bool { return c&(onTyping|onPrompt|onPicker) != 0 }
