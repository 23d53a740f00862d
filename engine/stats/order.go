// This file puts only as much of a set in order as its percentiles need.

package stats

import (
	"math"
	"slices"
	"time"
)

const (
	sortedBelow  = 32   // the length up to which sorting is cheaper than selecting
	sampledAbove = 1024 // and beyond which a pivot for one index is looked for in a sample
	sampleSize   = 64
)

// Arrange permutes values so that each of the given ascending indices, which it changes, holds what it would hold if all were
// sorted.
func Arrange(values []time.Duration, indices ...int) { arrange(values, indices) }

// arrange permutes values so that each of the given ascending indices holds what it would hold if all were sorted. It is
// Hoare's FIND (Algorithm 65, Communications of the ACM 4:7, 1961) for several indices at once: of two parts around a pivot
// it goes on only with those that hold an index, which takes about as many steps as there are values instead of n·log n.
func arrange(values []time.Duration, indices []int) {
	for len(values) > 0 && len(indices) > 0 {
		if len(values) <= sortedBelow {
			slices.Sort(values)
			return
		}
		below, above := partition(values, pivot(values, indices))
		// values[:below] < pivot, values[below:above] == pivot, values[above:] > pivot
		cut, _ := slices.BinarySearch(indices, below)
		arrange(values[:below], indices[:cut])
		rest, _ := slices.BinarySearch(indices, above)
		indices = shift(indices[rest:], above)
		values = values[above:]
	}
}

// shift makes indices relative to a later beginning, in place: nobody looks at them again.
func shift(indices []int, by int) []int {
	for i := range indices {
		indices[i] -= by
	}
	return indices
}

// pivot is the median of three values or, for a single percentile of many values, one that lies, by a sample of them, little
// further in than that: so nearly all that need not be looked at again lies on one side (Floyd and Rivest, Expected time bounds
// for selection, Communications of the ACM 18:3, 1975).
func pivot(values []time.Duration, indices []int) time.Duration {
	n, first, last := len(values), indices[0], indices[len(indices)-1]
	if n < sampledAbove || last > first+1 {
		return median(values[0], values[n/2], values[n-1])
	}
	var sample [sampleSize]time.Duration
	for i := range sample {
		sample[i] = values[(2*i+1)*n/(2*sampleSize)]
	}
	slices.Sort(sample[:])
	share := float64(first) / float64(n)
	margin := 2 * math.Sqrt(share*(1-share)/sampleSize) // two standard errors
	if share > 0.5 {
		margin = -margin
	}
	return sample[min(max(int((share+margin)*sampleSize), 0), sampleSize-1)]
}

// partition divides values into less than a pivot, equal and greater (Dijkstra's national flag), so that many equal values, as
// rounded latencies are, don't cost more.
func partition(values []time.Duration, pivot time.Duration) (below, above int) {
	below, above = 0, len(values)
	for i := 0; i < above; {
		switch v := values[i]; {
		case v < pivot:
			values[i], values[below] = values[below], v
			below++
			i++
		case v > pivot:
			above--
			values[i], values[above] = values[above], v
		default:
			i++
		}
	}
	return below, above
}

func median(a, b, c time.Duration) time.Duration {
	return max(min(a, b), min(max(a, b), c))
}
