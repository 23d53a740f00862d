package health

import (
	"math"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	const ms = time.Millisecond
	calm := Figures{LagP99: ms, Sched: ms, Dispatch: ms, GCPause: ms, CPUCores: 0.5, Cores: 2}
	tests := []struct {
		name   string
		change func(*Figures)
		want   Verdict
		reason string
	}{
		{"calm", func(*Figures) {}, OK, ""},
		{"processor time unknown", func(f *Figures) { f.CPUCores = math.NaN() }, OK, ""},
		{"reads are late", func(f *Figures) { f.LagP99 = 11 * ms }, Strained, "client lag p99 11ms"},
		{"reads are hopelessly late", func(f *Figures) { f.LagP99 = 101 * ms }, ClientBound, "client lag"},
		{"goroutines wait", func(f *Figures) { f.Sched = 20 * ms }, Strained, "scheduler"},
		{"goroutines wait long", func(f *Figures) { f.Sched = 200 * ms }, ClientBound, "scheduler"},
		{"requests wait", func(f *Figures) { f.Dispatch = 200 * ms }, ClientBound, "dispatch"},
		{"long collections", func(f *Figures) { f.GCPause = 60 * ms }, Strained, "garbage collection"},
		{"processors busy", func(f *Figures) { f.CPUCores = 1.9 }, Strained, "1.9 of 2 cores"},
		{"the worst counts", func(f *Figures) { f.LagP99, f.Dispatch = 20*ms, 300*ms }, ClientBound, "dispatch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := calm
			tt.change(&f)
			got, reason := f.Judge()
			if got != tt.want || !strings.Contains(reason, tt.reason) || (reason == "") != (tt.want == OK) {
				t.Errorf("%s, %q; want %s, %q", got, reason, tt.want, tt.reason)
			}
		})
	}
}

func TestQuantileOfWhatWasGained(t *testing.T) {
	h := func(counts ...uint64) *metrics.Float64Histogram {
		return &metrics.Float64Histogram{Counts: counts, Buckets: []float64{math.Inf(-1), 0.001, 0.010, 0.100, math.Inf(1)}}
	}
	earlier := h(1000, 0, 0, 5)
	tests := []struct {
		name string
		now  *metrics.Float64Histogram
		p    float64
		want time.Duration
	}{
		{"nothing gained", h(1000, 0, 0, 5), 0.99, 0},
		{"all in the first bucket", h(1100, 0, 0, 5), 0.99, 0},
		{"one in a hundred", h(1098, 2, 0, 5), 0.99, time.Millisecond},
		{"the longest", h(1098, 1, 1, 5), 1, 10 * time.Millisecond},
		{"beyond the last bound", h(1000, 0, 0, 6), 1, 100 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := quantile(tt.now, earlier, tt.p); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSamplesCountProcessorTime(t *testing.T) {
	before := Take()
	for {
		if after := Take(); after.known && after.cpu > before.cpu {
			if f := after.Since(before); !(f.CPUCores > 0) || f.Cores < 1 {
				t.Errorf("figures %+v", f)
			}
			return
		} else if !after.known {
			t.Skip("processor time is unknown on this system")
		}
	}
}
