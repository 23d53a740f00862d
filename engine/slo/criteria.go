// This file is the criteria: the limits that each request has to keep, as people write them.

package slo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Metric is what a criterion or an objective limits.
type Metric int

// The metrics of one request: a criterion limits one of these. Recordings have Criteria in this order.
const (
	TTFT Metric = iota // time to first token
	TPOT               // time per output token after the first
	E2EL               // end-to-end latency
	TTFA               // time to first answer token: the first that is not reasoning
	metrics
)

// The metrics that only many requests have: an Objective limits any, Criteria none of these.
const (
	ITL       = metrics + iota // inter-token latency, per token
	ErrorRate                  // share of requests that failed, of those that completed or failed
)

// Errors is the name under which failed requests appear where criteria are named.
const Errors = "errors"

// Metrics returns every metric of one request, in the order in which they are shown.
func Metrics() []Metric { return []Metric{TTFT, TTFA, TPOT, E2EL} }

// String returns the metric's short name, as it is typed.
func (m Metric) String() string {
	switch m {
	case TTFT:
		return "ttft"
	case TPOT:
		return "tpot"
	case E2EL:
		return "e2el"
	case TTFA:
		return "ttfa"
	case ITL:
		return "itl"
	case ErrorRate:
		return Errors
	}
	return fmt.Sprintf("metric(%d)", int(m))
}

// OfTokens reports whether the metric rests on the instants of single tokens within a stream, which say nothing where the
// stream is buffered on its way.
func (m Metric) OfTokens() bool { return m == TTFT || m == TTFA || m == TPOT || m == ITL }

// Criteria are the limits that one request has to keep to count as good, indexed by Metric. Zero: no limit. The zero
// Criteria set no SLO at all.
type Criteria [metrics]time.Duration

// Active reports whether any limit is set.
func (c Criteria) Active() bool { return c != Criteria{} }

// OfTokens reports whether any of the limits rests on the instants of tokens; see Metric.OfTokens.
func (c Criteria) OfTokens() bool {
	return slices.ContainsFunc(Metrics(), func(m Metric) bool { return c[m] > 0 && m.OfTokens() })
}

// String returns the criteria in the form that Parse reads: "ttft=500ms tpot=40ms"; "" where none is set.
func (c Criteria) String() string {
	var parts []string
	for _, m := range Metrics() {
		if c[m] > 0 {
			parts = append(parts, m.String()+"="+c[m].String())
		}
	}
	return strings.Join(parts, " ")
}
