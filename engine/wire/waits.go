// Keeps account of requests that wait to be sent again.

package wire

import (
	"slices"
	"sync"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

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
	refused  map[reason]*endpoint.Refused
	present  map[*endpoint.Waiting]struct{} // one each
}

// begin notes that a request waits; the returned function, how long it did and whether it is sent again.
func (w *waits) begin(one endpoint.Waiting) (end func(waited time.Duration, again bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := reason{one.Kind, one.Status}
	if w.refused == nil {
		w.refused, w.present = map[reason]*endpoint.Refused{}, map[*endpoint.Waiting]struct{}{}
	}
	if w.refused[key] == nil {
		w.refused[key] = &endpoint.Refused{Refusal: one.Refusal}
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
func (w *waits) sum() endpoint.Again {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := endpoint.Again{Attempts: w.attempts, Waited: w.waited}
	for _, r := range w.refused {
		a.Refused = append(a.Refused, *r)
	}
	groups := map[reason]*endpoint.Waiting{}
	for one := range w.present {
		key := reason{one.Kind, one.Status}
		if g := groups[key]; g == nil {
			groups[key] = &endpoint.Waiting{Refusal: one.Refusal, N: 1, Asked: one.Asked, Until: one.Until}
		} else {
			g.N++
			g.Asked = max(g.Asked, one.Asked)
			g.Until = min(g.Until, one.Until)
		}
	}
	for _, g := range groups {
		a.Waiting = append(a.Waiting, *g)
	}
	slices.SortFunc(a.Refused, func(x, y endpoint.Refused) int { return x.Status - y.Status }) // maps have no order
	slices.SortFunc(a.Waiting, func(x, y endpoint.Waiting) int { return x.Status - y.Status })
	var sorted endpoint.Again
	sorted.Add(a)
	return sorted
}

// Again is what the client has sent again, with Endpoint.Retries, and what waits to be: the probe's requests too.
func (c *Client) Again() endpoint.Again { return c.waits.sum() }
