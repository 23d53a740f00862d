package stage

import "testing"

func TestSameLevel(t *testing.T) {
	for _, tt := range []struct {
		axis       Axis
		one, other float64
		want       bool
	}{
		{Concurrency, 4000, 4000, true},
		{Concurrency, 4000, 4001, false},
		{Rate, 30, 30.0000012, true}, // 33,333,332 ns
		{Rate, 9.99, 10, false},
		{Speed, 1.5, 1.5, true},
		{Speed, 1.5, 1.51, false},
	} {
		if got := tt.axis.Same(tt.one, tt.other); got != tt.want || tt.axis.Same(tt.other, tt.one) != got {
			t.Errorf("%s %v and %v: %v", tt.axis, tt.one, tt.other, got)
		}
	}
}
