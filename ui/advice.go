// This file is the line above the footer: what was just answered to a key, or what to know about the figures.

package ui

import (
	"fmt"

	"tokdyno/ui/theme"
)

// advice draws the line above the footer: what was just answered to a key, or else the most important note, followed by
// others as far as they fit.
func (v *screen) advice(w int) string {
	l := newLine(v.th, w).skip(1)
	if v.message.text != "" {
		return l.note(note{v.message.role, v.message.text}).String()
	}
	k, turned := v.desk.knob(), v.desk.shown(v.latest)
	switch {
	case v.context.layer == onTyping:
		return l.note(note{theme.Accent, fmt.Sprintf("%s: %s", k.name(turned), k.asks)}).String()
	case v.context.layer == onPrompt:
		return l.note(v.promptNote()).String()
	case v.desk.turning && !v.shows(partKnobs): // the hand must see what it turns
		change := fmt.Sprintf("%s %s, was %s: applying…", k.name(turned), k.value(turned), k.value(v.desk.current(v.latest)))
		return l.note(note{theme.Accent, change}).String()
	}
	all := notes(v.Frame)
	switch {
	case len(all) > 0:
	case v.shows(partKnobs):
		all = []note{knobHint()}
	default:
		all = []note{{theme.Muted, fmt.Sprintf("+/- turns the %s from here too; 1 shows all knobs", k.name(turned))}}
	}
	for i, n := range all {
		if i > 0 && cells(n.text)+5 > l.room() {
			continue
		}
		if i > 0 {
			l.skip(3)
		}
		l.note(n)
	}
	return l.String()
}
