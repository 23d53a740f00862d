// This file is what is asked for of requests: terms that all have to hold, as a person types them.

package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
)

// Filter is what requests have to be to be shown. The zero Filter keeps all. It is a value: two are the same if their texts
// are.
type Filter struct{ text string }

// String is the filter as it is typed, in one spelling; "" keeps all.
func (f Filter) String() string { return f.text }

// term is one condition.
type term struct {
	text string
	keep func(e *stats.Ended) func(i int) bool
	runs func(r *Row) bool // whether it holds already of a request that runs; nil: of none
	// beyond is of a term that holds beyond a percentile of what the other terms keep; nil: keep says it.
	beyond *percentile
}

// operator is what may stand between a figure and a number.
var operator = regexp.MustCompile(`\s*(<=|>=|≤|≥|<|>|=)\s*`)

// Parse reads terms, parted by blanks, that all have to hold:
//
//	failed  ok  cancelled  stalled  truncated    how it ended, with the kind of failure
//	missed  missed ttft                          over a limit of the SLO, or over that of a metric
//	slow e2el  beyond ttft p99                   beyond the P95, or another percentile, of what the other terms keep
//	at 12:05..12:10  first 12:05..  ended 12:05  in flight then, or the first token came, or it ended; a second alone
//	stage 3  endpoint 2  slot 5  #412            where it ran, and its number
//	ttft>1s  tokens>=500  prompt<100  gap>200ms  a figure against a number
//
// The error is a sentence that lists what there is.
func Parse(text string) (Filter, error) {
	terms, err := parseTerms(text, 0)
	if err != nil {
		return Filter{}, err
	}
	texts := make([]string, len(terms))
	for i := range terms {
		texts[i] = terms[i].text
	}
	return Filter{strings.Join(texts, " ")}, nil
}

func parseTerms(text string, begun record.Instant) ([]term, error) {
	words := strings.Fields(operator.ReplaceAllString(strings.ToLower(text), "$1"))
	var terms []term
	for len(words) > 0 {
		t, n, err := parseTerm(words, begun)
		if err != nil {
			return nil, err
		}
		terms, words = append(terms, t), words[n:]
	}
	return terms, nil
}

// terms are its conditions, on a run whose load began at an instant.
func (f Filter) terms(begun record.Instant) []term {
	terms, _ := parseTerms(f.text, begun) // Parse has read it before
	return terms
}

// parseTerm reads the first term, and says of how many words it is.
func parseTerm(words []string, begun record.Instant) (term, int, error) {
	word, next := words[0], ""
	if len(words) > 1 {
		next = words[1]
	}
	ending := func(want slo.Ending) term {
		return term{text: word, keep: func(e *stats.Ended) func(int) bool {
			column := e.Ending
			return func(i int) bool { return column[i] == want }
		}}
	}
	switch word {
	case "failed":
		return ending(slo.Failed), 1, nil
	case "ok":
		return ending(slo.OK), 1, nil
	case "cancelled":
		return ending(slo.Cancelled), 1, nil
	case "stalled":
		return term{
			text: word, keep: (*stats.Ended).Stalled, runs: func(r *Row) bool { return len(r.Stalls) > 0 },
		}, 1, nil
	case "missed":
		return missedTerm(next)
	case "slow":
		m, ok := metricOf(next)
		if !ok {
			return term{}, 0, fmt.Errorf("slow by what? write slow and one of %s", metricNames())
		}
		return term{text: "slow " + next, beyond: &percentile{Figure(m.String()), slowest}}, 2, nil
	case "beyond":
		return beyondTerm(words)
	case "at", "first", "ended":
		return timeTerm(word, next, begun)
	case "stage", "endpoint", "slot", "number":
		n, err := strconv.ParseUint(next, 10, 31)
		if err != nil {
			return term{}, 0, fmt.Errorf("%s needs a number, such as %s 2", word, word)
		}
		return equal(Figure(word), int64(n), word+" "+strconv.FormatUint(n, 10)), 2, nil
	}
	if digits, ok := strings.CutPrefix(word, "#"); ok {
		n, err := strconv.ParseUint(digits, 10, 62)
		if err != nil {
			return term{}, 0, fmt.Errorf("%q is no request; its number stands in the first column, such as #412", word)
		}
		return equal(Number, int64(n), "#"+strconv.FormatUint(n, 10)), 1, nil
	}
	if kind := record.Kind(word); slices.Contains(stats.Kinds(), kind) {
		return term{text: word, keep: func(e *stats.Ended) func(int) bool { return e.OfKind(kind) }}, 1, nil
	}
	if at := operator.FindStringIndex(word); at != nil {
		return comparison(word[:at[0]], word[at[0]:at[1]], words, at[1])
	}
	return term{}, 0, fmt.Errorf("%q is no filter; there are failed, ok, cancelled, stalled, missed (ttft), slow e2el, beyond ttft p99, "+
		"stage 3, endpoint 2, slot 5, #412, at 12:05..12:10 (first, ended), a kind of failure such as truncated, and %s against a number, such as ttft>1s or tokens>500",
		word, strings.Join(comparable(), ", "))
}

// missedTerm is of requests over a limit: that of the metric that follows or, where none does, any.
func missedTerm(next string) (term, int, error) {
	if m, ok := metricOf(next); ok {
		return term{
			text: "missed " + next, keep: func(e *stats.Ended) func(int) bool { return over(e, m) },
			runs: func(r *Row) bool { return slices.Contains(r.Missed, m) },
		}, 2, nil
	}
	return term{text: "missed", runs: func(r *Row) bool { return len(r.Missed) > 0 }, keep: func(e *stats.Ended) func(int) bool {
		var any []func(int) bool
		for _, m := range slo.Metrics() {
			if e.Criteria[m] > 0 {
				any = append(any, over(e, m))
			}
		}
		return func(i int) bool {
			return len(any) > 0 && e.Ending[i] == slo.Failed || slices.ContainsFunc(any, func(is func(int) bool) bool { return is(i) })
		}
	}}, 1, nil
}

// over reports which requests completed, and over the limit of a metric.
func over(e *stats.Ended, m slo.Metric) func(i int) bool {
	column, ending, criteria := of(e, m), e.Ending, e.Criteria
	return func(i int) bool { return criteria.Over(m, column[i]) && ending[i] == slo.OK }
}

func metricOf(name string) (slo.Metric, bool) {
	for _, m := range slo.Metrics() {
		if m.String() == name {
			return m, true
		}
	}
	return 0, false
}

func metricNames() string {
	var names []string
	for _, m := range slo.Metrics() {
		names = append(names, m.String())
	}
	return strings.Join(names, ", ")
}

// comparable are the names of the figures that stand against a number.
func comparable() []string {
	var names []string
	for _, f := range figures() {
		if f.compares() {
			names = append(names, string(f.name))
		}
	}
	return names
}

// compares reports whether a figure stands against a number, for it is more than a name.
func (f *figure) compares() bool {
	switch f.name {
	case Ended, Number, Began, Stage, Slot, Endpoint:
		return false
	}
	return true
}

// comparison reads what a figure is held against: what stands behind position from in the first word and, of a time, a unit
// in the next.
func comparison(name, op string, words []string, from int) (term, int, error) {
	f, ok := lookup(Figure(name))
	if !ok || !f.compares() {
		return term{}, 0, fmt.Errorf("%q has no number; there are %s", name, strings.Join(comparable(), ", "))
	}
	value, n := words[0][from:], 1
	if f.time && len(words) > 1 && units.IsTimeUnit(words[1]) {
		value, n = value+words[1], 2
	}
	var limit int64
	var written string
	if f.time {
		d, err := units.ParseTime(value, name+op+"300ms")
		if err != nil {
			return term{}, 0, err
		}
		limit, written = int64(d), units.Time(d)
	} else {
		tokens, err := units.ParseCount(value)
		if err != nil {
			return term{}, 0, fmt.Errorf("%s is a number of tokens: %w", name, err)
		}
		limit, written = int64(tokens), strconv.Itoa(tokens)
	}
	holds := map[string]func(a, b int64) bool{
		"<": func(a, b int64) bool { return a < b }, "<=": func(a, b int64) bool { return a <= b },
		">": func(a, b int64) bool { return a > b }, ">=": func(a, b int64) bool { return a >= b },
		"=": func(a, b int64) bool { return a == b },
	}
	op = strings.NewReplacer("≤", "<=", "≥", ">=").Replace(op)
	compare := holds[op]
	return term{
		text: name + op + written,
		keep: func(e *stats.Ended) func(int) bool {
			value := f.of(e)
			return func(i int) bool {
				v := value(i)
				return v != unknown && compare(v, limit)
			}
		},
		runs: func(r *Row) bool {
			v, grows := soFar(f.name, r)
			return v != unknown && compare(v, limit) && (!grows || op[0] == '>')
		},
	}, n, nil
}

func equal(name Figure, n int64, text string) term {
	f, _ := lookup(name)
	return term{
		text: text,
		keep: func(e *stats.Ended) func(int) bool {
			value := f.of(e)
			return func(i int) bool { return value(i) == n }
		},
		runs: func(r *Row) bool {
			v, _ := soFar(name, r)
			return v == n
		},
	}
}
