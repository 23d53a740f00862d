// This file holds what is said of requests that wait long enough to be read.

package live

import (
	"time"

	"tokdyno/engine/snapshot"
)

// waiting is what the page says of requests that wait for their first token: the most of a second, through the next. With a
// few requests in flight somebody waits now and then, and words that come and go ten times a second can't be read. The zero
// waiting is that of a page that has seen nothing.
type waiting struct {
	second time.Duration // of the run's clock, which seen is of
	stage  int
	shown  waits
	seen   waits
}

// waits are requests that wait, and for how long the oldest of them has.
type waits struct {
	requests int
	oldest   time.Duration
}

// next takes in a snapshot.
func (w waiting) next(s *snapshot.Snapshot) waiting {
	second := s.At.Elapsed().Truncate(time.Second)
	now := waits{s.InFlight.Waiting, s.InFlight.OldestWait}
	switch {
	case w.stage != s.Stage.Stage || s.State == snapshot.Ended || second < w.second || second > w.second+time.Second:
		return waiting{second, s.Stage.Stage, now, now} // what was seen before is of another load, or long ago
	case second != w.second:
		w.second, w.shown, w.seen = second, w.seen, waits{}
	}
	if now.requests > 0 {
		w.seen = waits{max(w.seen.requests, now.requests), max(w.seen.oldest, now.oldest)}
	}
	return w
}
