// This file tests the closed loop, and what holds for both loops: budgets, drain, cancellation, panics.

package load

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

func TestClosedLoopHoldsExactlyNInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(5), Budget{}, 100*ms)
		for turnover := range 20 {
			r.expect(State{InFlight: 5, Started: 5 * (turnover + 1)})
			r.wait(100 * ms)
		}
		r.pool.Drain()
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v after a drain", err)
		}
		for _, s := range r.ended() {
			if s.scheduled != 0 || s.end-s.taken != 100*ms || s.taken%(100*ms) != 0 {
				t.Errorf("request %d: scheduled %v, taken %v, ended %v", s.seq, s.scheduled, s.taken, s.end)
			}
		}
	})
}

func TestARequestCountsAsTakenUpWhenItsSlotWasFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := record.NewClock()
		var taken []time.Duration
		run := func(ctx context.Context, job Job) {
			taken = append(taken, job.Taken.Elapsed())
			time.Sleep(100 * ms)
			Freed(ctx, clock().Add(-2*ms)) // its end was noticed late
		}
		pool := bubblePool(clock, 1, closed(1), Budget{Requests: 4}, run)
		go func() {
			time.Sleep(250 * ms)
			pool.Pause(true)
			time.Sleep(250 * ms)
			pool.Pause(false)
		}()
		if err := pool.Run(t.Context()); err != nil {
			t.Error(err)
		}
		want := []time.Duration{0, 98 * ms, 198 * ms, 500 * ms} // what kept the last one was the pause
		if diff := cmp.Diff(want, taken); diff != "" {
			t.Error(diff)
		}
	})
}

func TestConcurrencyUpStartsAtOnceAndDownIsNotReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(2), Budget{}, 100*ms)
		r.wait(50 * ms)
		r.pool.Set(closed(6))
		r.expect(State{InFlight: 6, Started: 6})
		r.pool.Set(closed(3))
		r.expect(State{InFlight: 6, Started: 6}) // the surplus runs on
		r.wait(50 * ms)
		r.expect(State{InFlight: 4, Started: 6}) // the first two ended: still above three
		r.wait(50 * ms)
		r.expect(State{InFlight: 3, Started: 9})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestManyStartInMoreThanOneTurnButAtTheSameInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(1), Budget{}, time.Second)
		r.pool.Set(closed(3 * maxStartsPerTurn))
		r.expect(State{InFlight: 3 * maxStartsPerTurn, Started: 3 * maxStartsPerTurn})
		if now := r.clock().Elapsed(); now != 0 {
			t.Errorf("starting took %v", now)
		}
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestPauseStopsNewRequestsAndResumeStartsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(3), Budget{}, 100*ms)
		r.wait(50 * ms)
		r.pool.Pause(true)
		r.expect(State{InFlight: 3, Started: 3, Paused: true})
		r.wait(time.Hour)
		r.expect(State{Started: 3, Paused: true})
		r.pool.Set(closed(4)) // takes effect with the next request, which is after the pause
		r.expect(State{Started: 3, Paused: true})
		r.pool.Pause(false)
		r.expect(State{InFlight: 4, Started: 7})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestRequestBudgetLetsRunningRequestsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(4), Budget{Requests: 10}, 100*ms)
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v", err)
		}
		r.expect(State{Started: 10})
		if now := r.clock().Elapsed(); now != 300*ms {
			t.Errorf("ten requests, four at a time, took %v", now)
		}
		for i, s := range r.ended() {
			if s.cause != nil || i == 9 && s.end != 300*ms {
				t.Errorf("request %d: ended at %v, cancelled by %v", s.seq, s.end, s.cause)
			}
		}
	})
}

func TestTimeBudgetCancelsRunningRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(2), Budget{Duration: 250 * ms}, 100*ms)
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v", err)
		}
		r.expect(State{Started: 6})
		for i, s := range r.ended() {
			cut := i >= 4
			if cut != errors.Is(s.cause, ErrTimeUp) || cut && s.end != 250*ms {
				t.Errorf("request %d: ended at %v, cancelled by %v", s.seq, s.end, s.cause)
			}
		}
	})
}

func TestTimeBudgetEndsARunThatIsPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(1), Budget{Duration: time.Second}, 100*ms)
		r.pool.Pause(true)
		if err := r.finish(); err != nil || r.clock().Elapsed() != time.Second {
			t.Errorf("Run returned %v after %v", err, r.clock().Elapsed())
		}
	})
}

func TestBudgetsThatLimitNothing(t *testing.T) {
	for name, b := range map[string]Budget{
		"zero": {}, "negative": {Duration: -1, Requests: -1}, "beyond the clock": {Duration: math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, closed(1), b, time.Second)
				r.wait(1000*time.Second + ms)
				r.expect(State{InFlight: 1, Started: 1001})
				r.cancel(nil)
				_ = r.finish()
			})
		})
	}
}

func TestDrainWaitsForTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(3), Budget{}, 100*ms)
		r.wait(30 * ms)
		r.pool.Drain()
		r.expect(State{InFlight: 3, Started: 3, Draining: true})
		r.pool.Set(closed(9))
		r.expect(State{InFlight: 3, Started: 3, Draining: true})
		if err := r.finish(); err != nil || r.clock().Elapsed() != 100*ms {
			t.Errorf("Run returned %v after %v", err, r.clock().Elapsed())
		}
		r.expect(State{Started: 3, Draining: true})
	})
}

func TestCancelWaitsForEveryRunner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		pool := bubblePool(record.NewClock(), 1, closed(7), Budget{}, func(ctx context.Context, job Job) {
			<-ctx.Done()
			time.Sleep(time.Second + time.Duration(job.Seq)*ms) // a Runner that needs its time to end
		})
		time.AfterFunc(time.Minute, func() { cancel(why) })
		begun := time.Now()
		if err := pool.Run(ctx); !errors.Is(err, why) {
			t.Errorf("Run returned %v, want the cause of the cancellation", err)
		}
		if took := time.Since(begun); took != time.Minute+time.Second+7*ms {
			t.Errorf("Run returned after %v", took)
		}
		if got, want := pool.State(), (State{Started: 7}); got != want {
			t.Errorf("state %+v, want %+v", got, want)
		}
	})
}

func TestContextThatHasEndedStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pool := NewPool(record.NewClock(), 1, closed(1), Budget{}, func(context.Context, Job) { t.Error("a request ran") })
	if err := pool.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v", err)
	}
}

func TestPanicStopsThePoolAndKeepsItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("broken")
		var cancelled atomic.Int32
		pool := bubblePool(record.NewClock(), 1, closed(1), Budget{}, nil)
		pool.run = func(ctx context.Context, job Job) {
			switch job.Seq {
			case 1:
				pool.Set(closed(3)) // a Runner may call its pool
				time.Sleep(time.Second)
			case 2:
				time.Sleep(100 * ms)
				panicHere(cause)
			}
			<-ctx.Done()
			cancelled.Add(1)
			if job.Seq == 3 {
				panic("a second one, which must not hide the first")
			}
		}
		err := pool.Run(t.Context())
		var failure *PanicError
		if !errors.As(err, &failure) {
			t.Fatalf("Run returned %v", err)
		}
		if failure.Job.Seq != 2 || !errors.Is(err, cause) || !strings.Contains(string(failure.Stack), "panicHere") {
			t.Errorf("%v, from job %+v, stack:\n%s", err, failure.Job, failure.Stack)
		}
		if !strings.Contains(err.Error(), "broken") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("message %q", err)
		}
		if n := cancelled.Load(); n != 2 {
			t.Errorf("%d of 2 other requests were cancelled", n)
		}
	})
}

func panicHere(value any) { panic(value) }

func TestPanicOutranksCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		pool := bubblePool(record.NewClock(), 1, closed(1), Budget{}, func(ctx context.Context, _ Job) {
			<-ctx.Done()
			panicHere("while stopping")
		})
		var failure *PanicError
		if err := pool.Run(ctx); !errors.As(err, &failure) {
			t.Errorf("Run returned %v", err)
		}
	})
}

func TestRunRefusesASecondRunAndAnInvalidSetting(t *testing.T) {
	pool := NewPool(record.NewClock(), 1, closed(1), Budget{Requests: 1}, func(context.Context, Job) {})
	if err := pool.Run(t.Context()); err != nil {
		t.Errorf("the first run returned %v", err)
	}
	if err := pool.Run(t.Context()); err == nil {
		t.Error("a second run was let happen")
	}
	pool = NewPool(record.NewClock(), 1, closed(0), Budget{}, func(context.Context, Job) { t.Error("a request ran") })
	if err := pool.Run(t.Context()); err == nil {
		t.Error("a setting that is not valid was run")
	}
}

func TestOrdersBeforeAndAfterTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := bubblePool(record.NewClock(), 1, closed(1), Budget{}, func(context.Context, Job) { time.Sleep(ms) })
		pool.Set(closed(4))
		pool.Set(closed(-1)) // refused: changes nothing
		time.AfterFunc(ms/2, pool.Drain)
		if err := pool.Run(t.Context()); err != nil {
			t.Errorf("Run returned %v", err)
		}
		pool.Set(closed(2))
		pool.Pause(true)
		pool.Drain()
		if got, want := pool.State(), (State{Started: 4, Paused: true, Draining: true}); got != want {
			t.Errorf("state %+v, want %+v", got, want)
		}
	})
}

func TestRunnerThatEndsItsGoroutineIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var skipped Runner = func(context.Context, Job) { runtime.Goexit() }
		if err := bubblePool(record.NewClock(), 1, closed(2), Budget{Requests: 5}, skipped).Run(t.Context()); err != nil {
			t.Errorf("Run returned %v", err)
		}
	})
}
