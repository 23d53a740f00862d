// Package stage knows operating points: stretches of a run with one load setting, when they may be measured, what their
// figures say side by side, and the autopilots that go from one to the next.
//
// All of it is pure: no network, no goroutine, no clock and no random numbers but those handed in.
package stage

import "time"

// Turnover is what has happened in a stage so far.
type Turnover struct {
	InFlight int           // requests meant to be in flight; 0 in an open loop, which means none in particular
	Ended    int           // requests sent within the stage that completed or failed
	MeanE2EL time.Duration // of those that completed; 0: unknown
	Age      time.Duration // since the stage opened
}

// Settled reports whether a stage may be measured: after one full turnover, which in a closed loop is as many ended
// requests as are meant to be in flight, and in an open loop twice the mean end-to-end latency.
func Settled(t Turnover) bool {
	if t.InFlight > 0 {
		return t.Ended >= t.InFlight
	}
	return t.MeanE2EL > 0 && t.Age >= 2*t.MeanE2EL
}
