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
	of     func(e *stats.Ended, i int) int64
}

// figures are all of them, in the order in which they are listed.
func figures() []figure {
	span := func(of func(e *stats.Ended) []time.Duration) func(*stats.Ended, int) int64 {
		return func(e *stats.Ended, i int) int64 { return int64(of(e)[i]) }
	}
	count := func(of func(e *stats.Ended) []int32) func(*stats.Ended, int) int64 {
		return func(e *stats.Ended, i int) int64 { return int64(of(e)[i]) }
	}
	return []figure{
		{Ended, false, true, func(e *stats.Ended, i int) int64 { return int64(i) }},
		{Number, false, true, func(e *stats.Ended, i int) int64 { return int64(e.ID[i]) }},
		{Began, false, true, func(e *stats.Ended, i int) int64 { return int64(e.Began[i]) }},
		{Stage, false, false, func(e *stats.Ended, i int) int64 { return max(int64(e.Stage[i]), unknown) }},
		{Slot, false, true, count(func(e *stats.Ended) []int32 { return e.Slot })},
		{Endpoint, false, true, func(e *stats.Ended, i int) int64 { return int64(e.Endpoint[i]) }},
		{Prompt, false, true, count(func(e *stats.Ended) []int32 { return e.Input })},
		{Output, false, true, count(func(e *stats.Ended) []int32 { return e.Output })},
		{Reasoning, false, false, count(func(e *stats.Ended) []int32 { return e.Reasoning })},
		{Lag, true, true, span(func(e *stats.Ended) []time.Duration { return e.Lag })},
		{Connect, true, false, span(func(e *stats.Ended) []time.Duration { return e.Connect })},
		{TTFT, true, true, span(func(e *stats.Ended) []time.Duration { return e.TTFT })},
		{TTFA, true, true, span(func(e *stats.Ended) []time.Duration { return e.TTFA })},
		{TPOT, true, true, span(func(e *stats.Ended) []time.Duration { return e.TPOT })},
		{E2EL, true, true, span(func(e *stats.Ended) []time.Duration { return e.E2EL })},
		{Gap, true, true, span(func(e *stats.Ended) []time.Duration { return e.GapMax })},
	}
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
	}
	return e.TTFT
}

// last is where what is unknown comes, whichever way rows are sorted.
const last = time.Duration(math.MaxInt64)

// keys are the values of a figure in the order in which rows are to be sorted: the least first.
func (f *figure) key(e *stats.Ended, i int, descending bool) time.Duration {
	v := f.of(e, i)
	switch {
	case v == unknown:
		return last
	case descending:
		return time.Duration(-v)
	}
	return time.Duration(v)
}
