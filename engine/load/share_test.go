// This file tests loads that several pools make together.

package load

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/record"
)

// together starts pools that make one load, with a process of which each has its part.
func together(t *testing.T, n int, s Setting, of func(which int) *Process) []*rig {
	t.Helper()
	clock := record.NewClock()
	rigs := make([]*rig, n)
	for i := range rigs {
		r := start(t, s, Budget{}, time.Millisecond)
		r.clock = clock
		r.pool.Join(new(Numbers), uint64(i))
		r.pool.Share(s, false, of(i))
		rigs[i] = r
	}
	return rigs
}

// part is a process with the arrivals of one of n pools.
func part(p Process, which, n int) *Process {
	p.Mine = make([]bool, n)
	p.Mine[which] = true
	return &p
}

// What the pools start together is the process, arrival for arrival: before and after it was changed and one of them left.
func TestPoolsTogetherMakeOneProcess(t *testing.T) {
	for _, arrival := range []Arrival{Poisson, Constant, "gamma:2"} {
		synctest.Test(t, func(t *testing.T) {
			const seed, n = 1, 3
			slow := Setting{Mode: Open, Rate: 200, Arrival: arrival}
			fast := slow
			fast.Rate = 900
			fast.Ramp = Ramp{Linear, 2 * time.Second}
			begin := record.Instant(50 * ms)
			first := Process{Number: 1, Begin: begin, First: 1}
			rigs := together(t, n, slow, func(which int) *Process { return part(first, which, n) })
			time.Sleep(5 * time.Second)
			second := Process{Number: 2, Begin: begin.Add(5100 * ms), First: 5000, Level: 200}
			for i, r := range rigs[:n-1] { // the last one leaves
				r.pool.Share(fast, false, part(second, i, n-1))
			}
			rigs[n-1].pool.Share(fast, false, &Process{Number: 2, Begin: second.Begin, First: 5000, Level: 200})
			time.Sleep(10 * time.Second)
			for _, r := range rigs {
				r.pool.Drain()
			}
			var all []served
			for _, r := range rigs {
				if err := r.finish(); err != nil {
					t.Fatal(err)
				}
				all = append(all, r.ended()...)
			}
			slices.SortFunc(all, func(a, b served) int { return cmp.Compare(a.seq, b.seq) })
			var want []served
			draw := func(s Setting, p Process, until record.Instant) {
				for a := NewArrivals(seed, s, &p); len(want) < len(all); {
					number, due := a.Next()
					if due >= until {
						return
					}
					want = append(want, served{seq: number, scheduled: due.Elapsed()})
				}
			}
			draw(slow, first, second.Begin)
			if got := NewArrivals(seed, slow, &first).Until(second.Begin); got != want[len(want)-1].seq+1 {
				t.Errorf("%s: until the change there are %d arrivals, counted %d", arrival, want[len(want)-1].seq, got-1)
			}
			draw(fast, second, math.MaxInt64)
			if len(all) < 5000 {
				t.Fatalf("%s: %d arrivals", arrival, len(all))
			}
			for i := range all {
				if all[i].seq != want[i].seq || all[i].scheduled != want[i].scheduled {
					t.Fatalf("%s: arrival %d is number %d at %v, want %d at %v", arrival, i, all[i].seq, all[i].scheduled, want[i].seq, want[i].scheduled)
				}
			}
		})
	}
}

func TestAProcessEndsWithItsLastArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rigs := together(t, 2, open(100, 0), func(which int) *Process {
			return part(Process{Number: 1, Begin: 1, First: 11, Last: 30}, which, 2)
		})
		time.Sleep(time.Second)
		synctest.Wait()
		for _, r := range rigs {
			r.expect(State{Started: 10})
			r.pool.Drain()
			if err := r.finish(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A closed loop gives its requests the numbers that it was handed, and waits for more.
func TestAClosedLoopTakesTheNumbersThatItWasHanded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := together(t, 1, closed(2), func(int) *Process { return nil })[0]
		r.wait(10 * ms)
		r.expect(State{})
		r.pool.numbers.Add(7, 9)
		r.pool.numbers.Add(20, 20)
		r.wait(10 * ms)
		r.expect(State{Started: 4})
		r.pool.Drain()
		if err := r.finish(); err != nil {
			t.Error(err)
		}
		var got []uint64
		for _, s := range r.ended() {
			got = append(got, s.seq)
		}
		if slices.Sort(got); !slices.Equal(got, []uint64{7, 8, 9, 20}) {
			t.Errorf("requests have the numbers %v", got)
		}
	})
}
