// Package flags turns command-line flags into an engine's configuration. Flags of the same kind have the same names in
// every command.
//
// The files:
//
//	autopilot.go  the flags of the autopilot
//	config.go     puts the flags of a run together
//	duel.go       the flags of a duel
//	endpoint.go   the flags that say how an endpoint is reached
//	explain.go    puts the flag parser's errors into sentences
//	keep.go       the flags of whether a run is kept, and of how many are
//	load.go       the flags of the load and of the SLO
//	look.go       the flags of commands that draw
//	share.go      the flags of who else may watch
//	simulator.go  the flags of the simulated server
//	telemetry.go  the flags of what accelerators and the inference server say of themselves
//	value.go      flags of times and numbers, which are read as settings are
//	workers.go    the flags of workers, and of the NATS that they and their console meet at
//
// The way through it: Bind puts flags on a command; once they are parsed, Config, Apply and the like make of them what
// the engine and the simulator are made with, or an error that names the flag.
package flags
