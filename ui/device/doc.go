// Package device draws accelerators and the inference server, as every page that shows them does.
//
// The files:
//
//	server.go  says what the inference server tells of itself, in one line, and why it tells nothing
//	source.go  says where the accelerators' figures come from, and what is wrong with that
//	table.go   the table of accelerators: activity, memory, power; every figure under its own name
//	total.go   makes one device of several, and puts devices in the order in which they are shown
//
// The way through it: A Reading's devices go in, rows and sentences of cells come out.
package device
