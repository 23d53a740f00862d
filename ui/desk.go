// This file is the knobs with a hand on them: which one the keys turn, how far it was turned, what is typed into it.

package ui

import (
	"tokdyno/engine"
	"tokdyno/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Desk is all knobs, and what is being done to them. Any page can turn the chosen one.
type Desk struct {
	dial
	knobs  []knob
	chosen int
	typing bool // a value for the chosen knob
	entry  Entry
}

func newDesk() *Desk { return &Desk{knobs: allKnobs(), entry: newEntry()} }

// len is how many knobs there are.
func (d *Desk) len() int { return len(d.knobs) }

// knob is the chosen one.
func (d *Desk) knob() *knob { return &d.knobs[d.chosen] }

// choose chooses another knob.
func (d *Desk) choose(by int) { d.chosen = (d.chosen + by + len(d.knobs)) % len(d.knobs) }

// why says why no knob can be turned any more; "" where they can.
func (d *Desk) why(h Host) string {
	if h.Frame().latest.State == engine.Ended {
		return h.Uncontrollable()
	}
	return ""
}

// turn changes the chosen knob in hand.
func (d *Desk) turn(h Host, change func(k *knob, at engine.Knobs, s *engine.Snapshot) engine.Knobs) tea.Cmd {
	s, k := h.Frame().latest, d.knob()
	at := d.dial.shown(s)
	next := change(k, at, s)
	if next == at {
		h.Say(theme.Muted, "%s is at its end", k.name(at))
		return nil
	}
	if err := next.Validate(); err != nil {
		h.Say(theme.Warn, "%s", oneLine(err))
		return nil
	}
	h.Hush()
	d.dial.turn(next, h.Now())
	return nil
}

func (d *Desk) turnUp(h Host) tea.Cmd {
	return d.turn(h, func(k *knob, at engine.Knobs, s *engine.Snapshot) engine.Knobs { return k.turn(at, s, true) })
}

func (d *Desk) turnDown(h Host) tea.Cmd {
	return d.turn(h, func(k *knob, at engine.Knobs, s *engine.Snapshot) engine.Knobs { return k.turn(at, s, false) })
}

func (d *Desk) double(h Host) tea.Cmd {
	return d.turn(h, func(k *knob, at engine.Knobs, s *engine.Snapshot) engine.Knobs { return k.scale(at, s, 2) })
}

func (d *Desk) halve(h Host) tea.Cmd {
	return d.turn(h, func(k *knob, at engine.Knobs, s *engine.Snapshot) engine.Knobs { return k.scale(at, s, 0.5) })
}

// startTyping opens the chosen knob for a value.
func (d *Desk) startTyping(h Host) tea.Cmd {
	d.typing = true
	h.Hush()
	d.entry.begin("")
	return nil
}

// stopTyping closes it, whatever was typed.
func (d *Desk) stopTyping(h Host) {
	d.typing = false
	h.Hush()
	d.entry.end()
}
