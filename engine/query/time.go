// This file is terms of a filter that ask when something happened, and which are beyond a percentile.

package query

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
)

// percentile is one of a figure.
type percentile struct {
	figure Figure
	p      float64 // more than 0 and less than 1
}

// slowest is the percentile beyond which a request is slow.
const slowest = 0.95

// beyondTerm reads "beyond ttft p99", of a figure that can be held against a number.
func beyondTerm(words []string) (term, int, error) {
	const example = "beyond ttft p99"
	if len(words) < 3 {
		return term{}, 0, fmt.Errorf("beyond which percentile of what? write it like %s", example)
	}
	f, ok := lookup(Figure(words[1]))
	if !ok || !f.compares() {
		return term{}, 0, fmt.Errorf("%q has no percentiles; there are %s", words[1], strings.Join(comparable(), ", "))
	}
	digits, ok := strings.CutPrefix(words[2], "p")
	p, err := units.ParseNumber(digits)
	if !ok || err != nil || !(p > 0 && p < 100) {
		return term{}, 0, fmt.Errorf("%q is no percentile; write it like %s", words[2], example)
	}
	return term{
		text:   fmt.Sprintf("beyond %s p%s", f.name, strconv.FormatFloat(p, 'f', -1, 64)),
		beyond: &percentile{f.name, p / 100},
	}, 3, nil
}

// During is the term of requests that were in flight from a time since the load began until before another, "at", or whose first
// token came then, "first", or that ended then, "ended".
func During(what string, from, to time.Duration) string {
	return what + " " + units.Clock(from) + ".." + units.Clock(to)
}

// timeTerm reads a stretch of the run, whose load began at an instant, of a second where it has no end; see During.
func timeTerm(what, span string, begun record.Instant) (term, int, error) {
	begin, end, both := strings.Cut(span, "..")
	from, err := units.ParseClock(begin)
	if err != nil {
		return term{}, 0, fmt.Errorf("%s when? write it like %s 12:05..12:10 or %s 12:05", what, what, what)
	}
	to := from + time.Second
	if both {
		if to, err = units.ParseClock(end); err != nil || to <= from {
			return term{}, 0, fmt.Errorf("%s %s..%s has no end after its beginning; write it like %s 12:05..12:10", what, begin, end, what)
		}
	}
	begun = max(begun, 1)
	first, last := begun.Add(from), begun.Add(to)
	within := func(at record.Instant) bool { return at >= first && at < last }
	t := term{text: During(what, from, to)}
	switch what {
	case "at":
		t.keep = func(e *stats.Ended) func(int) bool {
			began, at := e.Began, e.At
			return func(i int) bool { return began[i] < last && at[i] >= first }
		}
		t.runs = func(r *Row) bool { return r.Began < last && r.End >= first }
	case "first":
		t.keep = func(e *stats.Ended) func(int) bool {
			began, lag, ttft := e.Began, e.Lag, e.TTFT
			return func(i int) bool { return within(after(after(began[i], lag[i]), ttft[i])) }
		}
		t.runs = func(r *Row) bool { return within(r.First) }
	default:
		t.keep = func(e *stats.Ended) func(int) bool {
			at := e.At
			return func(i int) bool { return within(at[i]) }
		}
	}
	return t, 2, nil
}
