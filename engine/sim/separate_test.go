package sim

import (
	"testing"
	"testing/synctest"
	"time"
)

// separate is a profile of two GPUs whose steps last 10 ms, and in which prompts of four tokens are 100 ms on their way.
func separate() Profile {
	p := steady()
	p.Separate = true
	p.KVTokenKiB = 1
	p.TransferGBs = 4 * 1024 / 0.1 / 1e9
	return p
}

// TestKeysAndValuesAreOnTheirWay has the first token come when they have arrived, and the others a step apart.
func TestKeysAndValuesAreOnTheirWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(separate(), time.Second)
		defer e.stop()
		sent := time.Now()
		s := e.submit(order(4, 5), nil)
		time.Sleep(50 * time.Millisecond)
		if c := e.counters(); c.Received != 1 || c.Waiting != 1 || c.Running != 0 || c.Finished != 0 {
			t.Errorf("on its way, it is %+v", c)
		}
		for i := range 5 {
			if _, err := s.next(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			want := 110*time.Millisecond + time.Duration(i)*10*time.Millisecond
			if got := time.Since(sent).Round(time.Microsecond); got != want {
				t.Errorf("token %d came after %v, want %v", i, got, want)
			}
		}
		synctest.Wait()
		if c := e.counters(); c.Received != 1 || c.Finished != 1 || c.PromptTokens != 4 || c.GenerationTokens != 5 || c.Waiting+c.Running != 0 {
			t.Errorf("in the end it is %+v", c)
		}
	})
}

// TestNoPromptStallsDecode sends a long prompt while another request generates: its gaps stay a step where prefill is
// separate, and one is longer where it is not.
func TestNoPromptStallsDecode(t *testing.T) {
	longest := func(p Profile) (gap time.Duration) {
		p.PrefillTokensPerSecond = 100 // 50 tokens take half a second
		p.KVBlocks, p.MaxBatchedTokens = 100, 100
		synctest.Test(t, func(t *testing.T) {
			e := startEngine(p, time.Second)
			defer e.stop()
			s := e.submit(order(4, 30), nil)
			last := time.Time{}
			for i := range 30 {
				if i == 10 {
					e.submit(order(50, 2), nil)
				}
				if _, err := s.next(t.Context(), i); err != nil {
					t.Fatal(err)
				}
				if now := time.Now(); i > 0 {
					gap = max(gap, now.Sub(last))
				}
				last = time.Now()
			}
		})
		return gap
	}
	if gap := longest(separate()).Round(time.Microsecond); gap != 10*time.Millisecond {
		t.Errorf("separate, the longest gap is %v", gap)
	}
	if gap := longest(steady()); gap < 100*time.Millisecond {
		t.Errorf("in one, the longest gap is %v: nothing would be stalled anyway", gap)
	}
}

// TestWhoLeavesOnTheWayIsCancelled has a client go away while keys and values are on their way.
func TestWhoLeavesOnTheWayIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(separate(), time.Second)
		defer e.stop()
		s := e.submit(order(4, 5), nil)
		time.Sleep(50 * time.Millisecond)
		e.cancel(s)
		time.Sleep(time.Second)
		if c := e.counters(); c.Received != 1 || c.Cancelled != 1 || c.Finished != 0 || c.Waiting+c.Running != 0 {
			t.Errorf("it is %+v", c)
		}
	})
}

// TestReplicasShareTheRequests has two GPUs take one request each.
func TestReplicasShareTheRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steady()
		p.GPUs = 2
		e := startEngine(p, time.Second)
		defer e.stop()
		for range 2 {
			e.submit(order(4, 50), nil)
		}
		time.Sleep(55 * time.Millisecond)
		for i, w := range e.gpus {
			e.mu.Lock()
			if n := w.model.present(); n != 1 {
				t.Errorf("GPU %d has %d requests", i, n)
			}
			e.mu.Unlock()
		}
	})
}
