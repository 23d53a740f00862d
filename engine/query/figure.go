// This file is the figures of a request: what rows can be sorted by and held against a number.

package query

import (
	"math"
	"time"

	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Figure is a figure that every request may have, by its name.
type Figure string

// The figures. Ended is the order in which requests ended.
const (
	Ended     Figure = "ended"
	Number    Figure = "number"
	Began     Figure = "began"
	Stage     Figure = "stage"
	Slot      Figure = "slot"
	Endpoint  Figure = "endpoint"
	Prompt    Figure = "prompt" // prompt tokens
	Output    Figure = "tokens" // output tokens
	Reasoning Figure = "reasoning"
	Lag       Figure = "lag" // scheduled or taken up → sent
	Connect   Figure = "connect"
	TTFT      Figure = "ttft"
	TTFA      Figure = "ttfa"
	TPOT      Figure = "tpot"
	E2EL      Figure = "e2el"
	Gap       Figure = "gap" // longest between two chunks
)

// unknown is the value of a figure that a request does not have.
const unknown = -1

// figure is how a figure is read off the columns.
type figure struct {
	name   Figure
	time   bool // it is a time in nanoseconds; else a number
	sorted bool // it makes sense to sort by it
	of     func(e *stats.Ended) func(i int) int64
}

// figures are all of them, in the order in which they are listed.
func figures() []figure {
	times := func(name Figure, sorted bool, of func(e *stats.Ended) []time.Duration) figure {
		return figure{name, true, sorted, func(e *stats.Ended) func(int) int64 { return in(of(e)) }}
	}
	counts := func(name Figure, sorted bool, of func(e *stats.Ended) []int32) figure {
		return figure{name, false, sorted, func(e *stats.Ended) func(int) int64 { return in(of(e)) }}
	}
	return []figure{
		{Ended, false, true, func(*stats.Ended) func(int) int64 { return func(i int) int64 { return int64(i) } }},
		{Number, false, true, func(e *stats.Ended) func(int) int64 { return in(e.ID) }},
		{Began, false, true, func(e *stats.Ended) func(int) int64 { return in(e.Began) }},
		counts(Stage, false, func(e *stats.Ended) []int32 { return e.Stage }),
		counts(Slot, true, func(e *stats.Ended) []int32 { return e.Slot }),
		{Endpoint, false, true, func(e *stats.Ended) func(int) int64 { return in(e.Endpoint) }},
		counts(Prompt, true, func(e *stats.Ended) []int32 { return e.Input }),
		counts(Output, true, func(e *stats.Ended) []int32 { return e.Output }),
		counts(Reasoning, false, func(e *stats.Ended) []int32 { return e.Reasoning }),
		times(Lag, true, func(e *stats.Ended) []time.Duration { return e.Lag }),
		times(Connect, false, func(e *stats.Ended) []time.Duration { return e.Connect }),
		times(TTFT, true, func(e *stats.Ended) []time.Duration { return e.TTFT }),
		times(TTFA, true, func(e *stats.Ended) []time.Duration { return e.TTFA }),
		times(TPOT, true, func(e *stats.Ended) []time.Duration { return e.TPOT }),
		times(E2EL, true, func(e *stats.Ended) []time.Duration { return e.E2EL }),
		times(Gap, true, func(e *stats.Ended) []time.Duration { return e.GapMax }),
	}
}

// in reads a column. It is bound once, and asked for a million rows.
func in[T ~int64 | ~int32 | ~uint64 | ~uint8](column []T) func(i int) int64 {
	return func(i int) int64 { return int64(column[i]) }
}

// lookup finds a figure by its name.
func lookup(name Figure) (figure, bool) {
	for _, f := range figures() {
		if f.name == name {
			return f, true
		}
	}
	return figure{}, false
}

// Sortable are the figures that rows may be sorted by, the first of which is the order in which they are without.
func Sortable() []Figure {
	var names []Figure
	for _, f := range figures() {
		if f.sorted {
			names = append(names, f.name)
		}
	}
	return names
}

// of is the column of a metric of one request.
func of(e *stats.Ended, m slo.Metric) []time.Duration {
	switch m {
	case slo.TPOT:
		return e.TPOT
	case slo.E2EL:
		return e.E2EL
	case slo.TTFA:
		return e.TTFA
	}
	return e.TTFT
}

// last is where what is unknown comes, whichever way rows are sorted.
const last = time.Duration(math.MaxInt64)

// keys are the values of a figure by which rows are put in order: the least first.
func (f *figure) keys(e *stats.Ended, r *rows, descending bool) []time.Duration {
	of, keys := f.of(e), make([]time.Duration, r.n)
	for k := range keys {
		keys[k] = keyOf(of(r.at(k)), descending)
	}
	return keys
}

// keyOf is the value by which a figure puts a row in order.
func keyOf(v int64, descending bool) time.Duration {
	switch {
	case v == unknown:
		return last
	case descending:
		v = -v
	}
	return time.Duration(v)
}
