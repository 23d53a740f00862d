// This file calls a source that may never answer.

package gpu

import (
	"context"
	"time"
)

// Reader asks a source from a goroutine of its own, one question at a time, so that whoever asks never waits for a
// driver. A question that is never answered costs that goroutine, and the thread that it is on, for the rest of the
// process: nothing can take a thread back from a driver.
type Reader struct {
	asks    chan context.Context
	answers chan Answer
	asked   time.Time // when the open question was asked; zero: none is open
}

// Answer is what a source said, and when.
type Answer struct {
	At      time.Time
	Devices []Device
	Err     error
}

// NewReader starts the goroutine. End lets it go.
func NewReader(src Source) *Reader {
	// One question is open at most, so that neither channel is ever full: asking and answering never block.
	r := &Reader{asks: make(chan context.Context, 1), answers: make(chan Answer, 1)}
	go func() {
		for ctx := range r.asks {
			devices, err := src.Read(ctx)
			r.answers <- Answer{time.Now(), devices, err}
		}
	}()
	return r
}

// Ask asks unless a question is open. ctx is the question's.
func (r *Reader) Ask(ctx context.Context) {
	if r.asked.IsZero() {
		r.asked = time.Now()
		r.asks <- ctx
	}
}

// Answers is where answers come. Who receives one calls Take.
func (r *Reader) Answers() <-chan Answer { return r.answers }

// Take notes that the open question was answered.
func (r *Reader) Take() { r.asked = time.Time{} }

// Open returns for how long a question has been open; zero: none is.
func (r *Reader) Open() time.Duration {
	if r.asked.IsZero() {
		return 0
	}
	return time.Since(r.asked)
}

// End lets the goroutine go. It waits for an open question no longer than Farewell.
func (r *Reader) End() {
	close(r.asks)
	if r.asked.IsZero() {
		return
	}
	timer := time.NewTimer(Farewell)
	defer timer.Stop()
	select {
	case <-r.answers:
	case <-timer.C:
	}
}

// Farewell is how long an open question may hold up an exit: long enough for a read that is under way, and for one that
// honours its context; too short for a person to notice.
const Farewell = 100 * time.Millisecond
