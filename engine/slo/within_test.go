package slo

import "testing"

// What failed kept no limit, whichever it is; what the metric was not defined on is in neither count.
func TestWithinCountsFailures(t *testing.T) {
	one := Tally{OK: 10, Failed: 90, Missed: [metrics]int{1}, Measured: [metrics]int{10, 8}}
	for m, want := range map[Metric]float64{TTFT: 0.09, TPOT: 8.0 / 98} {
		if got, ok := one.Within(m); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", m, got, ok, want)
		}
	}
	if got, ok := (Tally{OK: 3}).Within(TTFT); ok {
		t.Errorf("nothing measured, nothing failed: %v", got)
	}
}
