// This file is a line of text that is being typed.

package ui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// Entry is a line of text that is being typed. Where the cursor stands in it is drawn by whoever shows it.
type Entry struct{ text textinput.Model }

// newEntry returns an empty one.
func newEntry() Entry {
	text := textinput.New()
	text.Prompt = ""
	text.CharLimit = 200
	return Entry{text}
}

// begin takes text from now on, starting with what is there already.
func (e *Entry) begin(text string) {
	e.text.SetValue(text)
	e.text.CursorEnd()
	e.text.Focus() // its command blinks the cursor, which is drawn here and does not
}

// end takes no more.
func (e *Entry) end() { e.text.Blur() }

// value is what was typed so far.
func (e *Entry) value() string { return e.text.Value() }

// atEnd reports whether the cursor stands behind all of it.
func (e *Entry) atEnd() bool { return e.text.Position() == len([]rune(e.text.Value())) }

// press takes a key, and reports whether it changed the text.
func (e *Entry) press(msg tea.KeyMsg) bool {
	before := e.text.Value()
	e.text, _ = e.text.Update(msg)
	return e.text.Value() != before
}

// paste takes pasted text, without what can't stand in a value.
func (e *Entry) paste(runes []rune) bool {
	return e.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: printable(runes)})
}

// split is the text before the cursor and behind it, fitted to the glyphs at hand.
func (e *Entry) split(g *theme.Glyphs) (before, after string) {
	typed, at := []rune(e.text.Value()), e.text.Position()
	return own(string(typed[:at]), g), own(string(typed[at:]), g)
}

// printable drops what can't stand in a value.
func printable(runes []rune) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, string(runes)))
}
