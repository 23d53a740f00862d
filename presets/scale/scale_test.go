package scale

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		name string
		next Step
		from float64
		want []float64
	}{
		{"concurrency by one at first", Count, 1, []float64{2, 3, 4, 5}},
		{"then by an eighth, through powers of two", Count, 15, []float64{16, 18, 20, 22, 25, 28, 32, 36, 40, 44, 50, 56, 64, 72}},
		{"also from between", Count, 33, []float64{36, 40}},
		{"rate through a decade", Rate, 0.9, []float64{1, 1.1, 1.25, 1.4, 1.6, 1.8, 2, 2.2, 2.5}},
		{"limits in fine 1-2-5", Limit, 200, []float64{220, 250, 280, 300, 350, 400, 450, 500, 550, 600, 700, 800, 900, 1000, 1100}},
	} {
		v := tt.from
		for i, want := range tt.want {
			if v = tt.next(v, true); v < want-1e-9 || v > want+1e-9 {
				t.Errorf("%s: step %d up from %v is %v, want %v", tt.name, i+1, tt.from, v, want)
			}
		}
	}
	if got := Time(time.Second, true); got != 1100*time.Millisecond {
		t.Errorf("up from 1s is %v", got)
	}
	if up, down := Percent([]float64{90, 99.9}, 0.95, true), Percent([]float64{90, 99.9}, 0.9, false); up != 0.999 || down != 0.9 {
		t.Errorf("up from 95 %% is %v, down from 90 %% %v", up, down)
	}
}

// From a value on a scale, a step up and a step down lead back, and steps go the way they say.
func TestStepsLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		next := rapid.SampledFrom([]Step{Count, Rate, Limit}).Draw(t, "scale")
		v := rapid.Float64Range(2, 90_000).Draw(t, "v")
		up := next(v, true)
		if up <= v || up > 1.51*v {
			t.Fatalf("up from %v is %v", v, up)
		}
		if down := next(up, false); down > v*(1+1e-6) || next(down, true) < up*(1-1e-6) || next(down, true) > up*(1+1e-6) {
			t.Fatalf("up from %v is %v, down again %v", v, up, down)
		}
	})
}
