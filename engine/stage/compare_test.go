package stage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/stats"
)

// skewed draws latencies as a server has them: log-normal, times a factor.
func skewed(rng *rand.Rand, n int, sigma, factor float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = 100 * factor * math.Exp(sigma*rng.NormFloat64())
	}
	return values
}

// TestNoFalseAlarm compares samples of one distribution: few of the differences may be called clear.
func TestNoFalseAlarm(t *testing.T) {
	const tries = 100
	rng := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		n, m  int
		p     float64
		sigma float64
	}{{200, 200, 0.5, 0.3}, {200, 200, 0.95, 0.3}, {400, 400, 0.99, 0.3}, {100, 300, 0.9, 1}, {20, 20, 0.5, 0.3}, {75, 300, 0.95, 0.5}} {
		alarms := 0
		for range tries {
			if Compare(skewed(rng, tt.n, tt.sigma, 1), skewed(rng, tt.m, tt.sigma, 1), tt.p, rng).Clear {
				alarms++
			}
		}
		t.Logf("n=%d and %d, p%g: %.1f %% false alarms", tt.n, tt.m, 100*tt.p, 100*float64(alarms)/tries)
		if share := float64(alarms) / tries; share > 0.07 {
			t.Errorf("n=%d and %d, p%g: %.1f %% false alarms", tt.n, tt.m, 100*tt.p, 100*share)
		}
	}
}

func TestAShiftOfAFifthIsDetected(t *testing.T) {
	const tries = 100
	rng := rand.New(rand.NewPCG(5, 6))
	for _, p := range []float64{0.5, 0.9, 0.95} {
		detected := 0
		for range tries {
			d := Compare(skewed(rng, 200, 0.2, 1), skewed(rng, 200, 0.2, 1.2), p, rng)
			if d.Clear && d.Absolute > 0 {
				detected++
			}
		}
		if share := float64(detected) / tries; share < 0.97 {
			t.Errorf("p%g: only %.1f %% were detected", 100*p, 100*share)
		}
	}
}

func TestADifferenceIsThatOfThePercentiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(1, 1000), 1, 300)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		p := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.99}).Draw(t, "p")
		rng := rand.New(rand.NewPCG(1, 1))
		d := Compare(floats(a), floats(b), p, rng)
		if wantA, wantB := percentile(a, p), percentile(b, p); d.A != wantA || d.B != wantB || d.Absolute != wantB-wantA {
			t.Fatalf("%+v, want %v and %v", d, wantA, wantB)
		}
		if d.Clear && (d.Few || d.Low <= 0 && d.High >= 0) {
			t.Fatalf("%+v can't be clear", d)
		}
		back := Compare(floats(b), floats(a), p, rng)
		if back.Absolute != -d.Absolute || back.Few != d.Few {
			t.Fatalf("there %+v, back %+v", d, back)
		}
	})
}

func floats(values []int) []float64 {
	var all []float64
	for _, v := range values {
		all = append(all, float64(v))
	}
	return all
}

// percentile is the percentile as the panels show it; doubled, so that a mean of two stays whole.
func percentile(values []int, p float64) float64 {
	var doubled []time.Duration
	for _, v := range values {
		doubled = append(doubled, time.Duration(2*v))
	}
	slices.Sort(doubled)
	return float64(stats.Inverted.Percentile(doubled, p)) / 2
}

// TestResamplingIsDrawingAnew compares the short way with the plain bootstrap: the same mean and spread.
func TestResamplingIsDrawingAnew(t *testing.T) {
	const tries = 20_000
	rng := rand.New(rand.NewPCG(7, 8))
	for _, p := range []float64{0.5, 0.9, 0.93} { // 0.5 and 0.9 of 40 are means of two
		sorted := slices.Sorted(slices.Values(skewed(rng, 40, 0.5, 1)))
		var short, plain [2]float64
		drawn := make([]float64, len(sorted))
		for range tries {
			v := resampled(sorted, p, rng)
			short[0], short[1] = short[0]+v, short[1]+v*v
			for i := range drawn {
				drawn[i] = sorted[rng.IntN(len(sorted))]
			}
			slices.Sort(drawn)
			v = quantile(drawn, p)
			plain[0], plain[1] = plain[0]+v, plain[1]+v*v
		}
		mean := func(s [2]float64) float64 { return s[0] / tries }
		spread := func(s [2]float64) float64 { return math.Sqrt(s[1]/tries - mean(s)*mean(s)) }
		if math.Abs(mean(short)/mean(plain)-1) > 0.01 || math.Abs(spread(short)/spread(plain)-1) > 0.05 {
			t.Errorf("p%g: mean %v and %v, spread %v and %v", 100*p, mean(short), mean(plain), spread(short), spread(plain))
		}
	}
}

func TestADifferenceInWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	flat := func(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	noisy := func(factor float64) []float64 { return skewed(rng, 300, 0.3, factor) }
	tests := []struct {
		a, b []float64
		p    float64
		want string
	}{
		{flat(100, 100), flat(100, 82), 0.95, "TTFT p95 −18 % (clear)"},
		{flat(100, 1000), flat(100, 1004), 0.5, "TTFT p50 +0.4 % (clear)"},
		{flat(100, 100), flat(100, 100), 0.5, "TTFT p50 ±0 % (within noise)"},
		{noisy(1), noisy(1.01), 0.95, " % (within noise)"},
		{flat(60, 1), flat(400, 2), 0.99, "TTFT p99: too few samples to say (60 and 400)"},
		{nil, flat(400, 2), 0.5, "TTFT p50: too few samples to say (0 and 400)"},
		{flat(100, 0), flat(100, 2), 0.5, "was 0"},
		{flat(4000, 100), flat(4000, 200), 0.999, "TTFT p99.9 +100 % (clear)"},
	}
	for _, tt := range tests {
		if got := say(Compare(tt.a, tt.b, tt.p, rng), "TTFT"); !strings.Contains(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := skewed(rng, 5000, 0.3, 1), skewed(rng, 5000, 0.3, 1)
	b.ReportAllocs()
	for b.Loop() {
		Compare(x, y, 0.95, rng)
	}
}

// say puts the difference into words, after the name of the metric: "TTFT p95 −18 % (clear)", "TTFT p95 +2 % (within
// noise)", "TTFT p99: too few samples to say (60 and 400)".
func say(d Difference, metric string) string {
	name := fmt.Sprintf("%s p%.4g", metric, 100*d.Percentile)
	switch {
	case d.Few:
		return fmt.Sprintf("%s: too few samples to say (%d and %d)", name, d.NA, d.NB)
	case math.IsNaN(d.Relative):
		return fmt.Sprintf("%s: was 0, so there is no difference in percent", name)
	}
	judgement := "within noise"
	if d.Clear {
		judgement = "clear"
	}
	return fmt.Sprintf("%s %s (%s)", name, signedPercent(d.Relative), judgement)
}

// signedPercent writes a relative difference, with one decimal below 1 %.
func signedPercent(relative float64) string {
	sign, size := "+", 100*math.Abs(relative)
	if relative < 0 {
		sign = "−"
	}
	if size < 0.05 {
		return "±0 %"
	}
	if size < 0.95 {
		return fmt.Sprintf("%s%.1f %%", sign, size)
	}
	return fmt.Sprintf("%s%.0f %%", sign, size)
}
