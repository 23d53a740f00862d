// Package stage knows operating points: stretches of a run with one load setting, when they may be measured, what their
// figures say side by side, and the autopilots that go from one to the next.
//
// All of it is pure: no network, no goroutine, no clock and no random numbers but those handed in.
//
// The files:
//
//	axis.go      the axis along which an autopilot moves
//	course.go    what all pilots share: going to a level, waiting for its stage, and taking down how it went
//	curve.go     the curve of a run: what each level of load gave, and which of them stand out
//	goal.go      what a level has to hold
//	ladder.go    the autopilot that walks levels
//	pilot.go     what an autopilot sees, and what it says
//	result.go    says what a search found
//	rung.go      one level of a pilot's way: what was judged of it, and in words
//	search.go    the autopilot that finds the highest load that still holds the SLO
//	settle.go    decides when a stage has settled and may be measured
//	watch.go     decides when a level is over, and how it ended
//
// The way through it: A Status of the present level goes into a pilot's Next at every tick, a decision comes out: stay,
// move to a level, done. All pilots share a course (going, settling, watching, taking down); ladder and search differ
// in where they go next. The curve gathers what each level gave.
package stage
