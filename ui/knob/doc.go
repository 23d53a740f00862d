// Package knob is the knobs: what each shows, how it turns, what may be typed into it, and the panel of all of them.
//
//   - desk.go: the knobs with a hand on them; dial.go: what was turned and not applied yet; panel.go: how they look
//   - knobs.go: the table; knob_*.go: the knobs themselves; steps.go: the scales that they click along
package knob
