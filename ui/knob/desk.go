// This file is the knobs while they are turned: which one the keys turn, how far it was turned, what is typed into it.

package knob

import (
	"tokdyno/engine/snapshot"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Desk is all knobs, and what is being done to them. Any page can turn the chosen one.
type Desk struct {
	dial
	knobs  []presets.Knob // the most important first: where room is short, the others are scrolled to
	at     int
	held   cell.Held
	Typing bool // a value for the chosen knob
	Entry  page.Entry
}

// NewDesk returns all knobs, of which the first is chosen.
func NewDesk() *Desk { return &Desk{knobs: presets.Settings().Knobs(), Entry: page.NewEntry()} }

// Len is how many knobs there are.
func (d *Desk) Len() int { return len(d.knobs) }

// Chosen is the setting that the chosen one turns at present.
func (d *Desk) Chosen(s *snapshot.Snapshot) *presets.Setting {
	return d.knobs[d.at].Setting(d.Shown(s))
}

// Choose chooses another knob.
func (d *Desk) Choose(by int) {
	d.at = (d.at + by + len(d.knobs)) % len(d.knobs)
	d.held.Let()
}

// Why says why no knob can be turned any more; "" where they can.
func (d *Desk) Why(h page.Host) string {
	if h.Frame().Latest.Over() {
		return h.Uncontrollable()
	}
	return h.ReadOnly()
}

// turn changes the chosen knob in hand.
func (d *Desk) turn(h page.Host, change func(k *presets.Setting, at snapshot.Knobs, s *snapshot.Snapshot) snapshot.Knobs) {
	s := h.Frame().Latest
	k, at := d.Chosen(s), d.Shown(s)
	next := change(k, at, s)
	if next == at {
		h.Say(theme.Muted, "%s is at the end of its range", k.Title)
		return
	}
	if err := next.Validate(); err != nil {
		h.Say(theme.Warn, "%s", cell.OneLine(err))
		return
	}
	h.Hush()
	d.dial.turn(next, h.Now())
}

// TurnUp turns the chosen knob a step up.
func (d *Desk) TurnUp(h page.Host) {
	d.turn(h, func(k *presets.Setting, at snapshot.Knobs, s *snapshot.Snapshot) snapshot.Knobs {
		return k.Turn(at, s, true)
	})
}

// TurnDown turns it a step down.
func (d *Desk) TurnDown(h page.Host) {
	d.turn(h, func(k *presets.Setting, at snapshot.Knobs, s *snapshot.Snapshot) snapshot.Knobs {
		return k.Turn(at, s, false)
	})
}

// Double doubles it.
func (d *Desk) Double(h page.Host) {
	d.turn(h, func(k *presets.Setting, at snapshot.Knobs, s *snapshot.Snapshot) snapshot.Knobs {
		return k.Scale(at, s, 2)
	})
}

// Halve halves it.
func (d *Desk) Halve(h page.Host) {
	d.turn(h, func(k *presets.Setting, at snapshot.Knobs, s *snapshot.Snapshot) snapshot.Knobs {
		return k.Scale(at, s, 0.5)
	})
}

// StartTyping opens the chosen knob for a value.
func (d *Desk) StartTyping(h page.Host) {
	d.Typing = true
	h.Hush()
	d.Entry.Begin("")
}

// StopTyping closes it, whatever was typed.
func (d *Desk) StopTyping(h page.Host) {
	d.Typing = false
	h.Hush()
	d.Entry.End()
}
