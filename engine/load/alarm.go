// This file is the seam to the operating system's timers.

package load

import "time"

// alarm wakes the dispatcher once, some time from now. Setting it replaces what was set before, and nothing that was
// replaced or stopped is delivered later. It is an interface because precision is worth a platform's own timer: Go's
// netpoller waits whole milliseconds, so a time.Timer is up to a millisecond late when the process is otherwise idle,
// where a timerfd on Linux is not.
type alarm interface {
	C() <-chan time.Time
	Set(d time.Duration)
	Stop()
}

// timerAlarm is the alarm that every platform has.
type timerAlarm struct{ timer *time.Timer }

func newTimerAlarm() alarm {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	return timerAlarm{timer}
}

func (a timerAlarm) C() <-chan time.Time { return a.timer.C }

func (a timerAlarm) Set(d time.Duration) { a.timer.Reset(d) }

func (a timerAlarm) Stop() { a.timer.Stop() }
