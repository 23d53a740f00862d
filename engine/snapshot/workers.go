// This file is what a snapshot shows of workers that make the load on the console's behalf.

package snapshot

import "time"

// WorkerState is where a worker stands.
type WorkerState string

// The states.
const (
	WorkerJoining WorkerState = "joining" // it finds out what the endpoint takes
	WorkerWorking WorkerState = "working"
	WorkerIdle    WorkerState = "idle"   // it has no share of the load
	WorkerLost    WorkerState = "lost"   // it is not heard; its share went to the others
	WorkerFailed  WorkerState = "failed" // it can't make the load
	WorkerBusy    WorkerState = "busy"   // it works for another console
	WorkerEnded   WorkerState = "ended"
)

// Worker is a process that makes a part of the load.
type Worker struct {
	Name    string
	Host    string
	Version string
	Cores   int
	State   WorkerState
	Reduced string // why it has less of the load than its cores would have it, in a sentence; "": it has not
	Problem string // why it is lost, failed or has stopped, in a sentence; "": nothing is wrong

	// Ahead is by how much its machine's clock is ahead of the console's, and Within how well that is known; both 0 until it was measured. Within
	// is half of the shortest of several round trips, so that the error can't be more.
	Ahead, Within time.Duration

	Share    int     // requests in flight that it is to have, of a closed loop
	Part     float64 // of the load, 0–1
	InFlight int
	Started  int           // requests, of the whole run
	Lost     int           // requests that it had in flight when it was given up: they count as cancelled
	Health   Health        // of the last ten seconds
	Lag      time.Duration // how long ago what was heard last had happened, by the console's clock
	Bytes    int64         // that it has reported
}

// Workers are those of a run.
type Workers struct {
	List []Worker
	// Missing is how many requests in flight no worker has room for; 0: none.
	Missing int
	// Wanted is how many have to be ready before the load begins, and Ready is how many are; Wanted is 0 once it has begun.
	Wanted, Ready int
}
