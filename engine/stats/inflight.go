// This file looks at the requests that run: a stall shows here before it completes.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

// InFlight describes the requests that run.
type InFlight struct {
	Total      int
	Waiting    int           // without a token so far
	Decoding   int           // with one
	Answered   int           // of those, whose first token came a second ago or earlier
	OldestWait time.Duration // how long the oldest of the waiting has waited since it was sent or, before, taken up
	Oldest     time.Duration // how long the oldest of all has run, likewise; 0: none runs
}

// InFlight describes the requests that run now.
func (l *store) InFlight(now record.Instant) InFlight {
	var in InFlight
	for f := range l.running {
		in.Total++
		age, _ := now.Since(max(f.sent, f.began)) // not sent: it waits for its connection
		in.Oldest = max(in.Oldest, age)
		if f.firstToken != 0 {
			in.Decoding++
			if f.firstToken.Add(time.Second) <= now {
				in.Answered++
			}
			continue
		}
		in.Waiting++
		in.OldestWait = max(in.OldestWait, age)
	}
	return in
}

// Counts are the requests of the whole run.
func (l *store) Counts() Counts {
	return l.counts
}

// Problems groups the failures of the whole run, the most frequent first.
func (l *store) Problems() []Problem {
	return l.problems.list()
}

// History is the run's trend, a point a second, oldest first. The slice is shared and must not be changed.
func (l *store) History() []Point {
	n := len(l.history.points)
	return l.history.points[:n:n]
}
