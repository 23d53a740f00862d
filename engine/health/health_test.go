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
		{"one long collection", func(f *Figures) { f.GCPause, f.GCShare = 600*ms, 0.001 }, OK, ""},
		{"collections that show in a p99", func(f *Figures) { f.GCShare = 0.02 }, Strained, "garbage collection took 2 %"},
		{"collections without end", func(f *Figures) { f.GCShare = 0.2 }, ClientBound, "garbage collection took 20 %"},
		{"processors busy", func(f *Figures) { f.CPUCores = 1.9 }, Strained, "1.9 of 2 cores"},
		{"ports run short", func(f *Figures) { f.Ports, f.PortLimit = 25_500, 28_232 }, Strained, "25500 of 28232 local ports"},
		{"enough ports", func(f *Figures) { f.Ports, f.PortLimit = 25_000, 28_232 }, OK, ""},
		{"files run short", func(f *Figures) { f.Files, f.FileLimit = 940, 1024 }, Strained, "940 of 1024 files"},
		{"no limit of files is known", func(f *Figures) { f.Files = 940 }, OK, ""},
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

func TestTimeStoodStill(t *testing.T) {
	h := func(counts ...uint64) *metrics.Float64Histogram {
		return &metrics.Float64Histogram{Counts: counts, Buckets: []float64{math.Inf(-1), 0.001, 0.010, 0.100, math.Inf(1)}}
	}
	before := Sample{at: time.Unix(100, 0), pause: h(7, 5, 0, 2)}
	after := Sample{at: time.Unix(110, 0), pause: h(8, 8, 4, 3)}
	if f := after.Since(before); math.Abs(f.GCShare-0.0143) > 1e-9 || f.GCPause != 100*time.Millisecond { // 3 ms + 40 ms + 100 ms of 10 s
		t.Errorf("share %v, longest %v", f.GCShare, f.GCPause)
	}
	if f := after.Since(after); f.GCShare != 0 {
		t.Errorf("share %v of no time", f.GCShare)
	}
}

func TestRecentBeginsAnewWithARestart(t *testing.T) {
	at := func(second int64) Sample { return Sample{at: time.Unix(second, 0)} }
	for _, tt := range []struct {
		name      string
		monitor   Monitor
		interval  time.Duration
		restarted bool
		ok        bool
	}{
		{"one sample", Monitor{first: at(0), recent: []Sample{at(0)}}, 0, false, false},
		{"from the beginning", Monitor{first: at(0), recent: []Sample{at(0), at(3)}}, 3 * time.Second, false, true},
		{"restarted just now", Monitor{first: at(4), recent: []Sample{at(0), at(3)}}, 3 * time.Second, false, true},
		{"restarted a while ago", Monitor{first: at(4), recent: []Sample{at(0), at(3), at(6)}}, 2 * time.Second, true, true},
		{"restarted long ago", Monitor{first: at(4), recent: []Sample{at(8), at(18)}}, 10 * time.Second, false, true},
	} {
		if f, restarted, ok := tt.monitor.Recent(); f.Interval != tt.interval || restarted != tt.restarted || ok != tt.ok {
			t.Errorf("%s: %v, %v, %v", tt.name, f.Interval, restarted, ok)
		}
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
