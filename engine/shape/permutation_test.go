// This file tests the permutation.

package shape

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestPermuteGivesEveryNumberOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 600).Draw(t, "n")
		key := rapid.Uint64().Draw(t, "key")
		seen := make([]bool, n)
		for i := range n {
			at := permute(i, n, key)
			if at >= n || seen[at] {
				t.Fatalf("%d of %d goes to %d, seen before: %v", i, n, at, at < n)
			}
			seen[at] = true
		}
	})
	for _, n := range []uint64{1 << 40, math.MaxInt64} {
		seen := map[uint64]bool{}
		for i := range uint64(1000) {
			seen[permute(n-1-i, n, 5)] = true
		}
		if len(seen) != 1000 {
			t.Errorf("n %d: 1000 numbers went to %d", n, len(seen))
		}
	}
}

func TestPermutePutsNumbersAnywhere(t *testing.T) {
	const keys, n = 8000, 8
	var count [n][n]int
	follows := 0
	for key := range uint64(keys) {
		for i := range uint64(n) {
			count[i][permute(i, n, mix(key))]++
		}
		if permute(1, n, mix(key)) == permute(0, n, mix(key))+1 {
			follows++
		}
	}
	for i, row := range count {
		for at, got := range row {
			if math.Abs(float64(got)-keys/n) > 6*math.Sqrt(keys/n) {
				t.Errorf("%d went to %d %d times in %d", i, at, got, keys)
			}
		}
	}
	if math.Abs(float64(follows)-keys/n) > 6*math.Sqrt(keys/n) {
		t.Errorf("a number followed its neighbour %d times in %d", follows, keys)
	}
}

func BenchmarkPermute(b *testing.B) {
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		i++
		permute(i%1_000_000, 1_000_000, 7)
	}
}
