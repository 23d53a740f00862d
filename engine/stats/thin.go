// This file keeps a trend at a bounded length, however long it becomes.

package stats

import (
	"math"
	"time"

	"tokdyno/engine/record"
)

const (
	// keepPoints is how many of a trend's latest points are kept as they are, one a second.
	keepPoints = 3600
	// keepThinned is how many of those before are kept at most, each of several seconds.
	keepThinned = 3600
	// leastSpan is the least that one of those is of.
	leastSpan = 10 * time.Second
)

// Trend is points in order of time, one a second, of which those of long ago have become one for every few seconds. Its
// length is bounded. An element that was seen never changes, so that Points may be shared. The zero Trend is empty.
type Trend[T any] struct {
	points []T
	old    int           // so many of them, the first, are of span each
	span   time.Duration // 0: no point is old
}

// Points are those so far; shared, so never to be changed.
func (t *Trend[T]) Points() []T { return t.points[:len(t.points):len(t.points)] }

// Clone is the same, to which others can be added.
func (t *Trend[T]) Clone() Trend[T] { return Trend[T]{points: t.Points(), old: t.old, span: t.span} }

// Append adds a point, after the others. at is the end of a point's time; merge makes one of several that follow each other.
func (t *Trend[T]) Append(p T, at func(*T) record.Instant, merge func([]T) T) {
	if len(t.points)-t.old >= 2*keepPoints {
		t.thin(at, merge)
	}
	t.points = append(t.points, p)
}

// thin makes the points before the last keepPoints fewer.
func (t *Trend[T]) thin(at func(*T) record.Instant, merge func([]T) T) {
	head := t.points[:len(t.points)-keepPoints]
	var ends []int
	ends, t.span = wider(head, at, t.span)
	points := make([]T, 0, len(ends)+2*keepPoints)
	from := 0
	for _, end := range ends {
		points = append(points, merge(head[from:end]))
		from = end
	}
	t.old = len(points)
	t.points = append(points, t.points[len(head):]...)
}

// wider cuts old points into groups of a span that makes them no more than keepThinned: the present one, or some octaves of it.
func wider[T any](points []T, at func(*T) record.Instant, span time.Duration) ([]int, time.Duration) {
	span = max(span, leastSpan)
	ends := groups(points, at, span)
	for len(ends) > keepThinned {
		span *= 2
		ends = groups(points, at, span)
	}
	return ends, span
}

// groups cuts points into those that lie within one span each, and returns where each group ends.
func groups[T any](points []T, at func(*T) record.Instant, span time.Duration) (ends []int) {
	in := func(i int) int64 { return (int64(at(&points[i])) - 1) / int64(span) } // a point ends at its instant
	for i := 1; i < len(points); i++ {
		if in(i) != in(i-1) {
			ends = append(ends, i)
		}
	}
	return append(ends, len(points))
}

// MeanOf is the mean of a figure over points, of those that have it; NaN where none has.
func MeanOf[T any](points []T, of func(*T) float64) float64 {
	sum, n := 0.0, 0
	for i := range points {
		if v := of(&points[i]); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
