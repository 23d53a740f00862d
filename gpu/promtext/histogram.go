// This file holds histograms as Prometheus counts them.

package promtext

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Histogram counts observations since the server's start. One that came from a summary, or from a bare pair of _sum and
// _count, has no buckets: its mean is known and its quantiles are not. The zero Histogram has seen nothing.
type Histogram struct {
	Buckets []Bucket // by rising bound; the last one is +Inf. nil: not known
	Sum     float64  // of the observations, in the metric's unit
	Count   float64  // of observations
}

// Bucket counts the observations up to a bound.
type Bucket struct {
	UpperBound float64 // inclusive; +Inf in the last bucket
	Count      float64 // cumulative: smaller observations are in it too
}

// Histogram reads the histogram with a name (without _bucket) and labels. Several series, such as those of several engines,
// are added up, which is exact where they have the same bounds. It is false where the page has no such histogram.
func (p Page) Histogram(name string, where ...Label) (Histogram, bool) {
	var h Histogram
	found := false
	for _, s := range p.Samples {
		suffix, ok := strings.CutPrefix(s.Name, name)
		if !ok || !s.Has(where...) {
			continue
		}
		switch suffix {
		case "_sum":
			if !math.IsNaN(s.Value) {
				h.Sum += s.Value
			}
		case "_count":
			if isCount(s.Value) {
				h.Count, found = h.Count+s.Value, true
			}
		case "_bucket":
			bound, err := strconv.ParseFloat(s.Labels["le"], 64)
			if err == nil && !math.IsNaN(bound) && isCount(s.Value) {
				h.Buckets, found = append(h.Buckets, Bucket{UpperBound: bound, Count: s.Value}), true
			}
		}
	}
	h.order()
	return h, found
}

// isCount reports whether a value can be a count: beyond 2^53 a float64 no longer counts one by one.
func isCount(v float64) bool { return v >= 0 && v <= 1<<53 }

// order brings the buckets into order: one for each bound, with counts that rise up to the total whatever the page said, and
// the last one +Inf.
func (h *Histogram) order() {
	if len(h.Buckets) == 0 {
		return
	}
	slices.SortStableFunc(h.Buckets, func(a, b Bucket) int { return cmp.Compare(a.UpperBound, b.UpperBound) })
	merged := h.Buckets[:1]
	for _, b := range h.Buckets[1:] {
		if last := &merged[len(merged)-1]; last.UpperBound == b.UpperBound {
			last.Count += b.Count
		} else {
			merged = append(merged, b)
		}
	}
	if last := merged[len(merged)-1]; !math.IsInf(last.UpperBound, 1) {
		merged = append(merged, Bucket{UpperBound: math.Inf(1), Count: h.Count})
	}
	h.Count = 0
	for i := range merged {
		h.Count = max(h.Count, merged[i].Count)
		merged[i].Count = h.Count
	}
	h.Buckets = merged
}

// Since returns what was observed after an earlier reading of the same histogram. Where the counts have fallen or the
// bounds have changed, the server has started anew in between: then it returns what was observed since that, and true.
func (h Histogram) Since(earlier Histogram) (since Histogram, restarted bool) {
	if earlier.Count == 0 {
		return h, false
	}
	if h.Count < earlier.Count || len(h.Buckets) != len(earlier.Buckets) {
		return h, true
	}
	since = Histogram{Sum: h.Sum - earlier.Sum, Count: h.Count - earlier.Count}
	if len(h.Buckets) > 0 {
		since.Buckets = make([]Bucket, len(h.Buckets))
	}
	for i, b := range h.Buckets {
		before := earlier.Buckets[i]
		if b.UpperBound != before.UpperBound || b.Count < before.Count {
			return h, true
		}
		since.Buckets[i] = Bucket{UpperBound: b.UpperBound, Count: b.Count - before.Count}
	}
	since.order()
	return since, false
}

// Plus returns the observations of both histograms. Where only one has buckets, so has the result: none.
func (h Histogram) Plus(other Histogram) Histogram {
	switch {
	case other.Count == 0:
		return h
	case h.Count == 0:
		return other
	}
	sum := Histogram{Sum: h.Sum + other.Sum, Count: h.Count + other.Count}
	if len(h.Buckets) > 0 && len(other.Buckets) > 0 {
		sum.Buckets = slices.Concat(h.Buckets, other.Buckets)
		sum.order()
	}
	return sum
}

// Times returns the histogram in another unit: milliseconds become seconds with 0.001.
func (h Histogram) Times(factor float64) Histogram {
	h.Sum *= factor
	h.Buckets = slices.Clone(h.Buckets)
	for i := range h.Buckets {
		h.Buckets[i].UpperBound *= factor
	}
	return h
}

// Mean is the exact mean of the observations, in the metric's unit; NaN: there are none.
func (h Histogram) Mean() float64 {
	if h.Count <= 0 {
		return math.NaN()
	}
	return h.Sum / h.Count
}

// Quantile estimates the q-quantile (q from 0 to 1) in the metric's unit: linear within its bucket, the way PromQL's
// histogram_quantile does, so it is off by at most the bucket's width. +Inf: it lies above the last finite bound. NaN:
// there are no observations, no buckets, or no such quantile.
func (h Histogram) Quantile(q float64) float64 {
	if len(h.Buckets) == 0 || h.Count <= 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	rank := q * h.Count
	i, _ := slices.BinarySearchFunc(h.Buckets, rank, func(b Bucket, rank float64) int { return cmp.Compare(b.Count, rank) })
	for i < len(h.Buckets)-1 && h.Buckets[i].Count == 0 {
		i++ // the lowest rank, 0, belongs to the first bucket with anything in it
	}
	i = min(i, len(h.Buckets)-1)
	upper := h.Buckets[i].UpperBound
	if math.IsInf(upper, 1) {
		return upper
	}
	lower, below := min(0, upper), 0.0
	if i > 0 {
		lower, below = h.Buckets[i-1].UpperBound, h.Buckets[i-1].Count
	}
	inside := h.Buckets[i].Count - below
	if inside <= 0 || math.IsInf(lower, -1) {
		return upper
	}
	return lower + (upper-lower)*(rank-below)/inside
}
