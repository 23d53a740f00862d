// This file tests the waiting room.

package load

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// thought is how a request that was held came out.
type thought struct {
	Sent bool
	At   time.Duration
}

// thinking starts a closed loop of one request that is held until that time.
func thinking(t *testing.T, b Budget, until time.Duration) (r *rig, outcome <-chan thought) {
	outcomes := make(chan thought, 10)
	r = &rig{t: t, clock: record.NewClock(), result: make(chan error, 1)}
	var pool *Pool
	pool = bubblePool(r.clock, 1, closed(1), b, func(ctx context.Context, job Job) {
		if job.Seq > 1 {
			<-ctx.Done()
			return
		}
		sent := pool.Hold(ctx, at(until))
		outcomes <- thought{sent, r.clock().Elapsed()}
	})
	r.pool = pool
	ctx, cancel := context.WithCancelCause(t.Context())
	r.cancel = cancel
	go func() { r.result <- pool.Run(ctx) }()
	synctest.Wait()
	return r, outcomes
}

func TestHoldWaitsForItsInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, outcome := thinking(t, Budget{}, 3*time.Second)
		r.expect(State{InFlight: 1, Started: 1, Held: 1})
		if got, want := <-outcome, (thought{true, 3 * time.Second}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		r.expect(State{InFlight: 1, Started: 2})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestHoldThatIsDueDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := bubblePool(record.NewClock(), 1, closed(1), Budget{}, nil)
		for _, until := range []record.Instant{0, 1, at(-time.Hour)} {
			if !pool.Hold(t.Context(), until) {
				t.Errorf("not let go for %d", until)
			}
		}
		if allocations := testing.AllocsPerRun(100, func() { pool.Hold(t.Context(), 1) }); allocations != 0 {
			t.Errorf("%v allocations", allocations)
		}
	})
}

func TestHoldLastsThroughAPauseAndNoLonger(t *testing.T) {
	for name, c := range map[string]struct{ pause, resume, want time.Duration }{
		"that ends before": {1 * time.Second, 2 * time.Second, 3 * time.Second},
		"that ends after":  {1 * time.Second, 9 * time.Second, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, outcome := thinking(t, Budget{}, 3*time.Second)
				r.wait(c.pause)
				r.pool.Pause(true)
				r.wait(c.resume - c.pause)
				r.expect(State{InFlight: 1, Started: 1, Held: 1, Paused: true})
				r.pool.Pause(false)
				if got, want := <-outcome, (thought{true, c.want}); got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
				r.cancel(nil)
				_ = r.finish()
			})
		})
	}
}

func TestHoldThatIsDueWaitsForThePausesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := bubblePool(record.NewClock(), 1, closed(1), Budget{}, nil)
		pool.Pause(true)
		time.AfterFunc(time.Second, func() { pool.Pause(false) })
		begun := time.Now()
		if sent := pool.Hold(t.Context(), 1); !sent || time.Since(begun) != time.Second {
			t.Errorf("%v after %v", sent, time.Since(begun))
		}
	})
}

func TestHoldEndsUnsentAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		budget Budget
		end    func(*rig)
		want   thought
	}{
		"drain":                   {end: func(r *rig) { r.pool.Drain() }, want: thought{false, time.Second}},
		"cancel":                  {end: func(r *rig) { r.cancel(nil) }, want: thought{false, time.Second}},
		"time budget":             {budget: Budget{Duration: 2 * time.Second}, end: func(*rig) {}, want: thought{false, 2 * time.Second}},
		"drain in a pause":        {end: func(r *rig) { r.pool.Pause(true); r.pool.Drain() }, want: thought{false, time.Second}},
		"surplus that may finish": {end: func(r *rig) { r.pool.Set(Setting{Mode: Open, Rate: MinRate, Arrival: Constant}) }, want: thought{true, 3 * time.Second}},
		// It is one of those the budget was for.
		"budget of requests": {budget: Budget{Requests: 1}, end: func(*rig) {}, want: thought{true, 3 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, outcome := thinking(t, c.budget, 3*time.Second)
				r.wait(time.Second)
				c.end(r)
				if got := <-outcome; got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
				r.cancel(nil)
				_ = r.finish()
				if held := r.pool.State().Held; held != 0 {
					t.Errorf("%d are still held", held)
				}
			})
		})
	}
}

func TestManyAreHeldAndWokenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, clock: record.NewClock(), result: make(chan error, 1), service: time.Hour, cancel: func(error) {}}
		var pool *Pool
		sent := make(chan time.Duration, 1000)
		pool = bubblePool(r.clock, 1, closed(1000), Budget{Requests: 1000}, func(ctx context.Context, job Job) {
			if pool.Hold(ctx, at(time.Duration(job.Seq)*ms)) {
				sent <- r.clock().Elapsed()
			}
		})
		r.pool = pool
		go func() { r.result <- pool.Run(t.Context()) }()
		r.wait(500*ms + 1)
		r.expect(State{InFlight: 500, Held: 500, Started: 1000})
		pool.Pause(true)
		r.wait(time.Second)
		r.expect(State{InFlight: 500, Held: 500, Started: 1000, Paused: true})
		pool.Pause(false)
		_ = r.finish()
		close(sent)
		counts := map[bool]int{}
		for at := range sent {
			counts[at == 1500*ms+1]++
		}
		if diff := cmp.Diff(map[bool]int{false: 500, true: 500}, counts); diff != "" {
			t.Errorf("by whether the pause held them back (-want +got):\n%s", diff)
		}
	})
}

// A slot that rests after a failure keeps nobody waiting: it ends as soon as no request will follow in it.
func TestRestEndsWhenNothingFollows(t *testing.T) {
	for name, c := range map[string]struct {
		budget Budget
		end    func(*rig)
		want   time.Duration
	}{
		"its time":            {end: func(*rig) {}, want: 3 * time.Second},
		"a pause and its end": {end: func(r *rig) { r.pool.Pause(true); r.pool.Pause(false) }, want: 3 * time.Second},
		"drain":               {end: func(r *rig) { r.pool.Drain() }, want: time.Second},
		"cancel":              {end: func(r *rig) { r.cancel(nil) }, want: time.Second},
		"a spent budget":      {budget: Budget{Requests: 1}, end: func(*rig) {}, want: 0},
		"one that is spent by another": {
			budget: Budget{Requests: 2}, want: time.Second,
			end: func(r *rig) { r.pool.Set(closed(2)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &rig{t: t, clock: record.NewClock(), result: make(chan error, 1)}
				rested := make(chan time.Duration, 1)
				var pool *Pool
				pool = bubblePool(r.clock, 1, closed(1), c.budget, func(ctx context.Context, job Job) {
					if job.Seq > 1 {
						<-ctx.Done()
						return
					}
					pool.Rest(ctx, 3*time.Second)
					rested <- r.clock().Elapsed()
				})
				r.pool = pool
				ctx, cancel := context.WithCancelCause(t.Context())
				r.cancel = cancel
				go func() { r.result <- pool.Run(ctx) }()
				r.wait(time.Second)
				if held := pool.State().Held; held != 0 {
					t.Errorf("%d are held", held) // that is for requests which are to be sent
				}
				c.end(r)
				if got := <-rested; got != c.want {
					t.Errorf("rested for %v, want %v", got, c.want)
				}
				r.cancel(nil)
				_ = r.finish()
			})
		})
	}
}

// What arrives until an instant is left out and counted, and what comes later is sent at its time.
func TestShedLeavesOutWhatArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, clock: record.NewClock(), result: make(chan error, 1)}
		var scheduled []time.Duration
		r.pool = bubblePool(r.clock, 1, open(10, 0), Budget{Duration: 4 * time.Second}, func(_ context.Context, job Job) {
			scheduled = append(scheduled, job.Scheduled.Elapsed())
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		r.cancel = cancel
		go func() { r.result <- r.pool.Run(ctx) }()
		r.wait(1050 * time.Millisecond)
		r.pool.Shed(r.clock().Add(2 * time.Second))
		r.pool.Shed(r.clock().Add(time.Second)) // which is no less
		if err := r.finish(); err != nil {
			t.Error(err)
		}
		s := r.pool.State()
		if s.Started+s.Shed != 39 || s.Shed != 20 || len(scheduled) != s.Started || s.Dropped != 0 {
			t.Errorf("%+v, %d sent", s, len(scheduled))
		}
		for _, at := range scheduled {
			if at > 1050*time.Millisecond && at < 3050*time.Millisecond {
				t.Errorf("the arrival at %v was sent", at)
			}
		}
	})
}
