// This file turns the run's history into series: for charts a value a second, for sparklines a value a cell.

package figure

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// ChartSpan is how many seconds a chart of w cells shows: a minute, more where there is room or where the window asks
// for more, so that a second never has less than half a column.
func ChartSpan(w int, window stats.Window) int {
	seconds := 60
	switch {
	case w >= 200:
		seconds = 300
	case w >= 100:
		seconds = 120
	}
	return max(seconds, int(window.Duration()/time.Second))
}

// Series reads one figure out of every point.
func Series[T any](points []T, of func(*T) float64) []float64 {
	values := make([]float64, len(points))
	for i := range points {
		values[i] = of(&points[i])
	}
	return values
}

// InMillis is a latency for a chart; of 0, which is undefined, it makes a gap.
func InMillis(d time.Duration) float64 {
	if d <= 0 {
		return math.NaN()
	}
	return cell.Milliseconds(d)
}

// Squeezed returns at most w values for a sparkline of at least the last so many seconds: the mean of each group of
// neighbours, as many as fill it. Groups are cut at fixed moments, not counted from the end, so that a value stays the
// same while it moves left.
func Squeezed(values []float64, first int, seconds, w int) []float64 {
	if w <= 0 {
		return nil
	}
	group := (seconds + w - 1) / w
	if group <= 1 {
		return cell.Last(values, w)
	}
	skip := max(0, len(values)-group*w)
	values, first = values[skip:], first+skip
	out := make([]float64, 0, w+1)
	for i := 0; i < len(values); {
		end := min(i+group-(first+i)%group, len(values))
		out = append(out, mean(values[i:end]))
		i = end
	}
	return cell.Last(out, w)
}

// mean is that of the numbers among the values; NaN if there are none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// Drift is the mean of the last ten seconds as a multiple of that of the ten before; false where either is unknown, or
// where there was something in too few of the seconds before: what comes after nothing is no trend.
func Drift(points []stats.Point, of func(*stats.Point) float64) (float64, bool) {
	const stretch, enough = 10, 8
	if len(points) < 2*stretch {
		return 0, false
	}
	before, recent := Series(cell.Last(points, 2*stretch)[:stretch], of), Series(cell.Last(points, stretch), of)
	n := 0
	for _, v := range before {
		if v > 0 {
			n++
		}
	}
	now := mean(recent)
	if n < enough || math.IsNaN(now) {
		return 0, false
	}
	return now / mean(before), true
}

// Second is the whole second of the run at which the first point ends; groups and scrolling are anchored to it.
func Second(points []stats.Point) int {
	if len(points) == 0 {
		return 0
	}
	return int(points[0].At.Elapsed() / time.Second)
}

// markSteps places marks on the time steps of a chart whose newest point is of the given instant: the step of the second
// they fell in.
func markSteps(marks []snapshot.Mark, newest record.Instant, steps int) (at []int, shown []snapshot.Mark) {
	for _, m := range marks {
		step := steps - 1
		if d, ok := newest.Since(m.At); ok && d > 0 {
			step -= int(d / time.Second)
		}
		if step >= 0 {
			at, shown = append(at, step), append(shown, m)
		}
	}
	return at, shown
}
