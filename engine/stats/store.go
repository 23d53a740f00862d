// This file is what a collector keeps, and answers from.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// store is what a collector has taken in. Its methods answer questions about it; those of the Collector, which put things
// into it, are the only ones that change what it says.
type store struct {
	method Method

	criteria  slo.Criteria
	rescoring rescoring
	time      timeline
	stages    []stagePart
	run       [phases]part // the same parts of all stages, pooled
	running   map[*Running]struct{}
	firsts    firsts
	edits     edits // of firsts
	dones     dones
	stalls    stalls
	whole     openable
	counts    Counts
	problems  problems
	history   history
	outside   tokenTotals // of completed requests that belong to no stage
	ratio     tokenRatio

	lag, dispatch recent
	late          time.Duration // see ClientLate

	sliding [slidingWindows]sliding
	misses  missCounters // of the objectives that were asked about last

	both   [2]*part        // scratch of partsOf
	values []time.Duration // scratch
	before []sample        // scratch
	merged Histogram       // scratch
	gaps   Histogram       // scratch
}

// sample is a latency, and when it was known.
type sample struct {
	at    record.Instant
	value time.Duration
}

// tokenRatio is the mean number of tokens that a chunk carries, over completed requests whose N_out is known.
type tokenRatio struct{ tokens, chunks float64 }

func (r tokenRatio) value() float64 {
	if r.chunks == 0 {
		return 1
	}
	return r.tokens / r.chunks
}
