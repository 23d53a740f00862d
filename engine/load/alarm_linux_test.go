// This file tests the alarm of Linux: that it holds its descriptor no longer than it should, sets it when it should, and
// does without where it gets none.

package load

import (
	"context"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

// descriptors returns how many file descriptors the process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestNoDescriptorIsLeftOpen(t *testing.T) {
	clock := record.NewClock()
	newAlarm(clock).Close() // from the first on, the runtime keeps descriptors of its poller
	before := descriptors(t)
	for range 20 {
		a := newAlarm(clock)
		if _, ok := a.(timerfdAlarm); !ok {
			t.Skip("this system grants no timerfd")
		}
		a.Set(clock().Add(time.Hour))
		if now := descriptors(t); now != before+1 {
			t.Errorf("%d descriptors, %d before the alarm", now, before)
		}
		a.Close()
	}
	for range 20 {
		s := Setting{Mode: Open, Rate: MaxRate, Arrival: Constant}
		if err := NewPool(clock, 1, s, Budget{Requests: 3}, func(context.Context, Job) {}).Run(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}

// What makes the alarm exact can't be told from when it rings without a stopwatch, so the kernel is asked.
func TestDescriptorIsSetWithTheTimer(t *testing.T) {
	clock := record.NewClock()
	a, err := newTimerfdAlarm(clock)
	if err != nil {
		t.Skip(err)
	}
	defer a.Close()
	expect := func(what string, atLeast, atMost time.Duration) {
		t.Helper()
		var spec unix.ItimerSpec
		if err := unix.TimerfdGettime(a.fd, &spec); err != nil {
			t.Fatal(err)
		}
		left := time.Duration(spec.Value.Nano())
		if left < atLeast || left > atMost || spec.Interval.Nano() != 0 {
			t.Errorf("%s: expires in %v, then every %v", what, left, time.Duration(spec.Interval.Nano()))
		}
	}
	expect("new", 0, 0)
	a.Set(clock().Add(2 * time.Hour))
	expect("set", 1, 2*time.Hour)
	a.Set(clock().Add(3 * time.Hour))
	expect("set to later", 2*time.Hour+1, 3*time.Hour)
	a.Set(clock().Add(time.Hour))
	expect("set to earlier", 1, time.Hour)
	a.Stop()
	expect("stopped", 0, 0)
	a.Set(clock().Add(time.Hour))
	a.Set(clock())
	expect("set to what has passed", 0, 0)
}

func TestAlarmDoesWithoutADescriptor(t *testing.T) {
	clock := record.NewClock()
	newAlarm(clock).Close()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	_, refusal := newTimerfdAlarm(clock)
	a := newAlarm(clock)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if refusal == nil {
		t.Error("a timerfd was made with no descriptor to be had")
	}
	at := clock().Add(ms)
	a.Set(at)
	<-a.C()
	if now := clock(); now < at {
		t.Errorf("rang %v early", at.Elapsed()-now.Elapsed())
	}
}
