// Package knob is the knobs: what each shows, how it turns, what may be typed into it, and the panel of all of them.
//
// The files:
//
//	desk.go               the knobs with a hand on them: which one the keys turn, how far it was turned, what is typed
//	                      into it
//	dial.go               knobs while a hand is on them: shown at once, applied when the hand rests
//	knob_arrival.go       the knobs of how the load comes about: how arrivals spread, and how it gets to another level
//	knob_conversation.go  the knobs of conversations: how many turns they have, and how long a person thinks between
//	                      two
//	knob_load.go          the knobs of the load: how many requests run, or when they arrive
//	knob_objective.go     the knobs of the first objective: its limit, its percentile and its target
//	knob_shape.go         the knobs of the load's shape: what every request asks for
//	knob_slo.go           the knobs of the SLO: the limits of a request, and the share of requests that must keep them
//	knobs.go              the knobs: what each one shows, how it turns, and what may be typed into it
//	panel.go              draws the knobs: what each is set to, which one the keys turn, and what it does at present
//	steps.go              the scales that knobs click along: fine enough to feel continuous, and always on a number
//	                      worth naming
//
// The way through it: A key turns the chosen knob in the Desk; the dial shows it at once and hands it to the engine
// when the hand rests; the panel draws both.
package knob
