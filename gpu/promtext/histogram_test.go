// Histograms: what is read, differences, and quantiles against the observations themselves.

package promtext

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var inf = math.Inf(1)

func TestHistogramsOfSeveralEnginesAreAddedUp(t *testing.T) {
	page := Parse([]byte(`
h_bucket{e="0",le="0.1"} 1
h_bucket{e="0",le="1.0"} 3
h_bucket{e="0",le="+Inf"} 4
h_sum{e="0"} 5.5
h_count{e="0"} 4
h_bucket{e="1",le="0.1"} 10
h_bucket{e="1",le="1.0"} 10
h_bucket{e="1",le="+Inf"} 10
h_sum{e="1"} 0.5
h_count{e="1"} 10
h_created{e="1"} 1.7e9
`))
	for _, test := range []struct {
		where []Label
		want  Histogram
	}{
		{nil, Histogram{Buckets: []Bucket{{0.1, 11}, {1, 13}, {inf, 14}}, Sum: 6, Count: 14}},
		{[]Label{{"e", "0"}}, Histogram{Buckets: []Bucket{{0.1, 1}, {1, 3}, {inf, 4}}, Sum: 5.5, Count: 4}},
	} {
		got, ok := page.Histogram("h", test.where...)
		if diff := cmp.Diff(test.want, got); diff != "" || !ok {
			t.Errorf("%v: %v (-want +got):\n%s", test.where, ok, diff)
		}
	}
	if h, ok := page.Histogram("g"); ok {
		t.Errorf("a histogram that is not there gave %+v", h)
	}
}

func TestHistogramsThatAreNotQuiteRight(t *testing.T) {
	for _, test := range []struct {
		name, page string
		want       Histogram
	}{
		{"a summary has no buckets", "h{quantile=\"0.5\"} 3\nh_sum 12\nh_count 4", Histogram{Sum: 12, Count: 4}},
		{"no +Inf bucket", "h_bucket{le=\"1\"} 3\nh_count 4", Histogram{Buckets: []Bucket{{1, 3}, {inf, 4}}, Count: 4}},
		{"no count", "h_bucket{le=\"1\"} 3\nh_bucket{le=\"+Inf\"} 4", Histogram{Buckets: []Bucket{{1, 3}, {inf, 4}}, Count: 4}},
		{"bounds in disorder", "h_bucket{le=\"2\"} 3\nh_bucket{le=\"1\"} 2", Histogram{Buckets: []Bucket{{1, 2}, {2, 3}, {inf, 3}}, Count: 3}},
		{"counts that fall", "h_bucket{le=\"1\"} 3\nh_bucket{le=\"2\"} 2", Histogram{Buckets: []Bucket{{1, 3}, {2, 3}, {inf, 3}}, Count: 3}},
		{"counts that are none", "h_bucket{le=\"1\"} NaN\nh_bucket{le=\"2\"} -2\nh_bucket{le=\"x\"} 3\nh_sum NaN\nh_count 1", Histogram{Count: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Parse([]byte(test.page)).Histogram("h")
			if diff := cmp.Diff(test.want, got); diff != "" || !ok {
				t.Errorf("%v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

func TestQuantilesAreLinearInTheirBucket(t *testing.T) {
	h := Histogram{Buckets: []Bucket{{0.1, 0}, {0.2, 10}, {0.4, 10}, {1, 18}, {inf, 20}}, Sum: 10, Count: 20}
	for _, test := range []struct{ q, want float64 }{
		{0, 0.1}, {0.25, 0.15}, {0.5, 0.2}, {0.7, 0.7}, {0.9, 1}, {0.95, inf}, {1, inf},
	} {
		if got := h.Quantile(test.q); math.Abs(got-test.want) > 1e-12 && got != test.want {
			t.Errorf("quantile %v is %v, want %v", test.q, got, test.want)
		}
	}
	if got := h.Mean(); got != 0.5 {
		t.Errorf("mean %v, want 0.5", got)
	}
	for _, undefined := range []float64{
		h.Quantile(-0.1), h.Quantile(1.1), h.Quantile(math.NaN()),
		Histogram{}.Quantile(0.5), Histogram{}.Mean(), Histogram{Sum: 3, Count: 3}.Quantile(0.5),
	} {
		if !math.IsNaN(undefined) {
			t.Errorf("undefined gave %v, want NaN", undefined)
		}
	}
}

func TestTimesChangesTheUnit(t *testing.T) {
	ms := Histogram{Buckets: []Bucket{{500, 1}, {inf, 2}}, Sum: 900, Count: 2}
	got := ms.Times(0.001)
	if diff := cmp.Diff(Histogram{Buckets: []Bucket{{0.5, 1}, {inf, 2}}, Sum: 0.9, Count: 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if ms.Buckets[0].UpperBound != 500 {
		t.Error("the histogram itself was changed")
	}
}

// observed is a histogram as a server counts it.
func observed(bounds, values []float64) Histogram {
	var b strings.Builder
	sum := 0.0
	for _, bound := range append(slices.Clone(bounds), inf) {
		n := 0
		for _, v := range values {
			if v <= bound {
				n++
			}
		}
		fmt.Fprintf(&b, "h_bucket{le=\"%v\"} %d\n", bound, n)
	}
	for _, v := range values {
		sum += v
	}
	fmt.Fprintf(&b, "h_sum %v\nh_count %d\n", sum, len(values))
	h, _ := Parse([]byte(b.String())).Histogram("h")
	return h
}

var (
	someBounds = rapid.Custom(func(t *rapid.T) []float64 {
		bounds := rapid.SliceOfNDistinct(rapid.Float64Range(0.001, 100), 1, 12, rapid.ID[float64]).Draw(t, "bounds")
		slices.Sort(bounds)
		return bounds
	})
	someValues = rapid.SliceOf(rapid.Float64Range(0, 120))
)

func TestAQuantileLiesInTheBucketOfItsObservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds, values := someBounds.Draw(t, "bounds"), someValues.Filter(func(v []float64) bool { return len(v) > 0 }).Draw(t, "values")
		h := observed(bounds, values)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		slices.Sort(values)
		truth := values[max(int(math.Ceil(q*float64(len(values))))-1, 0)]
		i, _ := slices.BinarySearch(bounds, truth)
		lower, upper := 0.0, inf
		if i > 0 {
			lower = bounds[i-1]
		}
		if i < len(bounds) {
			upper = bounds[i]
		}
		if got := h.Quantile(q); got < lower-1e-9 || got > upper+1e-9 {
			t.Errorf("quantile %v of %v is %v, the observation %v lies in (%v, %v]", q, values, got, truth, lower, upper)
		}
	})
}

func TestSinceIsWhatWasObservedInBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := someBounds.Draw(t, "bounds")
		early, late := someValues.Draw(t, "early"), someValues.Draw(t, "late")
		before, after := observed(bounds, early), observed(bounds, append(slices.Clone(early), late...))
		want := observed(bounds, late)
		got, restarted := after.Since(before)
		if restarted {
			t.Fatal("restarted, although nothing fell")
		}
		if math.Abs(got.Sum-want.Sum) > 1e-6 {
			t.Errorf("sum %v, want %v", got.Sum, want.Sum)
		}
		got.Sum, want.Sum = 0, 0
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Since (-want +got):\n%s", diff)
		}
		again := before.Plus(got)
		again.Sum, after.Sum = 0, 0
		if diff := cmp.Diff(after, again); diff != "" {
			t.Errorf("Plus (-want +got):\n%s", diff)
		}
	})
}

func TestSinceNoticesARestart(t *testing.T) {
	before := Histogram{Buckets: []Bucket{{1, 5}, {inf, 8}}, Sum: 9, Count: 8}
	for _, test := range []struct {
		name string
		now  Histogram
	}{
		{"the count fell", Histogram{Buckets: []Bucket{{1, 1}, {inf, 2}}, Sum: 1, Count: 2}},
		{"a bucket fell", Histogram{Buckets: []Bucket{{1, 4}, {inf, 9}}, Sum: 1, Count: 9}},
		{"other bounds", Histogram{Buckets: []Bucket{{2, 5}, {inf, 9}}, Sum: 1, Count: 9}},
		{"more bounds", Histogram{Buckets: []Bucket{{1, 5}, {2, 5}, {inf, 9}}, Sum: 1, Count: 9}},
	} {
		t.Run(test.name, func(t *testing.T) {
			since, restarted := test.now.Since(before)
			if diff := cmp.Diff(test.now, since); diff != "" || !restarted {
				t.Errorf("restarted %v (-want +got):\n%s", restarted, diff)
			}
		})
	}
}
