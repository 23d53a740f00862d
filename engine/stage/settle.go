// This file decides when a stage has settled and may be measured.

package stage

import "time"

// Turnover is what has happened in a stage so far.
type Turnover struct {
	InFlight int           // requests meant to be in flight; 0 in an open loop, which means none in particular
	Ended    int           // requests sent within the stage that completed or failed
	MeanE2EL time.Duration // of those that completed; 0: unknown
	Age      time.Duration // since the stage opened
}

// Settled reports whether a stage may be measured: after one full turnover of what is in flight, so that what was sent under
// the load before, and what met it, has gone.
//
//   - In a closed loop c requests are in flight, and each that ends makes way for the next. When c of those that were sent
//     within the stage have ended, each slot has on average seen one of them through: ended ≥ c.
//   - In an open loop nobody says how many are in flight; at λ arrivals a second that last W each, they are L = λ·W (Little
//     1961), and it takes W for the last of those found at the beginning to end, and W again for those that were sent beside
//     them: age ≥ 2·W, with W the mean E2EL of those that completed.
//
// It is a rule for leaving out the initial transient of a simulation (Law, Simulation Modeling and Analysis, ch. 9) that needs
// no second pass over the data and no parameter.
func Settled(t Turnover) bool {
	if t.InFlight > 0 {
		return t.Ended >= t.InFlight
	}
	return t.MeanE2EL > 0 && t.Age >= 2*t.MeanE2EL
}
