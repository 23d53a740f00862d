// This file tests the open loop.

package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// schedules returns when the requests that have ended were scheduled, in order.
func (r *rig) schedules() []time.Duration {
	var all []time.Duration
	for _, s := range r.ended() {
		all = append(all, s.scheduled)
	}
	slices.Sort(all)
	return all
}

func TestConstantArrivalsAreExactAndOnTime(t *testing.T) {
	for _, rate := range []float64{0.5, 3, 10, 700} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, open(rate, 0), Budget{Requests: 2000}, 10*time.Second)
				if err := r.finish(); err != nil {
					t.Errorf("Run returned %v", err)
				}
				for _, s := range r.ended() {
					due := time.Duration(float64(s.seq)/rate*1e9 + 0.5)
					if off := s.scheduled - due; off < -1 || off > 1 || s.taken != s.scheduled {
						t.Fatalf("arrival %d: scheduled %v, taken %v, want %v", s.seq, s.scheduled, s.taken, due)
					}
				}
			})
		})
	}
}

// METRICS worked example 7: 8 arrivals at 10/s, cap 1, each served 500 ms.
func TestWaitingForASlotCountsFromTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, open(10, 1), Budget{Requests: 8}, 500*ms)
		r.wait(850 * ms)
		r.expect(State{InFlight: 1, Backlog: 6, Started: 2})
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v", err)
		}
		r.expect(State{Started: 8})
		var fromSchedule, longest, lag time.Duration
		for i, s := range r.ended() {
			if s.seq != uint64(i+1) || s.end-s.taken != 500*ms {
				t.Errorf("place %d: request %d, served in %v", i+1, s.seq, s.end-s.taken)
			}
			fromSchedule += s.end - s.scheduled
			longest = max(longest, s.end-s.scheduled)
			lag += s.taken - s.scheduled
		}
		if fromSchedule/8 != 1900*ms || longest != 3300*ms || lag/8 != 1400*ms {
			t.Errorf("from schedule: mean %v, max %v; dispatch lag: mean %v; want 1.9s, 3.3s, 1.4s",
				fromSchedule/8, longest, lag/8)
		}
	})
}

func TestRateChangeDrawsTheNextGapFromNowAndKeepsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, open(10, 1), Budget{}, 10*time.Second)
		r.wait(350 * ms) // arrivals at 100, 200, 300
		r.expect(State{InFlight: 1, Backlog: 2, Started: 1})
		r.pool.Set(open(4, 1)) // next at 600, 850
		r.expect(State{InFlight: 1, Backlog: 2, Started: 1})
		r.wait(500 * ms)
		r.expect(State{InFlight: 1, Backlog: 4, Started: 1})
		r.pool.Set(open(4, 0)) // no cap: what waits starts; the timetable goes on, so that the next is at 1100
		r.expect(State{InFlight: 5, Started: 5})
		r.wait(249 * ms)
		r.expect(State{InFlight: 5, Started: 5})
		r.wait(1 * ms)
		r.expect(State{InFlight: 6, Started: 6})
		r.pool.Drain()
		_ = r.finish()
		want := []time.Duration{100 * ms, 200 * ms, 300 * ms, 600 * ms, 850 * ms, 1100 * ms}
		if diff := cmp.Diff(want, r.schedules()); diff != "" {
			t.Errorf("schedule (-want +got):\n%s", diff)
		}
	})
}

func TestPausedArrivalsAreNotMadeUpFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, open(10, 1), Budget{}, 250*ms)
		r.wait(250 * ms) // arrivals at 100 and 200, which waits
		r.pool.Pause(true)
		r.wait(10 * time.Second)
		r.expect(State{Backlog: 1, Started: 1, Paused: true})
		r.pool.Pause(false) // at 10250: the one that waited starts; next arrivals at 10350, 10450
		r.expect(State{InFlight: 1, Started: 2})
		r.wait(225 * ms)
		r.expect(State{InFlight: 1, Backlog: 2, Started: 2})
		r.cancel(nil)
		_ = r.finish()
		r.expect(State{Started: 2, Dropped: 2})
	})
}

func TestDrainDropsWhatWaitsAndCountsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, open(100, 2), Budget{}, time.Second)
		r.wait(505 * ms)
		r.expect(State{InFlight: 2, Backlog: 48, Started: 2})
		r.pool.Drain()
		r.expect(State{InFlight: 2, Started: 2, Dropped: 48, Draining: true})
		if err := r.finish(); err != nil || r.clock().Elapsed() != 1020*ms {
			t.Errorf("Run returned %v after %v", err, r.clock().Elapsed())
		}
	})
}

func TestTimeBudgetOfAnOpenLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, open(10, 0), Budget{Duration: time.Second}, 50*ms)
		if err := r.finish(); err != nil || r.clock().Elapsed() != time.Second {
			t.Errorf("Run returned %v after %v", err, r.clock().Elapsed())
		}
		r.expect(State{Started: 9}) // an arrival at the very end lies outside
	})
}

func TestModeChangesMidRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(3), Budget{}, time.Second)
		r.wait(500 * ms)
		r.pool.Set(open(10, 4)) // arrivals at 600, 700, …: one slot is free until the three end at 1000
		r.wait(450 * ms)
		r.expect(State{InFlight: 4, Backlog: 3, Started: 4})
		r.wait(100 * ms) // 1050: 3 free slots were filled, and the arrival at 1000 waits
		r.expect(State{InFlight: 4, Backlog: 1, Started: 7})
		r.pool.Set(closed(5)) // the waiting arrival has no place in a closed loop
		r.expect(State{InFlight: 5, Started: 8, Dropped: 1})
		r.wait(time.Second)
		r.pool.Drain()
		_ = r.finish()
		var sequence []uint64
		for _, s := range r.ended() {
			if fromOpen := s.seq >= 4 && s.seq <= 7; fromOpen != (s.scheduled != 0) {
				t.Errorf("request %d: scheduled %v", s.seq, s.scheduled)
			}
			sequence = append(sequence, s.seq)
		}
		slices.Sort(sequence)
		if want := []uint64{1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14}; !cmp.Equal(sequence, want) {
			t.Errorf("numbers %v, want %v: the dropped arrival keeps its own", sequence, want)
		}
	})
}

func TestSameSeedSameArrivals(t *testing.T) {
	arrivals := func(seed uint64, service time.Duration) (all []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			r := &rig{t: t, clock: record.NewClock(), service: service}
			s := Setting{Mode: Open, Rate: 50, Arrival: Poisson, MaxInFlight: 8}
			_ = bubblePool(r.clock, seed, s, Budget{Requests: 200}, r.serve).Run(t.Context())
			all = r.schedules()
		})
		return all
	}
	first := arrivals(7, 10*ms)
	if len(first) != 200 {
		t.Fatalf("%d arrivals", len(first))
	}
	if diff := cmp.Diff(first, arrivals(7, 900*ms)); diff != "" {
		t.Errorf("arrivals depend on completions (-fast +slow):\n%s", diff)
	}
	if cmp.Equal(first, arrivals(8, 10*ms)) {
		t.Error("another seed gave the same arrivals")
	}
}

// Many hands at the knobs: whatever they do, each arrival is in one place, and every request ends. The race detector
// watches.
func TestKnobsFromManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		var r rig
		r.clock, r.service = record.NewClock(), 5*ms
		var pool *Pool
		pool = bubblePool(r.clock, 1, closed(1), Budget{}, func(ctx context.Context, job Job) {
			pool.Hold(ctx, r.clock().Add(time.Duration(job.Seq%4)*ms))
			r.serve(ctx, job)
		})
		tapes := []*tape{seconds(0, 0.001, 0.001, 0.004), seconds(0, 0.02)}
		var hands sync.WaitGroup
		for hand := range uint64(8) {
			hands.Go(func() {
				random := rand.New(rand.NewPCG(1, hand))
				for ctx.Err() == nil {
					s := Setting{MaxInFlight: random.IntN(20), Cancel: random.IntN(2) == 0}
					s.Ramp.Over = time.Duration(1 + random.IntN(int(100*ms)))
					s.Ramp.Kind = []RampKind{AtOnce, Linear, Exponential}[random.IntN(3)]
					switch random.IntN(5) {
					case 0:
						s.Mode, s.Concurrency = Closed, 1+random.IntN(20)
						pool.Set(s)
					case 1:
						s.Mode, s.Rate = Open, 1+5000*random.Float64()
						s.Arrival = []Arrival{Poisson, Gamma(2), Burst(9, 5*ms)}[random.IntN(3)]
						pool.Set(s)
					case 2:
						s.Mode, s.Timetable, s.Loop = Replay, tapes[random.IntN(2)], true
						s.Speed = 0.1 + 10*random.Float64()
						pool.Set(s)
					case 3:
						pool.Pause(random.IntN(2) == 0)
					case 4:
						s := pool.State()
						if s.InFlight < 0 || s.Backlog < 0 || s.InFlight > s.Started || s.Held < 0 || s.Held > s.InFlight {
							t.Errorf("state %+v", s)
						}
						if level, _ := pool.Level(); !(level >= 0) {
							t.Errorf("level %v", level)
						}
					}
					time.Sleep(time.Duration(random.IntN(int(20 * ms))))
				}
			})
		}
		_ = pool.Run(ctx)
		hands.Wait()
		s, ended := pool.State(), r.ended()
		last := slices.MaxFunc(ended, func(a, b served) int { return int(a.seq) - int(b.seq) }).seq
		if s.InFlight != 0 || s.Held != 0 || s.Backlog != 0 || len(ended) != s.Started {
			t.Errorf("state %+v, with %d requests ended", s, len(ended))
		}
		if uint64(s.Started+s.Dropped) < last || s.Started < 1000 || s.Dropped == 0 {
			t.Errorf("state %+v, with the last request being number %d", s, last)
		}
		if surplus := slices.IndexFunc(ended, func(s served) bool { return errors.Is(s.cause, ErrSurplus) }); surplus < 0 {
			t.Error("no request was surplus")
		}
		for i, tape := range tapes {
			if tape.opened == 0 || tape.opened != tape.closed {
				t.Errorf("recording %d was opened %d times, closed %d times", i+1, tape.opened, tape.closed)
			}
		}
	})
}
