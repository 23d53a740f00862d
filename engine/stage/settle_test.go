package stage

import (
	"testing"
	"time"
)

func TestSettled(t *testing.T) {
	tests := []struct {
		name string
		in   Turnover
		want bool
	}{
		{"closed: nothing ended", Turnover{InFlight: 8, Age: time.Hour}, false},
		{"closed: one short of a turnover", Turnover{InFlight: 8, Ended: 7}, false},
		{"closed: one full turnover", Turnover{InFlight: 8, Ended: 8}, true},
		{"open: no latency known yet", Turnover{Age: time.Hour}, false},
		{"open: less than twice the mean", Turnover{MeanE2EL: 2 * time.Second, Ended: 50, Age: 3999 * time.Millisecond}, false},
		{"open: twice the mean", Turnover{MeanE2EL: 2 * time.Second, Ended: 1, Age: 4 * time.Second}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Settled(tt.in); got != tt.want {
				t.Errorf("Settled(%+v) = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}
