// Package knob is the knobs: rows of the table of settings that keys turn and that values are typed into.
//
// The files:
//
//	desk.go   the knobs while they are turned: which one the keys turn, how far it was turned, what is typed into it
//	dial.go   knobs while a hand is on them: shown at once, applied when the hand rests
//	panel.go  draws the knobs: what each is set to, which one the keys turn, and what it does at present
//
// The way through it: A key turns the chosen knob in the Desk; the dial shows it at once and hands it to the engine
// when the hand rests; the panel draws both.
package knob
