// Polling, in fake time.

package scrape

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/server"
	"tokdyno/gpu/optional"
)

// script answers read after read; each takes some time.
type script struct {
	took  []time.Duration
	fails []error
	reads int
}

func (s *script) Read(ctx context.Context) (server.Metrics, error) {
	n := s.reads
	s.reads++
	if n < len(s.took) {
		select {
		case <-ctx.Done():
			return server.Metrics{}, ctx.Err()
		case <-time.After(s.took[n]):
		}
	}
	if n < len(s.fails) && s.fails[n] != nil {
		return server.Metrics{}, s.fails[n]
	}
	return server.Metrics{At: time.Now(), Running: optional.Of(float64(n))}, nil
}

// poll polls a script for some time, and tells when readings came, in seconds.
func poll(t *testing.T, s *script, long time.Duration) (at []float64, readings []server.Reading) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	start := time.Now()
	Poll(ctx, s, time.Second, func(r server.Reading) {
		at = append(at, r.At.Sub(start).Seconds())
		readings = append(readings, r)
	})
	if spent := time.Since(start); spent != long {
		t.Errorf("Poll returned after %v, want %v", spent, long)
	}
	return at, readings
}

func TestPollReadsAtOnceAndThenAtTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, readings := poll(t, &script{}, 2500*time.Millisecond)
		if fmt.Sprint(at) != "[0 1 2]" || readings[2].Metrics.Running.V != 2 || !readings[2].Known() {
			t.Errorf("readings at %v: %+v", at, readings)
		}
	})
}

func TestASlowReadLetsOthersPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, _ := poll(t, &script{took: []time.Duration{0, 2500 * time.Millisecond}}, 5500*time.Millisecond)
		// The read of the first second ends at 3.5; one read that was due starts at once, the other has passed.
		if fmt.Sprint(at) != "[0 3.5 3.5 4 5]" {
			t.Errorf("readings at %v", at)
		}
	})
}

func TestAReadThatHangsEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if at, _ := poll(t, &script{took: []time.Duration{time.Hour}}, time.Second); len(at) != 0 {
			t.Errorf("readings at %v", at)
		}
	})
}

func TestAFailureKeepsTheLastMetricsUntilTheyAreStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("http://h/metrics cannot be read")
		at, readings := poll(t, &script{fails: []error{broken, nil, broken, broken, broken, broken}}, 5500*time.Millisecond)
		if len(at) != 6 {
			t.Fatalf("readings at %v", at)
		}
		if r := readings[0]; r.Known() || !r.Stale(r.At, time.Second) || r.Err == nil || r.Metrics.TTFT.OK() || r.Metrics.Running.OK() {
			t.Errorf("before anything was read: %+v", r)
		}
		for second, r := range readings[1:] {
			if r.Metrics.Running.V != 1 || (r.Err != nil) != (second > 0) {
				t.Errorf("%d s after the read: %+v", second, r)
			}
			if got, want := r.Stale(r.At, time.Second), second > 3; got != want {
				t.Errorf("%d s after the read: stale %v, want %v", second, got, want)
			}
		}
	})
}

func TestAServerThatOffersNothingIsAskedRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := fmt.Errorf("no such page: %w", ErrNotOffered)
		at, _ := poll(t, &script{fails: []error{refused, refused}}, 22500*time.Millisecond)
		if fmt.Sprint(at) != "[0 10 20 21 22]" {
			t.Errorf("readings at %v", at)
		}
	})
}
