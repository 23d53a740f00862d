// This file is the seam to the operating system's timers, and the alarm that every platform has.

package load

import (
	"time"

	"tokdyno/engine/record"
)

// alarm wakes the dispatcher once, at an instant of the pool's clock. It has one user, in one goroutine.
//
// It is an interface because precision is worth a platform's own timer, and because a platform's own timer knows no
// fake time: what runs in a synctest bubble takes the timerAlarm.
type alarm interface {
	// C is rung at the instant that was set, or soon after it.
	C() <-chan time.Time

	// Set makes the alarm ring at the instant at; when that has passed, at once. It replaces what was set before:
	// nothing that was replaced or stopped is delivered later.
	Set(at record.Instant)

	// Stop makes the alarm not ring until it is set again.
	Stop()

	// Close ends the alarm. It returns when everything the alarm held is released; no other method may be called then.
	Close()
}

// timerAlarm is the alarm on the runtime's timers. It is exact to some tens of microseconds where the runtime can wait
// for less than a millisecond (macOS and the BSDs by kqueue, Windows by its high-resolution timers). Where it can't, it
// is up to a millisecond late whenever the process is otherwise idle: that is Linux, which has an alarm of its own for
// it. Computing through the last 1.2 ms would mend it too (p99 of 0.06 rather than 1.3 ms), but takes a quarter of a
// core at 200 arrivals a second, from the streams that are to be read.
type timerAlarm struct {
	clock record.Clock
	timer *time.Timer
}

func newTimerAlarm(clock record.Clock) timerAlarm {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	return timerAlarm{clock, timer}
}

func (a timerAlarm) C() <-chan time.Time { return a.timer.C }

func (a timerAlarm) Set(at record.Instant) { a.timer.Reset(time.Duration(at - a.clock())) }

func (a timerAlarm) Stop() { a.timer.Stop() }

func (a timerAlarm) Close() { a.timer.Stop() }
