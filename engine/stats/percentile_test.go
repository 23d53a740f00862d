package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func durations(t *rapid.T) []time.Duration {
	return rapid.SliceOfN(rapid.Map(rapid.Int64Range(1000, int64(10*time.Minute)),
		func(n int64) time.Duration { return time.Duration(n) }), 1, 400).Draw(t, "values")
}

func TestPercentileNeverUnderstatesATail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations(t)
		p := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.99, 1}).Draw(t, "p")
		slices.Sort(values)
		v := Inverted.Percentile(values, p)
		within := 0
		for _, x := range values {
			if x <= v {
				within++
			}
		}
		if float64(within) < float64(len(values))*p-1e-6 {
			t.Fatalf("only %d of %d within p%g", within, len(values), 100*p)
		}
		if v < values[0] || v > values[len(values)-1] {
			t.Fatalf("%v lies outside the samples", v)
		}
	})
}

func TestDescribeIsWhatSortingGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations(t)
		if rapid.Bool().Draw(t, "many alike") {
			for i := range values {
				values[i] = values[i] % 3 * time.Millisecond
			}
		}
		m := rapid.SampledFrom([]Method{Inverted, Linear}).Draw(t, "method")
		sorted := slices.Sorted(slices.Values(values))
		got := m.Describe(values)
		for p, d := range map[float64]time.Duration{0.5: got.P50, 0.9: got.P90, 0.95: got.P95, 0.99: got.P99} {
			if want := m.Percentile(sorted, p); d != want {
				t.Fatalf("p%g is %v, want %v", 100*p, d, want)
			}
		}
		if got.Max != sorted[len(sorted)-1] || got.N != len(sorted) {
			t.Fatalf("got %+v", got)
		}
	})
}

func BenchmarkDescribe(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]time.Duration, exactRequests)
	scratch := make([]time.Duration, len(values))
	for i := range values {
		values[i] = time.Duration(r.ExpFloat64() * float64(100*time.Millisecond))
	}
	b.ReportAllocs()
	for b.Loop() {
		copy(scratch, values)
		Inverted.Describe(scratch)
	}
}

func TestPercentileOfFewSamples(t *testing.T) {
	if !Few(99, 0.99) || Few(100, 0.99) || Few(20, 0.95) || !Few(19, 0.95) {
		t.Error("p99 needs 100 samples, p95 needs 20")
	}
	if d := Inverted.Describe(nil); d != (Distribution{}) {
		t.Errorf("no samples gave %+v", d)
	}
}

func TestHistogramIsWithinItsResolution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations(t)
		var h Histogram
		var sum time.Duration
		for _, v := range values {
			h.Add(v, 1)
			sum += v
		}
		slices.Sort(values)
		for _, p := range []float64{0.01, 0.5, 0.9, 0.99, 1} {
			got := h.Quantiles(p)[0]
			want := values[rank(int64(len(values)), p)-1]
			if math.Abs(float64(got-want)) > 0.004*float64(want) {
				t.Fatalf("p%g is %v, want %v within 0.4 %%", 100*p, got, want)
			}
		}
		mean := time.Duration(math.Round(float64(sum) / float64(len(values))))
		if h.Mean() != mean {
			t.Fatalf("mean %v, want %v", h.Mean(), mean)
		}
	})
}

func TestHistogramMergesAndForgets(t *testing.T) {
	var a, b Histogram
	a.Add(5*time.Millisecond, 3)
	b.Add(time.Second, 4)
	a.Merge(&b)
	if a.N() != 7 {
		t.Fatalf("%d samples after the merge, want 7", a.N())
	}
	a.add(bucketOf(time.Second), -4, -4*time.Second)
	if d := a.Describe(); d.N != 3 || d.Mean != 5*time.Millisecond || !near(d.Max, 5*time.Millisecond) {
		t.Errorf("after taking away: %+v", d)
	}
	for _, v := range []time.Duration{-time.Second, 0, 1, math.MaxInt64} {
		a.Add(v, 1) // the outermost buckets take what is beyond
	}
	if a.N() != 7 {
		t.Errorf("%d samples, want 7", a.N())
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	var h Histogram
	b.ReportAllocs()
	for i := range b.N {
		h.Add(time.Duration(i%100_000)*time.Microsecond, 1)
	}
}
