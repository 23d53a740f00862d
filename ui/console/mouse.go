// This file is the mouse: what it does is what the drawing says of the place, and mostly a key.

package console

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// scrolled is how many rows a notch of the wheel scrolls.
const scrolled = 3

// point takes a message of the mouse. It is false for one that shows with the next frame: where the mouse is.
func (m *model) point(msg tea.MouseMsg) (cmd tea.Cmd, drawn bool) {
	m.pointer = &page.Point{X: msg.X, Y: msg.Y}
	wheel := msg.Button == tea.MouseButtonWheelUp || msg.Button == tea.MouseButtonWheelDown
	if msg.Action != tea.MouseActionPress || !wheel && msg.Button != tea.MouseButtonLeft {
		return nil, false
	}
	if !m.untyped() {
		m.Say(theme.Muted, "enter takes what is typed, esc leaves it")
		return nil, true
	}
	r := m.regions().At(msg.X, msg.Y, wheel)
	if r == nil {
		return nil, false
	}
	name, times := r.Key, 1
	switch {
	case wheel && msg.Button == tea.MouseButtonWheelUp:
		name = r.Up
	case wheel:
		name = r.Down
	}
	if wheel && !r.Turns {
		times = scrolled
	}
	if r.Hit != nil && (!wheel || r.Turns) {
		r.Hit(m)
	}
	cmds := []tea.Cmd{m.pages[m.open].See(m)}
	for range times {
		if name != "" {
			cmds = append(cmds, m.act(name, 1))
		}
	}
	return tea.Batch(cmds...), true
}

// untyped leaves a line of text into which nothing was typed. It is false where something was, which is not to be lost.
func (m *model) untyped() bool {
	switch in := m.context().layer; {
	case in != onTyping && in != onEntry && in != onPrompt:
		return true
	case m.entry().Value() != "":
		return false
	case in == onTyping:
		m.stopTyping()
	case in == onEntry:
		m.typist().Leave(m)
	default:
		m.prompt.hide(m)
	}
	return true
}

// regions are what the mouse does where at present: the frame is drawn for them alone.
func (m *model) regions() page.Regions {
	var all page.Regions
	v := m.screen()
	v.Regions = &all
	v.frame()
	return all
}
