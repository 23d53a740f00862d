// This file does work that must not hold up the screen: reading a file, comparing many samples.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// done is the message that work ends with: what the console does about its result.
type done func(*model) tea.Cmd

// later returns a command that does the work beside the console. Bubble Tea owns its goroutine. A fault in it ends the
// console with an error, as one in Update does.
func later(work func() done) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if fault := recover(); fault != nil {
				msg = done(func(m *model) tea.Cmd { return m.fail(fault) })
			}
		}()
		return work()
	}
}
