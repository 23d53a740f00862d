// This file puts only as much of a set in order as its percentiles need.

package stats

import (
	"slices"
	"time"
)

// sortedBelow is the length up to which sorting is cheaper than selecting.
const sortedBelow = 32

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
		below, above := partition(values)
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

// partition divides values by the median of three of them into less, equal and greater (Dijkstra's national flag), so that
// many equal values, as rounded latencies are, don't cost more.
func partition(values []time.Duration) (below, above int) {
	pivot := median(values[0], values[len(values)/2], values[len(values)-1])
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
