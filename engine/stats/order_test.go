package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestArrangeFindsWhatSortingFinds of few values and of many, of all kinds and in any order, for one percentile and for several.
func TestArrangeFindsWhatSortingFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, sortedBelow, sortedBelow + 1, sampledAbove, 5 * sampledAbove}).Draw(t, "n")
		rng, kinds := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), rapid.IntRange(1, 4*n).Draw(t, "kinds")
		values := make([]time.Duration, n)
		for i := range values {
			values[i] = time.Duration(rng.IntN(kinds))
		}
		sorted := slices.Sorted(slices.Values(values))
		if rapid.Bool().Draw(t, "in order") {
			copy(values, sorted)
		}
		indices := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 5).Draw(t, "indices")
		slices.Sort(indices)
		arrange(values, slices.Clone(indices))
		for _, i := range indices {
			if values[i] != sorted[i] {
				t.Fatalf("of %d values, %v holds %v, want %v", n, i, values[i], sorted[i])
			}
		}
		if slices.Sort(values); !slices.Equal(values, sorted) {
			t.Fatal("values were lost")
		}
	})
}
