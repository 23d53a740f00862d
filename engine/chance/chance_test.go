package chance

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestAtMostIsWhatTheTablesSay(t *testing.T) {
	tests := []struct {
		n, k int
		p    float64
		want float64
	}{
		{10, 9, 0.99, 0.0956179},
		{10, 8, 0.99, 0.0042662},
		{10, 5, 0.5, 0.6230469},
		{3, 3, 0.2, 1},
		{3, -1, 0.2, 0},
		{5, 4, 1, 0},
		{5, 0, 0, 1},
		{1_000_000, 500_000, 0.5, 0.5003989},
	}
	for _, tt := range tests {
		if got := AtMost(tt.n, tt.k, tt.p); !near(got, tt.want, 1e-6) {
			t.Errorf("AtMost(%d, %d, %g) = %.7f, want %.7f", tt.n, tt.k, tt.p, got, tt.want)
		}
	}
}

func TestShareIsWilsons(t *testing.T) {
	tests := []struct {
		k, n      int
		low, high float64
	}{
		{100, 100, 0.9630, 1},
		{0, 10, 0, 0.2775},
		{81, 263, 0.2553, 0.3662}, // Newcombe 1998, table I
		{1, 29, 0.0061, 0.1718},   // the same
	}
	for _, tt := range tests {
		low, high, ok := Share(tt.k, tt.n)
		if !ok || !near(low, tt.low, 5e-5) || !near(high, tt.high, 5e-5) {
			t.Errorf("Share(%d, %d) = %.4f, %.4f, %v, want %.4f, %.4f", tt.k, tt.n, low, high, ok, tt.low, tt.high)
		}
	}
	if _, _, ok := Share(0, 0); ok {
		t.Error("a share of none has bounds")
	}
}

func TestAlikeIsFishersExactTest(t *testing.T) {
	tests := []struct {
		k1, n1, k2, n2 int
		want           float64
	}{
		{3, 4, 1, 4, 0.4857143},    // Fisher's tea
		{1, 10, 11, 14, 0.0027595}, // 1 and 11 of 10 and 14
		{4, 4, 0, 4, 2.0 / 70},
		{5, 10, 5, 10, 1},
		{10, 10, 20, 20, 1}, // all are good
		{0, 0, 1, 2, 1},
		{990_000, 1_000_000, 990_050, 1_000_000, 0.7275}, // by the normal approximation: 24.5/70.3 deviations
	}
	for _, tt := range tests {
		if got := Alike(tt.k1, tt.n1, tt.k2, tt.n2); !near(got, tt.want, 1e-3) || tt.n1 < 100 && !near(got, tt.want, 1e-6) {
			t.Errorf("Alike(%d, %d, %d, %d) = %.7f, want %.7f", tt.k1, tt.n1, tt.k2, tt.n2, got, tt.want)
		}
	}
}

func TestChanceKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		n2 := rapid.IntRange(0, 3000).Draw(t, "n2")
		k2 := rapid.IntRange(0, n2).Draw(t, "k2")
		low, high, _ := Share(k, n)
		if share := float64(k) / float64(n); !(0 <= low && low <= share && share <= high && high <= 1) {
			t.Fatalf("Share(%d, %d) = %g, %g", k, n, low, high)
		}
		one, other := Alike(k, n, k2, n2), Alike(k2, n2, k, n)
		if !(0 <= one && one <= 1) || !near(one, other, 1e-9) {
			t.Fatalf("Alike is %g one way and %g the other", one, other)
		}
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		if a, b := AtMost(n, k, p), AtMost(n, k-1, p); !(0 <= b && b <= a && a <= 1) {
			t.Fatalf("AtMost(%d, %d, %g) = %g, and one less %g", n, k, p, a, b)
		}
	})
}
