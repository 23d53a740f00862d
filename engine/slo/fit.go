// This file proposes an SLO that a load keeps.

package slo

import (
	"fmt"
	"math"
	"time"
)

// FitSamples is how many samples of a metric Fit asks for: below it, nothing is expected beyond the P99.
const FitSamples = 100

// Tail is the upper end of a latency's distribution. N == 0: not measured.
type Tail struct {
	N   int // samples
	P99 time.Duration
}

// Tails are those of the metrics of one request, indexed by Metric.
type Tails [metrics]Tail

// Fit returns criteria that a load with such tails keeps: each P99 with a margin of a tenth, rounded up to a number that
// a person would choose (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8, times a power of ten). A metric with fewer than FitSamples
// samples gets no limit. If none has as many, the error is a sentence that says so.
func Fit(t Tails) (Criteria, error) {
	var c Criteria
	most := 0
	for m, tail := range t {
		most = max(most, tail.N)
		if tail.N >= FitSamples && tail.P99 > 0 {
			c[m] = RoundUp(tail.P99 + (tail.P99+9)/10) // the tenth is rounded up too
		}
	}
	if !c.Active() {
		return Criteria{}, fmt.Errorf("an SLO can be fitted after %d requests at this load; there are %d, so wait a little", FitSamples, most)
	}
	return c, nil
}

// RoundUp returns the next number that a person would choose for a limit, and that is not below d; see Fit. Limits below a
// microsecond do not occur.
func RoundUp(d time.Duration) time.Duration {
	steps := [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}
	unit := math.Pow(10, math.Floor(math.Log10(float64(d))))
	for _, s := range steps {
		if rounded := time.Duration(math.Round(s * unit)); rounded >= d {
			return rounded
		}
	}
	return time.Duration(math.Round(10 * unit))
}
