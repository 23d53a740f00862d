// This file calls a source that may never answer.

package gpu

import (
	"context"
	"time"
)

// reader asks a source from a goroutine of its own, one question at a time, so that whoever asks never waits for a
// driver. A question that is never answered costs that goroutine, and the thread that it is on, for the rest of the
// process: nothing can take a thread back from a driver.
type reader struct {
	asks    chan context.Context
	answers chan answer
	asked   time.Time // when the open question was asked; zero: none is open
}

type answer struct {
	at      time.Time
	devices []Device
	err     error
}

func newReader(src Source) *reader {
	// One question is open at most, so that neither channel is ever full: asking and answering never block.
	r := &reader{asks: make(chan context.Context, 1), answers: make(chan answer, 1)}
	go func() {
		for ctx := range r.asks {
			devices, err := src.Read(ctx)
			r.answers <- answer{time.Now(), devices, err}
		}
	}()
	return r
}

// ask asks unless a question is open. ctx is the question's.
func (r *reader) ask(ctx context.Context) {
	if r.asked.IsZero() {
		r.asked = time.Now()
		r.asks <- ctx
	}
}

// take notes that the open question was answered.
func (r *reader) take() { r.asked = time.Time{} }

// open returns for how long a question has been open; zero: none is.
func (r *reader) open() time.Duration {
	if r.asked.IsZero() {
		return 0
	}
	return time.Since(r.asked)
}

// end lets the goroutine go. It waits for an open question no longer than farewell.
func (r *reader) end() {
	close(r.asks)
	if r.asked.IsZero() {
		return
	}
	timer := time.NewTimer(farewell)
	defer timer.Stop()
	select {
	case <-r.answers:
	case <-timer.C:
	}
}

// farewell is how long an open question may hold up an exit: long enough for a read that is under way, and for one that
// honours its context; too short for a person to notice.
const farewell = 100 * time.Millisecond
