// Package report prints what there is to know of a run where there is no terminal to draw on: its report at the end, and a
// line a second until then. It writes no control characters.
//
// The files:
//
//	endpoints.go   prints the figures of each of several endpoints
//	objectives.go  prints how objectives came off
//	progress.go    shows a run where there is no terminal to draw on: a line a second
//	report.go      prints a run's report as text: what is left on the screen when the console or a check is over
//	sweep.go       prints what an autopilot found
//	telemetry.go   prints what accelerators and the inference server said, and what output cost
//
// The way through it: A run.Report becomes text, section by section; a Snapshot becomes a line of progress.
package report
