// This file is a line of text that is being typed.

package page

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// Entry is a line of text that is being typed. Where the cursor stands in it is drawn by whoever shows it.
type Entry struct{ text textinput.Model }

// NewEntry returns an empty one.
func NewEntry() Entry {
	text := textinput.New()
	text.Prompt = ""
	text.CharLimit = 2000 // the longest are several objectives, which a cut would turn into others
	return Entry{text}
}

// Begin takes text from now on, starting with what is there already.
func (e *Entry) Begin(text string) {
	e.text.SetValue(text)
	e.text.CursorEnd()
	e.text.Focus() // its command blinks the cursor, which is drawn here and does not
}

// End takes no more.
func (e *Entry) End() { e.text.Blur() }

// Value is what was typed so far.
func (e *Entry) Value() string { return e.text.Value() }

// AtEnd reports whether the cursor stands behind all of it.
func (e *Entry) AtEnd() bool { return e.text.Position() == len([]rune(e.text.Value())) }

// Press takes a key, and reports whether it changed the text.
func (e *Entry) Press(msg tea.KeyMsg) bool {
	before := e.text.Value()
	e.text, _ = e.text.Update(msg)
	return e.text.Value() != before
}

// Paste takes pasted text, without what can't stand in a value.
func (e *Entry) Paste(runes []rune) bool {
	return e.Press(tea.KeyMsg{Type: tea.KeyRunes, Runes: printable(runes)})
}

// Split is the text before the cursor and behind it, fitted to the glyphs at hand.
func (e *Entry) Split(g *theme.Glyphs) (before, after string) {
	typed, at := []rune(e.text.Value()), e.text.Position()
	return cell.FitGlyphs(string(typed[:at]), g), cell.FitGlyphs(string(typed[at:]), g)
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
