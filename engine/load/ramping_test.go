// This file tests what ramps do to the load, and what becomes of its surplus.

package load

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// over adds a linear ramp to a setting.
func over(d time.Duration, s Setting) Setting {
	s.Ramp = Ramp{Linear, d}
	return s
}

// expectLevel checks the pool's level.
func (r *rig) expectLevel(want float64, ramping bool) {
	r.t.Helper()
	synctest.Wait()
	if level, moving := r.pool.Level(); !near(level, want, want) || moving != ramping {
		r.t.Errorf("after %v: level %v, ramping %v; want %v, %v", r.clock().Elapsed(), level, moving, want, ramping)
	}
}

// takenAt returns when the requests that have ended were taken up, in order.
func (r *rig) takenAt() []time.Duration {
	var all []time.Duration
	for _, s := range r.ended() {
		all = append(all, s.taken)
	}
	slices.Sort(all)
	return all
}

func TestConcurrencyRampsUpFromOneInWholeSteps(t *testing.T) {
	for kind, want := range map[RampKind][]time.Duration{
		Linear:      {0, 1 * time.Second, 2 * time.Second, 3 * time.Second},
		Exponential: {0, 1500 * ms, 2377443752, 3 * time.Second}, // 3 s · log₄ of 2, 3 and 4
	} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := closed(4)
				s.Ramp = Ramp{kind, 3 * time.Second}
				r := start(t, s, Budget{}, time.Hour)
				r.expectLevel(1, true)
				r.wait(1499 * ms)
				r.expectLevel(map[RampKind]float64{Linear: 2, Exponential: 1}[kind], true)
				r.wait(1501 * ms)
				r.expect(State{InFlight: 4, Started: 4})
				r.expectLevel(4, false)
				r.cancel(nil)
				_ = r.finish()
				if diff := cmp.Diff(want, r.takenAt()); diff != "" {
					t.Errorf("starts (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestConcurrencyRampsFromWhereTheLevelIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(2), Budget{}, 100*time.Second)
		synctest.Wait()
		r.pool.Set(over(8*time.Second, closed(10)))
		r.wait(3500 * ms)
		r.expectLevel(5, true)
		r.expect(State{InFlight: 5, Started: 5})
		r.pool.Set(over(1*time.Second, closed(7))) // from 5.5: 6 after a third of a second
		r.wait(333 * ms)
		r.expectLevel(5, true)
		r.wait(1 * ms)
		r.expectLevel(6, true)
		r.wait(700 * ms)
		r.expectLevel(7, false)
		r.expect(State{InFlight: 7, Started: 7})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestOtherKnobsLeaveARampAloneAndNoRampEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(1), Budget{}, time.Hour)
		synctest.Wait()
		r.pool.Set(over(10*time.Second, closed(11)))
		r.wait(2 * time.Second)
		s := over(time.Second, closed(11)) // for the next change only
		s.Rate = 3
		r.pool.Set(s)
		r.wait(2 * time.Second)
		r.expectLevel(5, true)
		r.pool.Set(closed(11))
		r.expectLevel(11, false)
		r.expect(State{InFlight: 11, Started: 11})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestRampGoesOnThroughAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, over(9*time.Second, closed(10)), Budget{}, time.Hour)
		r.wait(1500 * ms)
		r.pool.Pause(true)
		r.wait(4 * time.Second)
		r.expect(State{InFlight: 2, Started: 2, Paused: true})
		r.expectLevel(6, true)
		r.pool.Pause(false)
		r.expect(State{InFlight: 6, Started: 6})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestSurplusOfADownwardRampIsNotReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(4), Budget{}, time.Second)
		r.wait(500 * ms)
		r.pool.Set(over(3*time.Second, closed(1))) // 3 from 1.5 s on, 2 from 2.5 s, 1 from 3.5 s
		for i, want := range []int{4, 3, 2, 1} {
			r.wait(900 * ms)
			if got := r.pool.State().InFlight; got != want {
				t.Errorf("turnover %d: %d in flight, want %d", i+1, got, want)
			}
			r.wait(100 * ms)
		}
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestDownwardRampCancelsItsSurplusStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(4), Budget{}, time.Hour)
		synctest.Wait()
		s := over(3*time.Second, closed(1))
		s.Cancel = true
		r.pool.Set(s)
		for _, want := range []int{4, 3, 2, 1} {
			r.expect(State{InFlight: want, Started: 4})
			r.wait(time.Second)
		}
		r.cancel(nil)
		_ = r.finish()
		for i, got := range r.ended()[:3] {
			want := served{seq: uint64(4 - i), end: time.Duration(i+1) * time.Second, cause: ErrSurplus}
			if got.seq != want.seq || got.end != want.end || !errors.Is(got.cause, ErrSurplus) {
				t.Errorf("place %d: %+v, want %+v", i+1, got, want)
			}
		}
	})
}

func TestSurplusIsCancelledYoungestFirst(t *testing.T) {
	for name, less := range map[string]Setting{
		"concurrency": {Mode: Closed, Concurrency: 3, Cancel: true},
		"cap":         {Mode: Open, Rate: MinRate, Arrival: Constant, MaxInFlight: 3, Cancel: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, closed(4), Budget{}, 10*time.Second)
				r.wait(10 * time.Second)
				r.pool.Set(closed(6)) // numbers 5 to 8 in slots that were used before, 9 and 10 in new ones
				r.wait(time.Second)
				r.pool.Set(less)
				r.expect(State{InFlight: 3, Started: 10})
				r.cancel(nil)
				_ = r.finish()
				for _, s := range r.ended()[4:] {
					if surplus := errors.Is(s.cause, ErrSurplus); surplus != (s.seq > 7) {
						t.Errorf("request %d ended for %v", s.seq, s.cause)
					}
				}
			})
		})
	}
}

func TestSurplusThatTakesItsTimeIsCancelledOnceAndCountsUntilItEnds(t *testing.T) {
	d, _, jobs := byHand(closed(5), Budget{})
	d.turn(t.Context(), at(0))
	s := closed(2)
	s.Cancel = true
	d.pool.Set(s)
	d.turn(t.Context(), at(ms))
	d.turn(t.Context(), at(2*ms))
	if d.inFlight.leaving != 3 || d.pool.state.InFlight != 5 || d.surplus() != 0 {
		t.Errorf("%d of %d in flight are leaving", d.inFlight.leaving, d.pool.state.InFlight)
	}
	s.Concurrency = 4
	d.pool.Set(s)
	d.turn(t.Context(), at(3*ms))
	if len(*jobs) != 5 {
		t.Errorf("%d started, with the place of the surplus not free yet", len(*jobs))
	}
}

func TestMuchSurplusIsCancelledInMoreThanOneTurnButAtTheSameInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(3*maxStartsPerTurn), Budget{}, time.Hour)
		synctest.Wait()
		s := closed(1)
		s.Cancel = true
		r.pool.Set(s)
		r.expect(State{InFlight: 1, Started: 3 * maxStartsPerTurn})
		r.cancel(nil)
		_ = r.finish()
	})
}

func TestDrainLetsTheSurplusFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, closed(3), Budget{}, time.Second)
		synctest.Wait()
		r.pool.Drain()
		s := closed(1)
		s.Cancel = true
		r.pool.Set(s)
		r.expect(State{InFlight: 3, Started: 3, Draining: true})
		_ = r.finish()
	})
}

// Equal gaps in nominal time: the n-th arrival is due where the integral of the rate is n.
func TestRateRampPutsArrivalsWhereTheIntegralOfTheRateHasThem(t *testing.T) {
	for kind, integral := range map[RampKind]func(seconds float64) float64{
		Linear:      func(t float64) float64 { return 10*t + 20*t*t/8 },                           // 10 → 30 over 4 s: 80 arrivals
		Exponential: func(t float64) float64 { return 40 / math.Log(3) * (math.Pow(3, t/4) - 1) }, // 72.8 arrivals
	} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, open(10, 0), Budget{Requests: 110}, ms)
				r.wait(time.Second) // ten arrivals
				s := open(30, 0)
				s.Ramp = Ramp{kind, 4 * time.Second}
				r.pool.Set(s)
				r.wait(2 * time.Second)
				r.expectLevel(map[RampKind]float64{Linear: 20, Exponential: 10 * math.Sqrt(3)}[kind], true)
				r.wait(2 * time.Second)
				r.expectLevel(30, false)
				_ = r.finish()
				for i, scheduled := range r.schedules()[10:] {
					seconds := (scheduled - time.Second).Seconds()
					n := integral(min(seconds, 4)) + 30*max(0, seconds-4)
					if math.Abs(n-float64(i+1)) > 1e-6 {
						t.Fatalf("arrival %d of the ramp is due at %v, where the integral is %v", i+1, scheduled, n)
					}
				}
			})
		})
	}
}

// Over many seeds, the arrivals of an upward ramp are as many as the integral of the rate says, in each third of it.
func TestRandomArrivalsOfARampAreAsManyAsTheIntegralOfTheRate(t *testing.T) {
	const seeds, length = 400, 30 * time.Second
	for _, c := range []struct {
		arrival  Arrival
		from, to float64
		spread   float64 // of a count, over that of a Poisson count: the coefficient of variation
	}{{Poisson, 2, 20, 1}, {Poisson, 20, 2, 1}, {Gamma(0.5), 2, 20, 0.5}} {
		t.Run(fmt.Sprint(c.arrival, c.from, c.to), func(t *testing.T) {
			var counts [3]float64
			for seed := range uint64(seeds) {
				s := schedule{random: rand.New(rand.NewPCG(seed, 1))}
				s.open(at(0), c.arrival, newSlope(Ramp{Linear, length}, at(0), c.from, c.to))
				for ; s.next < at(length); s.advance() {
					counts[s.next.Elapsed()*3/length]++
				}
			}
			for third, got := range counts {
				middle := c.from + (c.to-c.from)*(float64(third)+0.5)/3
				want := middle * length.Seconds() / 3 * seeds
				// A process that begins with a whole gap, not in the midst of one, has up to (1−cv²)/2 arrivals less.
				if off := math.Abs(got - want); off > 4*c.spread*math.Sqrt(want)+(1-c.spread)*seeds/2 {
					t.Errorf("third %d: %v arrivals, want %v", third+1, got, want)
				}
			}
		})
	}
}

func TestRateRampsFromOneOrFromTheTargetWhereThatIsLower(t *testing.T) {
	for rate, from := range map[float64]float64{9: 1, 0.5: 0.5} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, over(8*time.Second, open(rate, 0)), Budget{}, ms)
			r.expectLevel(from, from != rate)
			r.wait(4 * time.Second)
			r.expectLevel((from+rate)/2, from != rate)
			r.pool.Set(over(4*time.Second, closed(3))) // another mode: from one again
			r.expectLevel(1, true)
			r.wait(4 * time.Second)
			r.expectLevel(3, false)
			r.cancel(nil)
			_ = r.finish()
		})
	}
}

// The gap is drawn anew, from where the ramp is.
func TestInterruptedArrivalsGoOnWithTheRamp(t *testing.T) {
	for name, interrupt := range map[string]func(*Pool, Setting){
		"pause": func(p *Pool, _ Setting) { p.Pause(true); synctest.Wait(); p.Pause(false) },
		"arrival process": func(p *Pool, s Setting) {
			s.Arrival = Gamma(2)
			p.Set(s)
			synctest.Wait()
			s.Arrival = Constant
			p.Set(s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := over(9*time.Second, open(10, 0)) // 1 → 10: as much a second
				r := start(t, s, Budget{}, 0)
				r.wait(3 * time.Second)
				before := len(r.ended())
				interrupt(r.pool, s)
				r.wait(3 * time.Second)
				r.expectLevel(7, true)
				for i, scheduled := range r.schedules()[before:] {
					seconds := (scheduled - 3*time.Second).Seconds()
					if n := 4*seconds + seconds*seconds/2; math.Abs(n-float64(i+1)) > 1e-6 {
						t.Fatalf("arrival %d is due at %v, where the integral is %v", i+1, scheduled, n)
					}
				}
				r.cancel(nil)
				_ = r.finish()
			})
		})
	}
}

func TestBurstsComeTogetherAndCanBeChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Setting{Mode: Open, Arrival: Burst(3, 2*time.Second)}
		r := start(t, s, Budget{Requests: 10}, ms)
		r.wait(5 * time.Second) // at 2 and 4
		r.expectLevel(1.5, false)
		r.pool.Set(s.AtLevel(6)) // every half second from now
		_ = r.finish()
		want := []time.Duration{2000, 2000, 2000, 4000, 4000, 4000, 5500, 5500, 5500, 6000}
		for i := range want {
			want[i] *= ms
		}
		if diff := cmp.Diff(want, r.schedules()); diff != "" {
			t.Errorf("schedule (-want +got):\n%s", diff)
		}
	})
}

// Ramps came later than seeds: without one, arrivals are what they have always been, the seed's gaps in a row.
func TestArrivalsWithoutARampAreTheSeedsGaps(t *testing.T) {
	const rate = 37.5
	d, _, jobs := byHand(Setting{Mode: Open, Rate: rate, Arrival: Poisson}, Budget{})
	d.turn(t.Context(), at(0))
	d.turn(t.Context(), at(time.Minute))
	random, sum := rand.New(rand.NewPCG(1, arrivalStream)), 0.0
	for range maxStartsPerTurn {
		d.turn(t.Context(), at(time.Minute))
	}
	if len(*jobs) < 2000 {
		t.Errorf("%d arrivals", len(*jobs))
	}
	for i, job := range *jobs {
		sum += random.ExpFloat64() * (1e9 / rate)
		if want := at(time.Duration(math.Round(sum))); job.Scheduled != want {
			t.Fatalf("arrival %d: %v, want %v", i+1, job.Scheduled, want)
		}
	}
}

func TestLevelBeforeAndAfterARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := bubblePool(record.NewClock(), 1, closed(3), Budget{Requests: 3}, (&rig{clock: record.NewClock()}).serve)
		if level, ramping := pool.Level(); level != 0 || ramping {
			t.Errorf("before: %v, %v", level, ramping)
		}
		_ = pool.Run(t.Context())
		if level, ramping := pool.Level(); level != 3 || ramping {
			t.Errorf("after: %v, %v", level, ramping)
		}
	})
}
