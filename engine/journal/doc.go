// Package journal says in sentences what happened between two moments of a run.
//
// The files:
//
//	beside.go   what happened beside the load: at the endpoint, the client, the machines
//	between.go  the rules, and what comes of them
//	load.go     what happened to the run, its load, its stages and its verdicts
//
// The way through it: Between hands two snapshots to each rule of a table. A rule sees nothing else, so what is told of a run
// is told of what its pages showed.
package journal
