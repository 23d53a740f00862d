// What requests wait for that are to be sent again, and what they were refused with.

package wire

import (
	"slices"
	"sync"
	"time"

	"tokdyno/engine/record"
)

// Refusal is why an attempt failed that is, or was, to be sent again.
type Refusal struct {
	Kind    record.Kind
	Status  int    // HTTP status; 0: none
	Example string // what the first of them said
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

// reason is what refusals are told apart by.
type reason struct {
	kind   record.Kind
	status int
}

// waits keeps account of requests that wait to be sent again.
type waits struct {
	mu       sync.Mutex
	attempts int
	waited   time.Duration
	refused  map[reason]*Refused
	present  map[*Waiting]struct{} // one each
}

// begin notes that a request waits; the returned function, how long it did and whether it is sent again.
func (w *waits) begin(one Waiting) (end func(waited time.Duration, again bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := reason{one.Kind, one.Status}
	if w.refused == nil {
		w.refused, w.present = map[reason]*Refused{}, map[*Waiting]struct{}{}
	}
	if w.refused[key] == nil {
		w.refused[key] = &Refused{Refusal: one.Refusal}
	}
	w.refused[key].Count++
	w.present[&one] = struct{}{}
	return func(waited time.Duration, again bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.present, &one)
		w.waited += waited
		if again {
			w.attempts++
		}
	}
}

// sum adds up.
func (w *waits) sum() Again {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := Again{Attempts: w.attempts, Waited: w.waited}
	for _, r := range w.refused {
		a.Refused = append(a.Refused, *r)
	}
	groups := map[reason]*Waiting{}
	for one := range w.present {
		key := reason{one.Kind, one.Status}
		if g := groups[key]; g == nil {
			groups[key] = &Waiting{Refusal: one.Refusal, N: 1, Asked: one.Asked, Until: one.Until}
		} else {
			g.N++
			g.Asked = max(g.Asked, one.Asked)
			g.Until = min(g.Until, one.Until)
		}
	}
	for _, g := range groups {
		a.Waiting = append(a.Waiting, *g)
	}
	slices.SortFunc(a.Refused, func(x, y Refused) int { return x.Status - y.Status }) // maps have no order
	slices.SortFunc(a.Waiting, func(x, y Waiting) int { return x.Status - y.Status })
	a.sort()
	return a
}

// Again is what the client has sent again, with Endpoint.Retries, and what waits to be: the probe's requests too.
func (c *Client) Again() Again { return c.waits.sum() }
