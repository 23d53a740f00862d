// Package knob is the knobs: rows of the table of settings that keys turn and that values are typed into.
//
//   - desk.go: which knob is chosen, and what turns it; dial.go: what was turned and not applied yet; panel.go: how they look
package knob
