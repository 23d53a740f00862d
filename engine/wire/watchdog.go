// Time limits on silence, without a timer operation for every read.

package wire

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
)

var (
	errFirstByte = errors.New("no byte of the answer within the first-byte timeout")
	errIdle      = errors.New("the answer paused for longer than the idle timeout")
	errDrained   = errors.New("the server kept the answer open after its end")
)

// watchdog cancels a request when nothing has been heard of it for too long. A sign of life only notes the instant;
// the timer, when it fires, looks how old that is and goes back to sleep for the rest.
type watchdog struct {
	clock  record.Clock
	cancel context.CancelCauseFunc

	last atomic.Int64 // the latest sign of life

	mu      sync.Mutex
	timer   *time.Timer
	limit   time.Duration
	began   record.Instant // when the limit was set
	final   bool           // the limit counts from then, whatever is heard
	cause   error
	stopped bool
}

func newWatchdog(clock record.Clock, cancel context.CancelCauseFunc, limit time.Duration, cause error) *watchdog {
	w := &watchdog{clock: clock, cancel: cancel, limit: limit, cause: cause}
	w.last.Store(int64(clock()))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limit, w.wake)
	return w
}

// beat notes a sign of life.
func (w *watchdog) beat() { w.heard(w.clock()) }

// heard notes a sign of life at an instant.
func (w *watchdog) heard(at record.Instant) { w.last.Store(int64(at)) }

// watch changes the limit, and what its breach is called, and counts from now.
func (w *watchdog) watch(limit time.Duration, cause error) { w.set(limit, cause, false) }

// finish sets a last limit, which no sign of life puts off.
func (w *watchdog) finish(limit time.Duration, cause error) { w.set(limit, cause, true) }

func (w *watchdog) set(limit time.Duration, cause error, final bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.cause, w.final, w.began = limit, cause, final, w.clock()
	w.heard(w.began)
	w.timer.Reset(limit)
}

func (w *watchdog) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	from := record.Instant(w.last.Load())
	if w.final {
		from = w.began
	}
	if left := w.limit - time.Duration(w.clock()-from); left > 0 {
		w.timer.Reset(left)
		return
	}
	w.stopped = true
	w.cancel(w.cause)
}

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}
