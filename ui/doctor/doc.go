// Package doctor says what of this machine and this terminal hinders a measurement, and what to do about it.
//
// The files:
//
//	answer.go  the findings as text and as JSON
//	check.go   the table of checks
//	facts.go   what the checks go by
//	machine.go the checks of the machine: GPU, files, clock, stamps, proxy, folder, processor
//	screen.go  the checks of the terminal: its size, its colours, its characters
//
// The way through it: ui/session asks the machine for Facts; each row of the table looks at them, and at nothing else, and
// gives a Finding; Print and JSON show them all.
package doctor
