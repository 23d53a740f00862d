// Package session takes a run from its configuration to its report, with or without a terminal.
//
// The files:
//
//	ask.go      asks the person for a model, where an endpoint serves several and none was named
//	baseline.go holds a check against an earlier run
//	beside.go   is what goes on beside a run: its results, and its figures while it runs
//	check.go    runs a check: a load without a terminal, a report, and an exit status
//	compare.go  compares runs that are kept
//	connect.go  asks the person for an endpoint, where none was named
//	console.go  runs the console, or what takes its place where there is no terminal
//	doctor.go   asks this machine what tokdyno needs to know of it, for doctor
//	duel.go     runs a duel, with or without a terminal
//	duel_end.go ends a duel: with what its sides differ by, each one's report, and an exit status
//	gpu.go      says what can be read of the accelerators from here, and why not where it can't
//	kept.go     keeps runs, lists those that are kept, and changes what is said of them
//	mouse.go    is whether the mouse does something
//	output.go   writes results to files, or to standard output
//	peers.go    opens runs: those that are kept, and the results of other tools
//	presets.go  prints presets
//	replay.go   shows runs that are kept: on the screen again, or as a report
//	share.go    lets others watch what the console shows
//	sources.go  opens what is read besides the endpoint, and who makes the load
//	status.go   the exit statuses
//	themes.go   shows the themes there are
//	workers.go  starts workers for a run, or finds those that have joined
//
// The way through it: main hands over a configuration. Sources are opened, an engine is made and run, the console or
// the lines of progress show it, and the report goes to the screen and to files. What went wrong becomes an exit
// status.
package session
