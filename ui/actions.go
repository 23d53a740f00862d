// This file is what the keys do.

package ui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// apply hands knobs to the engine.
func (m *model) apply(k engine.Knobs) bool {
	if err := m.engine.Apply(k); err != nil {
		m.say(theme.Bad, "%s", oneLine(err))
		return false
	}
	m.dial.accept(k, m.now())
	return true
}

// applyNow changes one thing at once, without what is still being turned; that keeps the change too.
func (m *model) applyNow(change func(*engine.Knobs)) bool {
	m.refresh() // an autopilot may have moved the load since the last frame, and must not be turned back
	k := m.dial.current(m.latest)
	change(&k)
	if !m.apply(k) {
		return false
	}
	change(&m.dial.turned)
	return true
}

// loaded reports whether the run can still be controlled, and says so where it can't.
func (m *model) loaded() bool {
	switch {
	case m.latest.State == engine.Ended:
		m.say(theme.Muted, "the run has ended; q leaves")
	case m.leaving != staying || m.latest.State == engine.Draining:
		m.say(theme.Muted, "the run is draining; q again stops it now")
	default:
		return true
	}
	return false
}

func (m *model) togglePause() tea.Cmd {
	if m.loaded() {
		m.applyNow(func(k *engine.Knobs) { k.Paused = !k.Paused })
	}
	return nil
}

// turn changes the chosen knob in hand.
func (m *model) turn(change func(k *knob, at engine.Knobs) engine.Knobs) {
	if m.latest.State == engine.Ended {
		m.loaded()
		return
	}
	at := m.dial.shown(m.latest)
	k := &m.knobs[m.chosen]
	next := change(k, at)
	if next == at {
		m.say(theme.Muted, "%s is at its end", k.name(at))
		return
	}
	if err := next.Validate(); err != nil {
		m.say(theme.Warn, "%s", oneLine(err))
		return
	}
	m.message = message{}
	m.dial.turn(next, m.now())
}

func (m *model) turnUp() tea.Cmd {
	m.turn(func(k *knob, at engine.Knobs) engine.Knobs { return k.turn(at, m.latest, true) })
	return nil
}

func (m *model) turnDown() tea.Cmd {
	m.turn(func(k *knob, at engine.Knobs) engine.Knobs { return k.turn(at, m.latest, false) })
	return nil
}

func (m *model) double() tea.Cmd {
	m.turn(func(k *knob, at engine.Knobs) engine.Knobs { return k.scale(at, m.latest, 2) })
	return nil
}

func (m *model) halve() tea.Cmd {
	m.turn(func(k *knob, at engine.Knobs) engine.Knobs { return k.scale(at, m.latest, 0.5) })
	return nil
}

func (m *model) nextKnob() tea.Cmd {
	m.chosen = (m.chosen + 1) % len(m.knobs)
	return nil
}

func (m *model) previousKnob() tea.Cmd {
	m.chosen = (m.chosen + len(m.knobs) - 1) % len(m.knobs)
	return nil
}

// startTyping opens the chosen knob for a value.
func (m *model) startTyping() tea.Cmd {
	if m.latest.State == engine.Ended {
		m.loaded()
		return nil
	}
	m.typing = true
	m.message = message{}
	m.enter("")
	return nil
}

func (m *model) stopTyping() tea.Cmd {
	m.typing = false
	m.message = message{}
	m.input.Blur()
	return nil
}

// setTyped takes the value; what can't be read is answered with a sentence, and stays to be corrected.
func (m *model) setTyped() tea.Cmd {
	typed := strings.TrimSpace(m.input.Value())
	if typed == "" {
		return m.stopTyping()
	}
	cmd, err := m.setText(m.knobs[m.chosen].parse, typed)
	if err != nil {
		m.say(theme.Bad, "%s", oneLine(err))
		return nil
	}
	m.stopTyping()
	return cmd
}

// oneLine is an error as one sentence.
func oneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}

// newStage begins to measure anew with the same load.
func (m *model) newStage() tea.Cmd {
	if m.loaded() {
		m.engine.NewStage()
	}
	return nil
}

func (m *model) nextFocus() tea.Cmd {
	m.focus = part((int(m.focus) + 1) % focusable)
	return nil
}

func (m *model) previousFocus() tea.Cmd {
	m.focus = part((int(m.focus) + focusable - 1) % focusable)
	return nil
}

func (m *model) zoomIn() tea.Cmd {
	m.zoomed = true
	return nil
}

func (m *model) zoomOut() tea.Cmd {
	m.zoomed = false
	return nil
}

func (m *model) toggleFreeze() tea.Cmd {
	if m.frozen != nil {
		m.frozen = nil
	} else {
		m.frozen = m.latest
	}
	return nil
}

func (m *model) longerWindow() tea.Cmd {
	m.applyNow(func(k *engine.Knobs) { k.Window = k.Window.Longer() })
	return nil
}

func (m *model) shorterWindow() tea.Cmd {
	m.applyNow(func(k *engine.Knobs) { k.Window = k.Window.Shorter() })
	return nil
}

func (m *model) openHelp() tea.Cmd {
	m.help = help{open: true}
	return nil
}

func (m *model) closeHelp() tea.Cmd {
	m.help.open = false
	return nil
}

func (m *model) helpDown() tea.Cmd {
	m.help.first = min(m.help.first+1, m.view().helpLast())
	return nil
}

func (m *model) helpUp() tea.Cmd {
	m.help.first = max(m.help.first-1, 0)
	return nil
}

// quit leaves: first when the running requests have ended, asked again at once.
func (m *model) quit() tea.Cmd {
	switch {
	case m.latest.State == engine.Ended:
		m.leaving = gone
		return tea.Quit
	case m.leaving == staying:
		m.leaving = draining
		m.dial.drop()
		m.engine.Drain()
		return nil
	}
	return m.stopNow()
}

// stopNow cancels what runs and leaves.
func (m *model) stopNow() tea.Cmd {
	m.leaving = gone
	m.engine.Stop()
	return tea.Quit
}

// suspend hands the terminal back to the shell.
func (m *model) suspend() tea.Cmd {
	m.asleep = m.now()
	return tea.Suspend
}

// awake says what a suspension did to the figures.
func (m *model) awake() {
	if !m.asleep.IsZero() {
		m.say(theme.Warn, "suspended for %s: the figures of that time are not valid",
			span(m.now().Sub(m.asleep).Round(time.Second)))
	}
	m.asleep = time.Time{}
}
