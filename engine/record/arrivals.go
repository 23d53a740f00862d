// This file is how the chunks of an answer came: one by one, or many at a time.

package record

import "time"

// Together is how soon after the first of them token events count as having come at once: what is written at once may come
// in several segments, and be read in several reads.
const Together = time.Millisecond

// Arrivals is how the token events of the choice that spoke first came. With several choices, a server writes one chunk for
// each of them at a time, which hides nothing.
type Arrivals struct {
	Events  int // its token events
	Times   int // that something came: events of one read, or within Together, count once
	Opening int // events that came the first time
}

const (
	leastEvents = 4 // of an answer of which it is told how they came
	// An answer that a model which writes several tokens a step sends chunk by chunk comes a few at a time, with the time of a
	// step between; but its first token is alone, for it comes from the prompt. Buffers hold back the first ones as well.
	mostAStep     = 8
	openingClump  = 3
	leastPerClump = 2
)

// Clumped reports whether the chunks of an answer came many at a time, as a buffer on their way hands them out, and the mean
// wait for each time. It is not known of an answer of few chunks, nor of one that was not streamed.
func (r *Record) Clumped() (wait time.Duration, clumped, known bool) {
	a := &r.Arrivals
	if a.Events < leastEvents {
		return 0, false, false
	}
	if a.Events <= leastPerClump*a.Times || a.Opening < openingClump && a.Events <= mostAStep*a.Times {
		return 0, false, true
	}
	if a.Times == 1 {
		wait, known = r.TTFT()
		return wait, true, known
	}
	wait, known = r.GenerationTime()
	return wait / time.Duration(a.Times-1), true, known
}
