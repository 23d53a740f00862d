// This file sums up what several servers say, of which each has a part of one load.

package server

import (
	"fmt"
	"slices"

	"tokdyno/gpu/optional"
)

// Replica is what one of several servers says of itself.
type Replica struct {
	URL                       string // of its page, without secrets
	Running, Waiting, KVUsage optional.Value
}

// Sum combines the metrics of several servers, as those of several engines on one page are; see Metrics. What one of them does
// not tell is not known of all. It has the time of the oldest.
func Sum(all []Metrics) Metrics {
	sum := unknown("")
	sum.Kind, sum.At, sum.Simulated = all[0].Kind, all[0].At, false
	for i := range all {
		m := &all[i]
		if m.At.Before(sum.At) {
			sum.At = m.At
		}
		sum.Simulated = sum.Simulated || m.Simulated
		sum.Engines += max(m.Engines, 1)
		sum.Skipped += m.Skipped
		sum.Loaded = append(sum.Loaded, m.Loaded...)
		sum.Each = append(sum.Each, Replica{m.URL, m.Running, m.Waiting, m.KVUsage})
	}
	sum.URL = fmt.Sprintf("%s and %d more", all[0].URL, len(all)-1)
	for _, p := range properties {
		switch {
		case p.times != nil:
			*p.times(&sum) = sumOfTimes(all, p)
			continue
		case p.list != nil:
			*p.list(&sum) = sumOfLists(all, p)
			continue
		}
		var values []float64
		into := p.value(&sum)
		for i := range all {
			v := *p.value(&all[i])
			if !v.OK() {
				*into, values = v, nil
				break
			}
			values = append(values, v.V)
		}
		if values != nil {
			*into = optional.Of(p.combine.of(values))
		}
	}
	return sum
}

// sumOfLists adds up lists, position by position; nil where one has none, or others.
func sumOfLists(all []Metrics, p property) []float64 {
	sum := slices.Clone(*p.list(&all[0]))
	for i := range all[1:] {
		more := *p.list(&all[i+1])
		if len(more) != len(sum) {
			return nil
		}
		for j := range sum {
			sum[j] += more[j]
		}
	}
	return sum
}

// sumOfTimes adds up histograms.
func sumOfTimes(all []Metrics, p property) Histogram {
	sum := *p.times(&all[0])
	for i := range all[1:] {
		more := p.times(&all[i+1])
		if !sum.OK() {
			return sum
		}
		if !more.OK() {
			return *more
		}
		sum.Histogram = sum.Plus(more.Histogram)
	}
	return sum
}
