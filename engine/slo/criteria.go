// Package slo holds service-level objectives: what a request must meet, and how many did.
package slo

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Metric is what a criterion or an objective limits.
type Metric int

// The metrics of one request, in the order in which they are shown: a criterion limits one of these.
const (
	TTFT Metric = iota // time to first token
	TPOT               // time per output token after the first
	E2EL               // end-to-end latency
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
func Metrics() []Metric { return []Metric{TTFT, TPOT, E2EL} }

// String returns the metric's short name, as it is typed.
func (m Metric) String() string {
	switch m {
	case TTFT:
		return "ttft"
	case TPOT:
		return "tpot"
	case E2EL:
		return "e2el"
	case ITL:
		return "itl"
	case ErrorRate:
		return Errors
	}
	return fmt.Sprintf("metric(%d)", int(m))
}

// Criteria are the limits that one request has to keep to count as good, indexed by Metric. Zero: no limit. The zero
// Criteria set no SLO at all.
type Criteria [metrics]time.Duration

// Active reports whether any limit is set.
func (c Criteria) Active() bool { return c != Criteria{} }

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

// Parse reads criteria such as "ttft=500ms tpot=40ms e2el=3s": a metric, "=" or "<=", and a duration with its unit,
// separated by spaces or commas. The empty string gives no criteria. Errors are sentences that say what to write.
func Parse(s string) (Criteria, error) {
	var c Criteria
	s = strings.NewReplacer("<=", "=", "≤", "=", ",", " ").Replace(s)
	for _, part := range strings.Fields(s) {
		name, value, ok := strings.Cut(part, "=")
		if !ok || name == "" || value == "" {
			return Criteria{}, fmt.Errorf("%q is not of the form metric=limit, e.g. ttft=500ms", part)
		}
		m, err := parseMetric(name)
		if err != nil {
			return Criteria{}, err
		}
		if c[m] != 0 {
			return Criteria{}, fmt.Errorf("%s is set twice; give it once", m)
		}
		if c[m], err = parseLimit(m, value); err != nil {
			return Criteria{}, err
		}
	}
	return c, nil
}

func parseMetric(name string) (Metric, error) {
	switch strings.ToLower(name) {
	case "ttft":
		return TTFT, nil
	case "tpot":
		return TPOT, nil
	case "e2el", "e2e":
		return E2EL, nil
	case "itl":
		return 0, errors.New("itl is a figure of tokens, not of requests; limit tpot instead, e.g. tpot=40ms")
	case Errors:
		return 0, errors.New("errors is a share of many requests, not a latency; write an objective, e.g. errors <= 1% over 1m")
	}
	return 0, fmt.Errorf("there is no metric %q; there are ttft, tpot and e2el", name)
}

func parseLimit(m Metric, value string) (time.Duration, error) {
	if strings.Trim(value, "0123456789.") == "" {
		return 0, fmt.Errorf("%s=%s needs a unit, e.g. %s=%sms", m, value, m, value)
	}
	d, err := time.ParseDuration(strings.ToLower(value))
	if err != nil {
		return 0, fmt.Errorf("%s=%s is not a duration; write it like 500ms or 1.5s", m, value)
	}
	if d <= 0 {
		return 0, fmt.Errorf("%s=%s must be above zero; leave %s out to set no limit", m, value, m)
	}
	return d, nil
}
