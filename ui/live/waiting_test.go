package live

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// What is said of requests that wait changes once a second, and does not come and go with each look.
func TestWordsOnWaitingRequestsStandForASecond(t *testing.T) {
	const ms = time.Millisecond
	var w waiting
	look := func(at time.Duration, requests int, oldest time.Duration) waits {
		s := &snapshot.Snapshot{At: record.Instant(1).Add(at), State: snapshot.Running}
		s.Stage.Stage = 1
		s.InFlight.Waiting, s.InFlight.OldestWait = requests, oldest
		w = w.next(s)
		return w.shown
	}
	steps := []struct {
		at       time.Duration
		requests int
		oldest   time.Duration
		want     waits
	}{
		{10 * time.Second, 0, 0, waits{}},
		{10*time.Second + 300*ms, 1, 70 * ms, waits{}},
		{10*time.Second + 600*ms, 2, 20 * ms, waits{}},
		{11 * time.Second, 0, 0, waits{2, 70 * ms}},
		{11*time.Second + 500*ms, 0, 0, waits{2, 70 * ms}},
		{12 * time.Second, 0, 0, waits{}},
		{20 * time.Second, 3, 5 * ms, waits{3, 5 * ms}}, // the page was away
	}
	for _, s := range steps {
		if got := look(s.at, s.requests, s.oldest); got != s.want {
			t.Errorf("at %v: %+v, want %+v", s.at, got, s.want)
		}
	}
}
