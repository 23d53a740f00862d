// This file is what is known so far of a request that runs: what filters and orders go by.

package query

import (
	"cmp"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// soFar is a figure of a request that runs; unknown where nothing is known of it. It grows where it is what has passed or come
// so far: then it will be that much at least.
func soFar(name Figure, r *Row) (v int64, grows bool) {
	settled := func(d time.Duration, from record.Instant) (int64, bool) {
		if d != slo.Undefined {
			return int64(d), false
		}
		if passed, ok := r.End.Since(from); ok {
			return int64(passed), true
		}
		return unknown, false
	}
	switch name {
	case Number:
		return int64(r.ID), false
	case Began:
		return int64(r.Began), false
	case Stage:
		return int64(r.Stage), false
	case Slot:
		return int64(r.Slot), false
	case Endpoint:
		return int64(r.Endpoint), false
	case Prompt:
		return r.Input, false
	case Output:
		return r.Output, true
	case Lag:
		return settled(r.Lag, r.Began)
	case TTFT:
		return settled(r.TTFT, r.Sent)
	case TTFA:
		return settled(r.TTFA, r.Sent)
	case E2EL:
		return settled(slo.Undefined, r.Sent)
	case Gap:
		longest, _ := r.End.Since(r.Last)
		for _, s := range r.Stalls {
			longest = max(longest, s.Length)
		}
		if r.First == 0 {
			return unknown, false
		}
		return int64(longest), true
	}
	return unknown, false
}

// keepRunning leaves those rows of requests that run that a query keeps, in its order, and at most so many as it asks for.
// limits are those of keptRows.
func (v *View) keepRunning(limits map[string]time.Duration) {
	q := &v.Query
	if q.plain() {
		return
	}
	terms := q.Filter.terms(q.Begun)
	v.Running = slices.DeleteFunc(v.Running, func(r Row) bool {
		return slices.ContainsFunc(terms, func(t term) bool {
			if t.beyond != nil {
				so, _ := soFar(t.beyond.figure, &r)
				return so == unknown || time.Duration(so) <= limits[t.text]
			}
			return t.runs == nil || !t.runs(&r)
		})
	})
	v.InFlight = len(v.Running)
	if q.Sort != "" && q.Sort != Ended {
		slices.SortStableFunc(v.Running, func(a, b Row) int { return cmp.Compare(q.keySoFar(&a), q.keySoFar(&b)) })
	}
	if q.Descending && (q.Sort == "" || q.Sort == Ended) {
		slices.Reverse(v.Running)
	}
	if !q.Waves {
		v.Running = v.Running[:min(len(v.Running), q.Running)]
	}
}

// keySoFar is the value by which a request that runs is put in order; see figure.keys.
func (q *Query) keySoFar(r *Row) time.Duration {
	v, _ := soFar(q.Sort, r)
	return keyOf(v, q.Descending)
}

// place finds the places of those that run among those that ended: where the order has them, behind those of the same value;
// else below the newest.
func (v *View) place(e *stats.Ended, kept *rows) {
	q := &v.Query
	v.Places = make([]int, len(v.Running))
	if len(v.Running) == 0 || q.Waves {
		return
	}
	ended := kept.keys(e, q)
	counts := make([]int, len(v.Running)+1) // of those that ended before each, and not before the one before
	if ended != nil {
		bounds := make([]time.Duration, len(v.Running))
		for i := range v.Running {
			bounds[i] = q.keySoFar(&v.Running[i])
		}
		for _, key := range ended { // a million of them, so the search is written out
			i, n := 0, len(bounds)
			for n > 0 {
				half := n / 2
				if bounds[i+half] < key {
					i += half + 1
					n -= half + 1
				} else {
					n = half
				}
			}
			counts[i]++
		}
	} else if !q.Descending {
		counts[0] = kept.n
	}
	before := 0
	for i := range v.Places {
		before += counts[i]
		v.Places[i] = before + i
	}
}
