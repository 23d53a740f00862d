package compare

import (
	"math"
	"testing"
)

func TestTheShareWithinAValueIsReadFromQuantiles(t *testing.T) {
	for _, c := range []struct {
		quantiles []float64
		at, want  float64
	}{
		{[]float64{10, 20, 30}, 9, 0},
		{[]float64{10, 20, 30}, 10, 0},
		{[]float64{10, 20, 30}, 15, 0.25},
		{[]float64{10, 20, 30}, 20, 0.5},
		{[]float64{10, 20, 30}, 30, 1},
		{[]float64{10, 20, 30}, 31, 1},
		{[]float64{10, 10, 10, 20}, 10, 2.0 / 3},
		{[]float64{7}, 6, 0},
		{[]float64{7}, 7, 1},
	} {
		if got := Within(c.quantiles, c.at); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v at %v: %v, want %v", c.quantiles, c.at, got, c.want)
		}
	}
	if got := Within(nil, 1); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}
