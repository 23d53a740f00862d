// Package health tells whether the load generator itself can be trusted: one that is the bottleneck measures itself.
//
// The files:
//
//	cpu_other.go    stands for systems whose processor time is not read
//	cpu_unix.go     reads the process's processor time on Unix
//	cpu_windows.go  reads the process's processor time on Windows
//	monitor.go      keeps samples of a run
//	sample.go       reads what the Go runtime and the system know of this process
//	verdict.go      judges whether the load generator can be trusted
//
// The way through it: Samples of the runtime and the system go into a Monitor at every tick; Judge holds the figures of
// the last seconds, or of the whole run, against limits and gives a verdict with its reason.
package health
