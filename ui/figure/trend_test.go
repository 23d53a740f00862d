package figure

import (
	"math"
	"slices"
	"testing"

	"tokdyno/engine/stats"
)

// A trend is against ten seconds in which there was something; what comes after nothing has none.
func TestDriftNeedsSomethingToStartFrom(t *testing.T) {
	of := func(stretches ...[]float64) (points []stats.Point) {
		for _, v := range slices.Concat(stretches...) {
			points = append(points, stats.Point{OutputTokens: v})
		}
		return points
	}
	many := func(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	for name, tt := range map[string]struct {
		points []stats.Point
		want   float64 // 0: unknown
	}{
		"up by a quarter":        {of(many(10, 400), many(10, 500)), 1.25},
		"down to nothing nearly": {of(many(10, 400), many(9, 0), many(1, 40)), 0.01},
		"two seconds stood":      {of(many(2, 0), many(8, 100), many(10, 80)), 1},
		"three seconds stood":    {of(many(3, 0), many(7, 100), many(10, 70)), 0},
		"after an outage":        {of(many(9, 0), many(1, 3), many(10, 800)), 0},
		"after unknown seconds":  {of(many(10, math.NaN()), many(10, 800)), 0},
		"unknown now":            {of(many(10, 800), many(10, math.NaN())), 0},
		"too short":              {of(many(9, 400), many(10, 500)), 0},
	} {
		got, ok := Drift(tt.points, func(p *stats.Point) float64 { return p.OutputTokens })
		if ok != (tt.want != 0) || ok && math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, tt.want)
		}
	}
}
