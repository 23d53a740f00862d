// This file is one objective: a percentile, a threshold, a window, and how often it has to hold.

package slo

import (
	"fmt"
	"math"
	"strings"
	"time"

	"tokdyno/engine/units"
)

// What an objective has where its text does not say.
const (
	DefaultWindow = 30 * time.Second // what live panels look back
	DefaultTarget = 0.99
)

// The windows that an objective may look back: a second is how often it is judged, an hour is what a Tracker keeps.
const (
	ShortestWindow = time.Second
	LongestWindow  = time.Hour
)

// Objective is a service-level objective of five elements, such as "ttft p99 <= 500ms over 5m for 99.9%": at each
// second, the P99 of TTFT over the last five minutes is compared with 500 ms, and 99.9 % of those verdicts have to hold.
//
// It is a value, and two objectives are the same if they are ==.
type Objective struct {
	Metric     Metric
	Percentile float64       // 0–1; 0 for ErrorRate, which has none
	Limit      time.Duration // of a latency, inclusive; 0 for ErrorRate
	MaxErrors  float64       // of ErrorRate, 0–1, inclusive; 0 for latencies
	Window     time.Duration
	Target     float64 // attainment that is asked for, above 0, up to 1
}

// Measured is what an objective's metric was over its window. N == 0: unknown, and nothing else in it counts.
type Measured struct {
	Latency time.Duration // the percentile; of ErrorRate: unused
	Errors  float64       // ErrorRate, 0–1; of latencies: unused
	N       int           // samples behind it
}

// String returns the objective in the form that ParseObjectives reads, with every element.
func (o Objective) String() string {
	return fmt.Sprintf("%s over %s for %s", o.Short(), units.Time(o.Window), units.Share(o.Target))
}

// Short returns the objective without window and target: "ttft p99 <= 500ms".
func (o Objective) Short() string {
	if o.Metric == ErrorRate {
		return o.Metric.String() + " <= " + units.Share(o.MaxErrors)
	}
	return fmt.Sprintf("%s p%s <= %s", o.Metric, strings.TrimSuffix(units.Share(o.Percentile), "%"), units.Time(o.Limit))
}

// Validate returns nil, or one sentence that says which element is wrong and what it may be.
func (o Objective) Validate() error {
	switch {
	case o.Metric < TTFT || o.Metric > ErrorRate:
		return fmt.Errorf("there is no metric %d; there are %s", int(o.Metric), metricNames)
	case o.Metric == ErrorRate && (o.Percentile != 0 || o.Limit != 0):
		return fmt.Errorf("errors has neither a percentile nor a limit in time; write errors <= 1%%")
	case o.Metric == ErrorRate && !(o.MaxErrors >= 0 && o.MaxErrors < 1):
		return fmt.Errorf("errors <= %s is out of range; the limit goes from 0%% to below 100%%", units.Share(o.MaxErrors))
	case o.Metric != ErrorRate && !(o.Percentile > 0 && o.Percentile <= 1):
		return fmt.Errorf("%s needs a percentile above 0 and up to 100, e.g. %s p99 <= 500ms", o.Metric, o.Metric)
	case o.Metric != ErrorRate && o.Limit <= 0:
		return fmt.Errorf("the limit of %s must be above zero, e.g. 500ms", o.Metric)
	case o.Metric != ErrorRate && o.MaxErrors != 0:
		return fmt.Errorf("%s has a limit in time, not a share of errors", o.Metric)
	case o.Window < ShortestWindow || o.Window > LongestWindow:
		return fmt.Errorf("window %s is out of range; it goes from 1s to 1h", units.Time(o.Window))
	case !(o.Target > 0 && o.Target <= 1):
		return fmt.Errorf("target %s is out of range; it is above 0%% and at most 100%%", units.Share(o.Target))
	}
	return nil
}

// Needed is how many samples a second's window must hold for a verdict on it: as many as one of them may be over the limit,
// 1/(1 − percentile), or one failed. See Needed.
func (o Objective) Needed() int {
	if o.Metric == ErrorRate {
		return Needed(1 - o.MaxErrors)
	}
	return Needed(o.Percentile)
}

// verdict compares what was measured with the limit. Of latencies, too few samples have no verdict, because their percentile
// is that of one of them; failures are judged as any requests are, see Decide.
func (o Objective) verdict(m Measured) Verdict {
	switch {
	case m.N == 0:
		return Unknown
	case o.Metric == ErrorRate:
		failed := int(math.Round(m.Errors * float64(m.N)))
		return Decide(m.N-failed, m.N, 0, 1-o.MaxErrors).Verdict
	case m.N < o.Needed():
		return Unknown
	case m.Latency <= o.Limit:
		return Held
	}
	return Missed
}

// limit is what value is compared with.
func (o Objective) limit() float64 {
	if o.Metric == ErrorRate {
		return o.MaxErrors
	}
	return float64(o.Limit)
}

// sameSeries reports whether two objectives look at the same figure, so that what was measured for one serves the other.
func (o Objective) sameSeries(p Objective) bool {
	return o.Metric == p.Metric && o.Percentile == p.Percentile && o.Window == p.Window
}
