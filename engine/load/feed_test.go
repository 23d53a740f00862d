// This file tests how a recording is read, and what becomes of one that can't be.

package load

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tape is a recording in memory. The work of an arrival is its number in the recording, from 1.
type tape struct {
	at      []time.Duration
	unread  error           // of Entries
	broken  error           // of Next, behind the arrivals
	scratch error           // of Close
	slow    chan struct{}   // Next waits for a token of it; nil: it does not
	next    func(*tape) any // called in Next, if set

	mu                   sync.Mutex
	opened, closed, read int
}

func (*tape) Name() string { return "tape.csv" }

func (tt *tape) count(n *int) {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	*n++
}

func (tt *tape) Entries() (Entries, error) {
	if tt.unread != nil {
		return nil, tt.unread
	}
	tt.count(&tt.opened)
	return &head{tape: tt}, nil
}

// head reads a tape.
type head struct {
	tape *tape
	n    int
}

func (h *head) Next() (Entry, bool, error) {
	if h.tape.slow != nil {
		<-h.tape.slow
	}
	if h.tape.next != nil {
		h.tape.next(h.tape)
	}
	if h.n == len(h.tape.at) {
		return Entry{}, false, h.tape.broken
	}
	h.tape.count(&h.tape.read)
	h.n++
	return Entry{h.tape.at[h.n-1], h.n}, true, nil
}

func (h *head) Close() error {
	h.tape.count(&h.tape.closed)
	return h.tape.scratch
}

// seconds returns a tape with arrivals at those seconds.
func seconds(at ...float64) *tape {
	tt := new(tape)
	for _, s := range at {
		tt.at = append(tt.at, time.Duration(s*1e9))
	}
	return tt
}

func TestFailedRecordingEndsTheRunWithWhatHasArrived(t *testing.T) {
	broken := errors.New("line 7 has no time")
	for name, tt := range map[string]*tape{
		"next":    {at: []time.Duration{0, time.Second}, broken: broken},
		"close":   {at: []time.Duration{0, time.Second}, scratch: broken},
		"entries": {unread: broken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := replay(tt, 1)
				s.MaxInFlight, s.Loop = 1, true
				r := start(t, s, Budget{}, 5*time.Second)
				err := r.finish()
				if !errors.Is(err, broken) || err.Error() != "replaying tape.csv: line 7 has no time" {
					t.Errorf("Run returned %v", err)
				}
				r.expect(State{Started: len(tt.at), Exhausted: true})
				for _, s := range r.ended() {
					if s.cause != nil {
						t.Errorf("request %d was cancelled: %v", s.seq, s.cause)
					}
				}
				if tt.opened != tt.closed {
					t.Errorf("opened %d times, closed %d times", tt.opened, tt.closed)
				}
			})
		})
	}
}

func TestEmptyRecordingIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay(seconds(), 1)
		s.Loop = true
		err := start(t, s, Budget{}, ms).finish()
		if err == nil || err.Error() != "replaying tape.csv: there are no arrivals in it" {
			t.Errorf("Run returned %v", err)
		}
	})
}

func TestPanicOfARecordingIsAnErrorWithItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := &tape{next: func(*tape) any { panicHere("off the end"); return nil }}
		err := start(t, replay(tt, 1), Budget{}, ms).finish()
		var failure *PanicError
		if !errors.As(err, &failure) || !strings.Contains(string(failure.Stack), "panicHere") {
			t.Fatalf("Run returned %v", err)
		}
		const want = "replaying tape.csv: reading the recording panicked, which is a bug in tokdyno: off the end"
		if err.Error() != want || tt.closed != 1 {
			t.Errorf("Run returned %v, want %s; closed %d times", err, want, tt.closed)
		}
	})
}

func TestDispatcherNeverWaitsForTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 1, 2)
		tt.slow = make(chan struct{})
		r := start(t, replay(tt, 1), Budget{}, time.Hour)
		r.wait(10 * time.Second) // opening takes its time: that is no lag
		r.expect(State{})
		tt.slow <- struct{}{}
		r.expect(State{InFlight: 1, Started: 1})
		r.wait(5 * time.Second) // the second was due at 11 s, the third at 12
		r.expect(State{InFlight: 1, Started: 1})
		tt.slow <- struct{}{}
		tt.slow <- struct{}{}
		r.expect(State{InFlight: 3, Started: 3})
		r.pool.Pause(true) // the end is still being read
		r.expect(State{InFlight: 3, Started: 3, Paused: true})
		r.pool.Drain()
		r.expect(State{InFlight: 3, Started: 3, Paused: true, Draining: true})
		close(tt.slow)
		r.cancel(nil)
		_ = r.finish()
		late := map[uint64]time.Duration{1: 0, 2: 4 * time.Second, 3: 3 * time.Second}
		for _, got := range r.ended() {
			if got.taken-got.scheduled != late[got.seq] {
				t.Errorf("request %d: scheduled %v, taken up %v", got.seq, got.scheduled, got.taken)
			}
		}
	})
}

// What was to come before the clock was set anew, but had not been read then, is due since that, however late it is read.
func TestArrivalReadAfterAPauseItWasDueBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 1, 9)
		tt.slow = make(chan struct{}, 9)
		tt.slow <- struct{}{}
		r := start(t, replay(tt, 1), Budget{}, 0)
		r.wait(3 * time.Second)
		r.pool.Pause(true)
		r.wait(time.Second)
		r.pool.Pause(false)
		r.wait(2 * time.Second)
		close(tt.slow)
		_ = r.finish()
		want := []served{
			{seq: 1, work: 1},
			{seq: 2, work: 2, scheduled: 4 * time.Second, taken: 6 * time.Second, end: 6 * time.Second},
			{seq: 3, work: 3, scheduled: 10 * time.Second, taken: 10 * time.Second, end: 10 * time.Second},
		}
		if diff := cmp.Diff(want, r.ended(), cmp.AllowUnexported(served{})); diff != "" {
			t.Errorf("played (-want +got):\n%s", diff)
		}
	})
}

func TestReaderKeepsABoundedNumberOfArrivalsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := new(tape)
		for i := range 3 * readAhead {
			tt.at = append(tt.at, time.Duration(i)*time.Second)
		}
		r := start(t, replay(tt, 1), Budget{}, ms)
		r.wait(100*time.Second - ms)
		tt.mu.Lock()
		ahead := tt.read - 100
		tt.mu.Unlock()
		if ahead < readAhead || ahead > readAhead+2 { // one with the dispatcher, one in the reader's hand
			t.Errorf("%d arrivals were read ahead", ahead)
		}
		r.cancel(nil)
		_ = r.finish()
		if tt.closed != 1 {
			t.Errorf("closed %d times", tt.closed)
		}
	})
}
