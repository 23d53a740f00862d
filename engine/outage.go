// This file knows when requests do nothing but fail, and how long a slot then rests.

package engine

import (
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// What makes failures an outage, and how load backs off from one.
const (
	leastFailures = 5               // in a row; fewer are chance
	downAfter     = 3 * time.Second // of nothing but failures
	// refusedPause is how long a slot rests after any request that the endpoint could not or would not consider. Without
	// it, a server that is down turns a closed loop into thousands of failures a second, and says nothing more by that.
	refusedPause = 250 * time.Millisecond
	shortestRest = time.Second // once nothing has succeeded for as long
	longestRest  = 5 * time.Second
)

// outage follows whether anything succeeds. A row of failures ends with a request that completes, and while requests are
// being answered there is none: an endpoint that turns away what is too much for it is not down. What fails on this
// machine, for want of files or ports or of something to say, tells nothing of the endpoint. The zero outage has seen no
// request; all methods may be called from anywhere.
type outage struct {
	mu        sync.Mutex
	answering bool           // requests in flight have been answered for a while
	failures  int            // in a row
	since     record.Instant // when the first of them ended; 0: there are none
	over      record.Instant // when the last outage ended; 0: there was none
}

// took takes in a request that has ended, and returns how long its slot is to rest: not at all after a lone failure, and
// the longer the longer nothing has succeeded, so that the failures of all slots together become rare within seconds.
// Slots that failed together do not come back together.
func (o *outage) took(r *record.Record) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case r.Outcome == record.OK:
		o.end(r.End)
		return 0
	case r.Outcome != record.Failed:
		return 0
	case ours(r):
		return refusedPause
	case !o.answering:
		o.failures++
		if o.since == 0 {
			o.since = r.End
		}
	}
	var rest time.Duration
	if refused(r) {
		rest = refusedPause
	}
	return max(rest, jittered(o.rest(r.End), r.ID))
}

// end ends a row of failures.
func (o *outage) end(now record.Instant) {
	if o.down(now) {
		o.over = now
	}
	o.failures, o.since = 0, 0
}

// rest is how long a slot rests at most after a failure: half as long as nothing has succeeded, which makes each rest half
// as long again as the one before; from a second on, between shortestRest and longestRest.
func (o *outage) rest(now record.Instant) time.Duration {
	if o.failures < leastFailures {
		return 0
	}
	row, _ := now.Since(o.since)
	rest := min(row/2, longestRest)
	if row >= shortestRest {
		rest = max(rest, shortestRest)
	}
	return rest
}

// sheds is how long arrivals are left out after a failure in an outage; 0 where there is none.
func (o *outage) sheds(now record.Instant) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.down(now) {
		return 0
	}
	return o.rest(now)
}

// jittered is between half of a rest and all of it, by the request's number.
func jittered(rest time.Duration, id uint64) time.Duration {
	const golden = 0x9E3779B97F4A7C15 // Knuth's multiplicative hash: neighbours come to lie far apart
	share := float64((id*golden)>>11) / (1 << 53)
	return rest - time.Duration(share*float64(rest/2))
}

func (o *outage) down(now record.Instant) bool {
	row, _ := now.Since(o.since)
	return o.failures >= leastFailures && row >= downAfter
}

// look takes in whether requests in flight are being answered.
func (o *outage) look(answering bool, now record.Instant) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.answering = answering; answering {
		o.end(now)
	}
}

// show puts into a snapshot, of an outage, since when it lasts.
func (o *outage) show(s *snapshot.Snapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s.Outage = snapshot.Outage{Over: o.over}
	if s.State != snapshot.Running || !o.down(s.At) {
		return
	}
	s.Outage.Since = o.since
	s.Outage.Rest = o.rest(s.At)
}

// ours reports whether a request failed by what is on this machine, not by the endpoint.
func ours(r *record.Record) bool {
	switch r.Kind {
	case record.KindMalformed:
		return r.Sent == 0
	case record.KindClientFD, record.KindClientPort:
		return true
	}
	return false
}

// refused reports whether a request failed before the endpoint considered it. A 429 is not that: it is the endpoint's
// answer to the load.
func refused(r *record.Record) bool {
	switch r.Kind {
	case record.KindConnect, record.KindTLS, record.KindHTTP4xx:
		return true
	}
	return false
}
