// Package scene is what tests of the console show: snapshots of runs in many states, and an engine that remembers what it
// was told. Nothing but tests uses it.
//
// The files:
//
//	compare.go   a comparison of runs
//	curve.go     runs up the levels of a curve, with and without an autopilot
//	duel.go      duels
//	fake.go      an engine that remembers what it was told
//	gpu.go       accelerators and servers in many states
//	requests.go  requests of a closed loop, as a collector keeps them
//	snapshot.go  runs in many states
//	stage.go     runs through several stages
//	workers.go   runs whose load workers make
package scene
