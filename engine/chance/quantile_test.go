package chance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestIntervalIsWhatTheTablesSay(t *testing.T) {
	tests := []struct {
		n      int
		p      float64
		lo, hi int
		ok     bool
	}{
		{5, 0.5, 0, 0, false},       // 2 · (1/2)⁵ > 5 %
		{6, 0.5, 1, 6, true},        // the least for a median
		{10, 0.5, 2, 9, true},       // the sign test's table
		{100, 0.5, 40, 61, true},    // the same
		{367, 0.99, 0, 0, false},    // 0.99³⁶⁷ > 2.5 %
		{368, 0.99, 360, 368, true}, // the least for a P99
		{72, 0.95, 64, 72, true},    // 0.95⁷² < 2.5 %
		{0, 0.5, 0, 0, false},
		{100, 1, 0, 0, false},
		{100, 0, 0, 0, false},
	}
	for _, tt := range tests {
		lo, hi, ok := QuantileRanks(tt.n, tt.p, 0.95)
		if ok != tt.ok || ok && (lo != tt.lo || hi != tt.hi) {
			t.Errorf("QuantileRanks(%d, %g) = %d, %d, %v, want %d, %d, %v", tt.n, tt.p, lo, hi, ok, tt.lo, tt.hi, tt.ok)
		}
	}
	if _, _, ok := QuantileRanks(100, 0.5, 1); ok {
		t.Error("there is no certainty")
	}
}

// TestIntervalCovers draws samples of a known distribution, and counts how often the quantile lies within.
func TestIntervalCovers(t *testing.T) {
	const tries = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		n int
		p float64
	}{{10, 0.5}, {100, 0.5}, {100, 0.9}, {400, 0.99}, {1000, 0.95}} {
		lo, hi, ok := QuantileRanks(tt.n, tt.p, 0.95)
		if !ok {
			t.Fatalf("n=%d p=%g: none", tt.n, tt.p)
		}
		covered := 0
		sample := make([]float64, tt.n)
		for range tries {
			for i := range sample {
				sample[i] = rng.Float64() // its p-quantile is p
			}
			slices.Sort(sample)
			if sample[lo-1] <= tt.p && tt.p <= sample[hi-1] {
				covered++
			}
		}
		if share := float64(covered) / tries; share < 0.94 || share > 0.99 {
			t.Errorf("n=%d p=%g: ranks %d to %d cover %.3f", tt.n, tt.p, lo, hi, share)
		}
	}
}

func TestIntervalIsAsNarrowAsItMayBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		p := rapid.Float64Range(0.01, 0.99).Draw(t, "p")
		confidence := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		lo, hi, ok := QuantileRanks(n, p, confidence)
		if !ok {
			return
		}
		below := func(rank int) float64 { // P(B < rank)
			sum := 0.0
			for k := range rank {
				sum += binomial(n, k, p)
			}
			return sum
		}
		tail, slack := (1-confidence)/2, 1e-9
		if below(lo) > tail+slack || below(lo+1) < tail-slack {
			t.Fatalf("n=%d p=%g: lower rank %d has %g below, the next %g, allowed %g", n, p, lo, below(lo), below(lo+1), tail)
		}
		if 1-below(hi) > tail+slack || 1-below(hi-1) < tail-slack {
			t.Fatalf("n=%d p=%g: upper rank %d has %g above, allowed %g", n, p, hi, 1-below(hi), tail)
		}
	})
}

func BenchmarkInterval(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		QuantileRanks(100_000, 0.99, 0.95)
	}
}
