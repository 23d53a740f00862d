// The lateness of the machine itself: a thread that does nothing but sleep until it is time.

package load

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// threadLateness returns how late a thread of its own woke up for each instant of an even schedule.
func threadLateness(n int, rate float64) []time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := func() int64 {
		var t unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // does not fail for this clock
		return t.Nano()
	}
	late := make([]time.Duration, n)
	begin := now()
	for i := range late {
		due := begin + int64(float64(i+1)/rate*1e9)
		at := unix.NsecToTimespec(due)
		for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) == unix.EINTR {
		}
		late[i] = time.Duration(now() - due)
	}
	return late
}
