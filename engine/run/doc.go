// Package run knows a run as a document: the report that a person or a program reads when it is over. NewReport makes it of a
// snapshot alone; it knows no engine.
//
// The files:
//
//	baseline.go        says how a run stands against an earlier one
//	canary.go          is what light requests beside the load were answered
//	document.go        what the forms of a report are made of
//	doubt.go           says why the figures of a report are not to be trusted, if they are not
//	duel.go            the result of a duel: the report of each side, and what they differ by
//	make.go            makes the report of a run from the last moment of it
//	make_levels.go     makes levels of a run's stages, and says which of them is the operating point
//	make_load.go       says in a report what load there was
//	make_sweep.go      says in a report what an autopilot found
//	make_telemetry.go  says in a report what accelerators and the inference server said, and what output cost
//	measured.go        is a run as it goes into a comparison
//	notes.go           says in sentences what a reader of the figures should know of the endpoint and of the run
//	report.go          the report: its members, as JSON has them
//	sweep.go           what an autopilot found, as a document
//	telemetry.go       what accelerators and the inference server said of themselves, as a document
//	workers.go         the workers of a run, as JSON has them
//
// The way through it: NewReport takes a Snapshot (make, make_*), fills the document (report, sweep, telemetry) and adds
// what a reader should know (notes) and whether to trust it (doubt). WriteJSON is its form in a file.
package run
