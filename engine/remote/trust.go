// This file says how much of the load a worker is to have for how well it keeps up.

package remote

import (
	"fmt"
	"time"

	"tokdyno/engine/health"
)

// How long a worker's client has to be so before its weight moves by one step. A verdict is of the last ten seconds, so the effect of a
// step shows after that. That it does better with less is no reason to give it all back at once: shares would swing.
const (
	boundFor    = 10 * time.Second // client-bound: half, and again
	strainedFor = 20 * time.Second // strained: half
	wellFor     = time.Minute      // ok: twice
)

// mostSteps bounds the steps: a worker keeps some load, else nobody learns that it does better.
const mostSteps = 3

// trust is how far a worker keeps up. The zero trust has it get all that its cores say.
type trust struct {
	steps int    // its weight is halved so many times
	why   string // the client's reason at the last of them
	away  int    // where its verdict is to take it: -1, 0 or 1 steps
	since time.Time
}

// hear takes in what the worker's client says of itself at present. It reports whether the steps have changed.
func (t *trust) hear(now time.Time, v health.Verdict, reason string) bool {
	away, patience := 0, wellFor
	switch {
	case v == health.ClientBound && t.steps < mostSteps:
		away, patience = 1, boundFor
	case v == health.Strained && t.steps < 1:
		away, patience = 1, strainedFor
	case v == health.OK && t.steps > 0:
		away = -1
	}
	if away != t.away {
		t.away, t.since = away, now
	}
	if away == 0 || now.Sub(t.since) < patience {
		return false
	}
	t.steps, t.since = t.steps+away, now
	if away > 0 {
		t.why = reason
	}
	return true
}

// says is why a worker has less than its cores would have it, in a sentence; "" where it has not. steps are those that it has more than
// the best of them.
func (t *trust) says(steps int) string {
	if steps <= 0 {
		return ""
	}
	return fmt.Sprintf("it gets 1/%d of what its cores would get, as it does not keep up: %s", 1<<steps, t.why)
}
