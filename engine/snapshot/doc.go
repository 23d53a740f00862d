// Package snapshot holds one moment of a run as a value: what the engine publishes, pages draw, and reports are made of.
//
// The files:
//
//	autopilot.go  what an autopilot can be asked to do
//	carry.go     carries a change of knobs over to others
//	duel.go      what a snapshot shows of a duel: endpoints side by side, each under the same load
//	engine.go     what can be asked of a run and done to it, be it live, a recording, or a duel
//	event.go      what happened in a run, in sentences
//	canary.go    what light requests beside the load were answered
//	kept.go      what a snapshot says of the file that a run is kept in
//	knobs.go     what can be changed while a run goes on
//	lengths.go   what a snapshot knows of the lengths of prompts and answers, against what was asked for
//	memory.go    the most memory that accelerators have held
//	outage.go    what a snapshot says of an endpoint at which nothing succeeds
//	pilot.go     what a snapshot says of the autopilot
//	rung.go      the levels that an autopilot has visited, as they stand now
//	replay.go    what a snapshot says of the recording that it comes from
//	snapshot.go  the snapshot
//	stage.go     a stage of a run, what was read of its machines, and what its output cost
//	verdict.go   the verdicts of a moment
//	waits.go     what a snapshot says of waiting: for the load to begin, and of requests to be sent again
//	workers.go   what a snapshot shows of workers that make the load on the console's behalf
//
// The way through it: The engine fills a Snapshot at every tick and publishes it; nobody changes it after that. Pages
// draw it, the report is made of it. Knobs come back from whoever turns them.
package snapshot
