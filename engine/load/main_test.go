// This file is what the tests of the package share: the goroutine check and a rig that runs a pool in fake time.

package load

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served is one request as the rig's Runner saw it; times since the start of the run.
type served struct {
	seq              uint64
	scheduled, taken time.Duration
	end              time.Duration
	cause            error // why it was cancelled; nil: it ran to its end
	work             any
}

// rig runs a pool in a synctest bubble; every request takes the service time, or until it is cancelled.
type rig struct {
	t       *testing.T
	pool    *Pool
	clock   record.Clock
	cancel  context.CancelCauseFunc
	service time.Duration

	mu   sync.Mutex
	done []served

	result chan error
}

// bubblePool returns a pool for use in a synctest bubble: its alarm goes by fake time, which a platform's own can't.
func bubblePool(clock record.Clock, seed uint64, s Setting, b Budget, run Runner) *Pool {
	p := NewPool(clock, seed, s, b, run)
	p.newAlarm = runtimeAlarm
	return p
}

// start begins a run of the setting. It must be called in a synctest bubble.
func start(t *testing.T, s Setting, b Budget, service time.Duration) *rig {
	t.Helper()
	r := &rig{t: t, clock: record.NewClock(), service: service, result: make(chan error, 1)}
	r.pool = bubblePool(r.clock, 1, s, b, r.serve)
	ctx, cancel := context.WithCancelCause(t.Context())
	r.cancel = cancel
	go func() { r.result <- r.pool.Run(ctx) }()
	return r
}

func (r *rig) serve(ctx context.Context, job Job) {
	s := served{seq: job.Seq, scheduled: job.Scheduled.Elapsed(), taken: job.Taken.Elapsed(), work: job.Work}
	select {
	case <-time.After(r.service):
	case <-ctx.Done():
		s.cause = context.Cause(ctx)
	}
	s.end = r.clock().Elapsed()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, s)
}

// wait lets fake time pass, and everything that follows from it happen.
func (r *rig) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// ended returns the requests that have ended, in order of their end.
func (r *rig) ended() []served {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]served(nil), r.done...)
}

// expect checks the pool's state.
func (r *rig) expect(want State) {
	r.t.Helper()
	synctest.Wait()
	if got := r.pool.State(); got != want {
		r.t.Errorf("after %v: state %+v, want %+v", r.clock().Elapsed(), got, want)
	}
}

// finish waits for Run's return and gives its result.
func (r *rig) finish() error {
	r.t.Helper()
	defer r.cancel(nil)
	return <-r.result
}

// closed and open are settings in short.
func closed(n int) Setting { return Setting{Mode: Closed, Concurrency: n} }

func open(rate float64, maxInFlight int) Setting {
	return Setting{Mode: Open, Rate: rate, Arrival: Constant, MaxInFlight: maxInFlight}
}

const ms = time.Millisecond
