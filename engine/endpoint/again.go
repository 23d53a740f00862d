// This file is what requests were refused with that are sent again, and how long they wait.

package endpoint

import (
	"slices"
	"time"

	"tokdyno/engine/record"
)

// Refusal is why an attempt failed that is, or was, to be sent again.
type Refusal struct {
	Kind    record.Kind
	Status  int    // HTTP status; 0: none
	Example string // what the first of them said
	// Starting says that the server is waited for, which may only not be ready yet.
	Starting bool `json:",omitempty"`
}

// Refused counts attempts that failed in one way.
type Refused struct {
	Refusal
	Count int
}

// Waiting is requests that wait to be sent again, after refusals of one kind.
type Waiting struct {
	Refusal
	N     int
	Asked time.Duration  // how long the server asked to wait (Retry-After); 0: it did not say
	Until record.Instant // when the first of them is sent again
}

// Again adds up what was sent again, or is to be.
type Again struct {
	Attempts int           // that followed a failed one
	Waited   time.Duration // in all before them
	Refused  []Refused     // the attempts that failed and were to be followed by another, the most frequent first
	Waiting  []Waiting     // requests that wait at present, those first that wait longest
}

// Add adds what another endpoint has. Groups of the same kind stay apart for each.
func (a *Again) Add(o Again) {
	a.Attempts += o.Attempts
	a.Waited += o.Waited
	a.Refused = append(a.Refused, o.Refused...)
	a.Waiting = append(a.Waiting, o.Waiting...)
	a.sort()
}

func (a *Again) sort() {
	slices.SortStableFunc(a.Refused, func(x, y Refused) int { return y.Count - x.Count })
	slices.SortStableFunc(a.Waiting, func(x, y Waiting) int { return int(min(max(y.Until-x.Until, -1), 1)) })
}
