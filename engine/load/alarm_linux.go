// This file is the alarm of Linux: the runtime's timer, with a timerfd that gets the runtime up in time for it.

package load

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

// newAlarm returns the most exact alarm that the system grants: a sandbox may refuse a timerfd, and a process may have
// no file descriptor left.
func newAlarm(clock record.Clock) alarm {
	a, err := newTimerfdAlarm(clock)
	if err != nil {
		return newTimerAlarm(clock)
	}
	return a
}

// timerfdAlarm is a timerAlarm that a timerfd makes exact. An idle runtime waits in epoll, whose time-out for the next
// timer it rounds to whole milliseconds; but it watches the descriptor there as well, and that expires to the
// microsecond. Whatever ends the wait, the runtime then looks which of its timers are due, and finds this one.
//
// So nobody reads the descriptor, and it takes no goroutine and no lock: the ring is the timer's. That is more than
// brevity. A runtime that always has goroutines to run, as with thousands of streams, looks at its timers between any
// two of them, but at its poller only every 10 ms or so: a ring that came through a reader of the descriptor was late
// by that. Should a later runtime not look at its timers here, then what is lost is the half millisecond.
type timerfdAlarm struct {
	timerAlarm
	file *os.File // has the poller watch the descriptor, and closes it
	fd   int      // of file, which would take it from the poller if asked
}

func newTimerfdAlarm(clock record.Clock) (timerfdAlarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return timerfdAlarm{}, fmt.Errorf("creating a timerfd: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	// To set no deadline changes nothing, but is refused when the poller doesn't watch the file.
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		return timerfdAlarm{}, errors.Join(fmt.Errorf("watching a timerfd: %w", err), file.Close())
	}
	return timerfdAlarm{newTimerAlarm(clock), file, fd}, nil
}

func (a timerfdAlarm) Set(at record.Instant) {
	left := max(0, time.Duration(at-a.clock()))
	a.timer.Reset(left) // first, so that it is due when the descriptor expires
	a.expireAfter(left)
}

func (a timerfdAlarm) Stop() {
	a.timerAlarm.Stop()
	a.expireAfter(0)
}

func (a timerfdAlarm) Close() {
	a.timerAlarm.Close()
	_ = a.file.Close() // nothing was written to it that could be lost
}

// expireAfter makes the descriptor expire once, that long from now, and not when it was set to before; after 0, not at
// all. Should the kernel refuse, which it has no reason to, the timer still rings.
func (a timerfdAlarm) expireAfter(d time.Duration) {
	_ = unix.TimerfdSettime(a.fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil)
}
