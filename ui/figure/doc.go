// Package figure writes what the engine measured, the same way wherever it shows: loads, latencies, values that may be
// unknown, columns of stages, the time axis of charts, and what there is to say about all that in sentences.
//
// The files:
//
//	chart.go      what charts over time have in common
//	columns.go    writes the columns that the tables of stages and of levels share
//	latency.go    picks latencies out of what was measured, and writes them
//	load.go       writes the load in a few words
//	notes.go      what the console says in sentences: messages, errors, and what to know about the figures
//	objective.go  the objectives on the screen: how each stands, the worst first, and how they are set
//	pilot.go      the autopilot in words
//	side.go       how the sides of a duel are told apart: by letter, dash and colour
//	token.go      writes figures that rest on token counts
//	trend.go      turns the run's history into series: for charts a value a second, for sparklines a value a cell
//	verdict.go    writes verdicts, the same on every page
//	value.go      writes values that may be unknown, and why they are
//
// The way through it: Figures of a Snapshot go in, pieces and columns of cells come out.
package figure
