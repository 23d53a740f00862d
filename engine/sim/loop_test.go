// Tests of the loop in fake time: when tokens come, and that idling is idle.

package sim

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// steady is a profile whose every step lasts 10 ms.
func steady() Profile {
	p := tiny()
	p.StepBase, p.StepPerSeq, p.StepPerKVToken, p.PrefillTokensPerSecond = 10*time.Millisecond, 0, 0, 1e12
	return p
}

func order(prompt, output int) *generation {
	return &generation{prompt: make([]uint32, prompt), output: output}
}

func TestScheduleMakesGoodForLateness(t *testing.T) {
	start := time.Unix(100, 0)
	const cost = 10 * time.Millisecond
	var s schedule
	s.restart(start)
	for i := 1; i <= 1000; i++ {
		late := time.Duration(i%7) * time.Millisecond // the timer comes back late, never twice by the same
		if got, want := s.next(cost, start.Add(time.Duration(i-1)*cost+late)), start.Add(time.Duration(i)*cost); got != want {
			t.Fatalf("step %d is due at %v, want %v", i, got.Sub(start), want.Sub(start))
		}
	}
	now := start.Add(1001*cost + maxLag)
	if got := s.next(cost, now); got != start.Add(1001*cost) {
		t.Errorf("%v behind, the most that is made good, the step is due at %v", maxLag, got.Sub(start))
	}
	now = start.Add(time.Hour)
	if got := s.next(cost, now); got != now {
		t.Errorf("after an hour's stop the step is due at %v, want now: no burst", got.Sub(start))
	}
}

func TestTokensComeOnAnAbsoluteSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(steady(), time.Second)
		defer e.stop()
		time.Sleep(time.Hour) // idle: the schedule begins with the request, not with the engine
		sent := time.Now()
		s := e.submit(order(4, 30), nil)
		for i := range 30 {
			n, err := s.next(t.Context(), i)
			if err != nil || n != i+1 {
				t.Fatalf("after %d tokens: %d, %v", i, n, err)
			}
			if got, want := time.Since(sent), time.Duration(i+1)*10*time.Millisecond; got != want {
				t.Errorf("token %d came after %v, want %v", i, got, want)
			}
		}
		if c := e.counters(); c.Finished != 1 || c.GenerationTokens != 30 || c.Running != 0 {
			t.Errorf("%+v", c)
		}
	})
}

func TestArrivalJoinsAtTheNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(steady(), time.Second)
		defer e.stop()
		e.submit(order(4, 10), nil)
		time.Sleep(13 * time.Millisecond) // three milliseconds into the second step
		sent := time.Now()
		if _, err := e.submit(order(4, 10), nil).next(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(sent); got != 17*time.Millisecond {
			t.Errorf("the first token came after %v, want 7 ms of waiting and a step of 10", got)
		}
	})
}

func TestSleepingReaderFindsEveryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(steady(), time.Second)
		defer e.stop()
		s := e.submit(order(4, 30), nil)
		time.Sleep(time.Minute)
		if n, err := s.next(t.Context(), 0); n != 30 || err != nil {
			t.Errorf("%d tokens, %v; want all 30 at once", n, err)
		}
	})
}

func TestNextEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(steady(), time.Second)
		defer e.stop()
		s := e.submit(order(4, 50), nil)
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Millisecond)
		defer cancel()
		if n, err := s.next(ctx, 40); n != 40 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
		e.cancel(s)
		synctest.Wait()
		time.Sleep(10 * time.Millisecond) // to the end of the step under way
		synctest.Wait()
		if c := e.counters(); c.Cancelled != 1 || c.Running != 0 || c.GenerationTokens != 2 {
			t.Errorf("%+v", c)
		}
	})
}

func TestTimingsAreThoseOfTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steady()
		p.MaxNumSeqs = 1
		e := startEngine(p, time.Second)
		defer e.stop()
		first, second := e.submit(order(4, 5), nil), e.submit(order(4, 5), nil)
		for _, s := range []*stream{first, second} {
			if _, err := s.next(t.Context(), 4); err != nil {
				t.Fatal(err)
			}
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, c := range []struct {
			name  string
			h     *histogram
			sum   float64
			total int64
		}{
			{"queue", &e.times.queue, 0.050, 2},
			{"first token", &e.times.firstToken, 0.010 + 0.060, 2},
			{"between tokens", &e.times.interToken, 0.080, 8},
			{"per token of a request", &e.times.timePerToken, 0.020, 2},
			{"end to end", &e.times.endToEnd, 0.050 + 0.100, 2},
		} {
			if diff := c.h.sum - c.sum; diff > 1e-9 || diff < -1e-9 || c.h.total != c.total {
				t.Errorf("%s: %d observations of %.3f s, want %d of %.3f s", c.name, c.h.total, c.h.sum, c.total, c.sum)
			}
		}
	})
}
