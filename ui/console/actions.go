// This file is what the keys of the console itself do, and why they may not.

package console

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// just is a key after which there is nothing to wait for.
func just(do func(*model)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		do(m)
		return nil
	}
}

// steer is a key that does something to the run.
func steer(do func(*control)) func(*model) tea.Cmd { return just(func(m *model) { do(&m.run) }) }

// What keeps a key from doing anything.

func uncontrollable(m *model) string { return m.run.uncontrollable() }

// noWindow says why no other window can be chosen by somebody who only watches.
func noWindow(m *model) string {
	if o, ok := m.run.engine.(*onlooker); ok && o.windows == nil {
		return readOnly
	}
	return ""
}

func overAlready(m *model) string {
	if m.run.latest.Over() {
		return m.run.uncontrollable()
	}
	return ""
}

// entered lets the page take the typed text, and look at what follows from it.
func (m *model) entered() tea.Cmd {
	return tea.Batch(page.Later(m.typist().Enter(m)), m.pages[m.open].See(m))
}

func (m *model) stopTyping() {
	m.run.desk.StopTyping(m)
}

// setTyped takes the value; what can't be read is answered with a sentence, and stays to be corrected.
func (m *model) setTyped() tea.Cmd {
	typed := strings.TrimSpace(m.run.desk.Entry.Value())
	if typed == "" {
		m.run.desk.StopTyping(m)
		return nil
	}
	cmd, err := m.run.setText(m.run.desk.Chosen(m.run.latest), typed)
	if err != nil {
		m.run.say(theme.Bad, "%s", cell.OneLine(err))
		return nil
	}
	m.run.desk.StopTyping(m)
	return cmd
}

func (m *model) toggleFreeze() {
	if m.frozen != nil {
		m.frozen = nil
	} else {
		m.frozen = m.run.latest
	}
}

// quit leaves: first when the running requests have ended, asked again at once.
func (m *model) quit() tea.Cmd {
	switch {
	case m.run.watches, m.run.latest.State == snapshot.Ended, m.run.latest.Replay != nil:
		m.run.leaving = gone
		return tea.Quit
	case m.run.leaving == staying:
		m.run.leaving, m.run.early = draining, true
		m.run.desk.Drop()
		m.run.engine.Drain()
		return nil
	}
	return m.stopNow()
}

// stopNow cancels what runs and leaves. Who only watches just leaves.
func (m *model) stopNow() tea.Cmd {
	m.run.early = m.run.early || m.run.latest.State != snapshot.Ended
	m.run.leaving = gone
	if !m.run.watches {
		m.run.engine.Stop()
	}
	return tea.Quit
}

// suspend hands the terminal back to the shell.
func (m *model) suspend() tea.Cmd {
	m.asleep = m.run.now()
	return tea.Suspend
}

// awake says what a suspension did to the figures.
func (m *model) awake() {
	if !m.asleep.IsZero() {
		m.run.say(theme.Warn, "suspended for %s: the figures of that time are not valid",
			cell.Span(m.run.now().Sub(m.asleep).Round(time.Second)))
	}
	m.asleep, m.woke = time.Time{}, m.run.now()
}
