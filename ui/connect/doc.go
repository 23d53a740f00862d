// Package connect is the screen that a console begins with where nobody named an endpoint: what was found on this machine, what
// runs were of lately, the demo, and a line to type a URL into; then the model, and the key where one is wanted.
//
// The files:
//
//	choices.go  what there is to choose from, and what is known of it
//	draw.go     draws the screen
//	mouse.go    what the mouse does: a click chooses a row, and another one takes it; the wheel goes up and down
//	model.go    the tea.Model: what keys do, and what comes of what an endpoint answers
//	run.go      runs the screen on a terminal
//
// The way through it: Run shows Choices, some of which come while it shows. A choice is asked for its models beside the screen;
// when there is one to put load on, and a key if it needs one, Run returns the Target.
package connect
