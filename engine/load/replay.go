// This file is the recording that a replay goes by, and how it is read ahead of the clock.

package load

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Timetable is a recording of arrivals. Settings compare Timetables with ==, so what implements it must be comparable:
// let it be a pointer.
type Timetable interface {
	// Name is what a person calls the recording, as the base name of its file.
	Name() string

	// Entries begins to read the arrivals, from the first. It is called anew for every pass through the recording, from
	// one goroutine at a time.
	Entries() (Entries, error)
}

// Entries hands out recorded arrivals in order of time. It is used by one goroutine. A run can't end while a call
// lasts, so none should wait for anything but a file.
type Entries interface {
	// Next returns the next arrival; false when there is none left. After an error or false it is not called again.
	Next() (Entry, bool, error)

	// Close ends the reading, at whatever point it is.
	Close() error
}

// Entry is one recorded arrival.
type Entry struct {
	At   time.Duration // since the recording's beginning, at normal speed; never less than that of the entry before
	Work any           // what the Runner needs to know of it: it becomes Job.Work
}

const (
	// readAhead is how many arrivals are read before they are due: a disk may be slow for a moment, the clock is not.
	readAhead = 4096
	// A recording that is looped begins again one mean gap after its last arrival. There is no mean gap in a recording
	// of one instant: it is repeated every loneGap; and none is repeated faster than every shortestLoop.
	loneGap      = time.Second
	shortestLoop = time.Millisecond
)

// feed is a recording that is being played. One goroutine reads it; the methods without another word are the
// dispatcher's.
type feed struct {
	timetable Timetable
	items     chan item
	again     chan struct{} // wakes a reader that waits at the end of a pass for Loop to be turned on
	loop      atomic.Bool
	stop      context.CancelFunc

	entry position // the next arrival, when ready
	ready bool
	begin float64 // recorded nanoseconds at which this pass begins
	over  bool    // there will be no more arrivals
	err   error   // why, unless the recording just ended
}

// position is an arrival with its time counted over all passes, in recorded nanoseconds.
type position struct {
	at   float64
	work any
}

// item is what the reader hands over: an arrival, or the end of a pass.
type item struct {
	Entry
	end *passEnd
}

type passEnd struct {
	period time.Duration // from the begin of this pass to that of the next
	err    error
}

// newFeed returns a feed and the function that reads it, which ends when the feed is stopped.
func newFeed(ctx context.Context, t Timetable, loop bool) (f *feed, read func()) {
	ctx, stop := context.WithCancel(ctx)
	f = &feed{timetable: t, items: make(chan item, readAhead), again: make(chan struct{}, 1), stop: stop}
	f.loop.Store(loop)
	return f, func() { f.read(ctx) }
}

// setLoop has the recording begin again at its end, or not.
func (f *feed) setLoop(loop bool) { f.loop.Store(loop) }

// peek returns the next arrival without taking it; false when it has not been read yet or there is none.
func (f *feed) peek() (position, bool) {
	for !f.ready && !f.over {
		select {
		case i := <-f.items:
			f.accept(i)
		default:
			return position{}, false
		}
	}
	return f.entry, f.ready
}

// pop takes the arrival that peek returned.
func (f *feed) pop() { f.entry, f.ready = position{}, false }

// awaited returns the channel on which the next item is to be received and given to accept; nil when none is missing.
func (f *feed) awaited() <-chan item {
	if f.ready || f.over {
		return nil
	}
	return f.items
}

// accept takes in an item. It must not be called while an arrival is ready.
func (f *feed) accept(i item) {
	if i.end == nil {
		f.entry, f.ready = position{f.begin + float64(i.At), i.Work}, true
		return
	}
	if i.end.err != nil || !f.loop.Load() {
		f.over, f.err = true, i.end.err
		f.stop()
		return
	}
	f.begin += float64(i.end.period)
	select {
	case f.again <- struct{}{}:
	default: // it is awake, or will find this token when it has read the next pass, and read one too far ahead
	}
}

// read is the reader: pass after pass, until the feed is stopped, the recording fails, or it ends and is not looped.
func (f *feed) read(ctx context.Context) {
	for {
		period, err := f.pass(ctx)
		if ctx.Err() != nil {
			return // the pass was cut short, and its end is none
		}
		if err != nil {
			err = fmt.Errorf("replaying %s: %w", f.timetable.Name(), err)
		}
		if !f.hand(ctx, item{end: &passEnd{period, err}}) || err != nil {
			return
		}
		if f.loop.Load() {
			continue // ahead of the clock over the end of the pass, too
		}
		select {
		case <-f.again:
		case <-ctx.Done():
			return
		}
	}
}

// hand gives an item to the dispatcher, when there is room; false when the feed has been stopped.
func (f *feed) hand(ctx context.Context, i item) bool {
	select {
	case f.items <- i:
		return true
	case <-ctx.Done():
		return false
	}
}

// pass reads the recording once.
func (f *feed) pass(ctx context.Context) (period time.Duration, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	entries, err := f.timetable.Entries()
	if err != nil {
		return 0, err
	}
	defer func() {
		if closing := entries.Close(); err == nil {
			err = closing
		}
	}()
	var first, last time.Duration
	for n := 0; ; n++ {
		entry, ok, err := entries.Next()
		switch {
		case err != nil:
			return 0, err
		case !ok && n == 0:
			return 0, errors.New("there are no arrivals in it")
		case !ok:
			return loopPeriod(first, last, n), nil
		case n == 0:
			first = entry.At
		}
		last = max(last, entry.At)
		entry.At = last
		if !f.hand(ctx, item{Entry: entry}) {
			return 0, nil
		}
	}
}

// loopPeriod returns the time from the begin of a recording of n arrivals to where it begins again.
func loopPeriod(first, last time.Duration, n int) time.Duration {
	if last == first {
		return loneGap
	}
	return max(last-first+(last-first)/time.Duration(n-1), shortestLoop)
}
