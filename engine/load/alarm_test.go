// This file tests what every alarm promises. No test can fail by being slow: a ring that doesn't come is waited for.

package load

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// alarms are the makers of the alarms there are on this platform, by name.
var alarms = map[string]func(record.Clock) alarm{
	"timer":  runtimeAlarm,
	"system": newAlarm,
}

// runtimeAlarm is newTimerAlarm as a pool takes it.
func runtimeAlarm(clock record.Clock) alarm { return newTimerAlarm(clock) }

// eachAlarm runs a test with every alarm.
func eachAlarm(t *testing.T, test func(*testing.T, alarm, record.Clock)) {
	for name, create := range alarms {
		t.Run(name, func(t *testing.T) {
			clock := record.NewClock()
			a := create(clock)
			defer a.Close()
			test(t, a, clock)
		})
	}
}

// silent checks that no ring waits to be received.
func silent(t *testing.T, a alarm) {
	t.Helper()
	select {
	case <-a.C():
		t.Error("a ring that nobody set")
	default:
	}
}

func TestAlarmRingsOnceAndNotBeforeItsInstant(t *testing.T) {
	eachAlarm(t, func(t *testing.T, a alarm, clock record.Clock) {
		for range 20 {
			at := clock().Add(ms / 2)
			a.Set(at)
			<-a.C()
			if now := clock(); now < at {
				t.Errorf("rang %v early", at.Elapsed()-now.Elapsed())
			}
			silent(t, a)
		}
	})
}

func TestAlarmRingsAtOnceForWhatHasPassed(t *testing.T) {
	eachAlarm(t, func(t *testing.T, a alarm, clock record.Clock) {
		a.Set(clock().Add(time.Hour))
		for _, at := range []record.Instant{clock(), 1, clock().Add(-time.Hour)} {
			a.Set(at)
			<-a.C()
			silent(t, a)
		}
	})
}

func TestAlarmSetAgainRingsAtTheLastInstantOnly(t *testing.T) {
	eachAlarm(t, func(t *testing.T, a alarm, clock record.Clock) {
		for _, first := range []time.Duration{0, ms, time.Hour} { // passed, earlier, later
			a.Set(clock().Add(first))
			last := clock().Add(5 * ms)
			a.Set(last)
			<-a.C()
			if now := clock(); now < last {
				t.Errorf("after %v: rang %v early", first, last.Elapsed()-now.Elapsed())
			}
			silent(t, a)
		}
	})
}

func TestStoppedAlarmDoesNotRingUntilSetAgain(t *testing.T) {
	eachAlarm(t, func(t *testing.T, a alarm, clock record.Clock) {
		a.Stop()
		for _, stopped := range []time.Duration{0, ms, time.Hour} {
			a.Set(clock().Add(stopped))
			a.Stop()
			silent(t, a)
			next := clock().Add(5 * ms)
			a.Set(next)
			<-a.C()
			if now := clock(); now < next {
				t.Errorf("rang %v early, as the stopped one would have", next.Elapsed()-now.Elapsed())
			}
		}
	})
}

func TestAlarmIsClosedWhateverItsState(t *testing.T) {
	for name, create := range alarms {
		t.Run(name, func(t *testing.T) {
			clock := record.NewClock()
			for _, set := range []func(alarm){
				func(alarm) {},
				func(a alarm) { a.Set(clock().Add(time.Hour)) },
				func(a alarm) { a.Set(1) },
				alarm.Stop,
			} {
				a := create(clock)
				set(a)
				a.Close()
				silent(t, a)
			}
		})
	}
}

// In real time: every arrival of the timetable is taken up, and none before its time.
func TestOpenLoopInRealTime(t *testing.T) {
	for name, create := range alarms {
		t.Run(name, func(t *testing.T) {
			const arrivals = 200
			var jobs [arrivals]Job
			s := Setting{Mode: Open, Rate: 2000, Arrival: Poisson}
			pool := NewPool(record.NewClock(), 1, s, Budget{Requests: arrivals}, func(_ context.Context, job Job) {
				jobs[job.Seq-1] = job
			})
			pool.newAlarm = create
			if err := pool.Run(t.Context()); err != nil {
				t.Errorf("Run returned %v", err)
			}
			for i, job := range jobs {
				if job.Seq == 0 || job.Taken < job.Scheduled {
					t.Errorf("arrival %d: %+v", i+1, job)
				}
			}
		})
	}
}

// Most of a run is waiting for an arrival: here the first is due after 1000 s.
func TestRunThatWaitsForAnArrivalEndsAtOnce(t *testing.T) {
	why := errors.New("enough")
	for name, create := range alarms {
		for how, end := range map[string]func(*Pool, context.CancelCauseFunc){
			"cancel": func(_ *Pool, cancel context.CancelCauseFunc) { cancel(why) },
			"drain":  func(p *Pool, _ context.CancelCauseFunc) { p.Drain() },
		} {
			t.Run(name+"/"+how, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				pool := NewPool(record.NewClock(), 1, open(MinRate, 0), Budget{}, func(context.Context, Job) {
					t.Error("a request ran")
				})
				var hands sync.WaitGroup
				defer hands.Wait()
				pool.newAlarm = func(clock record.Clock) alarm {
					return telling{create(clock), func() { hands.Go(func() { end(pool, cancel) }) }}
				}
				want := error(nil)
				if how == "cancel" {
					want = why
				}
				if err := pool.Run(ctx); !errors.Is(err, want) {
					t.Errorf("Run returned %v, want %v", err, want)
				}
			})
		}
	}
}

// telling is an alarm that tells when it is set, which the dispatcher does under the pool's lock.
type telling struct {
	alarm
	onSet func()
}

func (a telling) Set(at record.Instant) {
	a.alarm.Set(at)
	a.onSet()
}
