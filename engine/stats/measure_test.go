package stats

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

func TestMeasureIsOfItsWindowOnly(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for i := range 10 { // one a second, each slower than the one before
		play(c, closed(time.Duration(i)*time.Second, time.Duration(i+1)*10*ms, time.Duration(i+1)*ms, 11))
	}
	failed := record.New(99)
	failed.Stage, failed.Started, failed.Sent = 1, at(9*time.Second), at(9*time.Second)
	f := c.Begin(failed, 0)
	f.Sent(failed.Sent)
	failed.Outcome, failed.Kind, failed.End = record.Failed, record.KindHTTP5xx, at(9500*ms)
	f.Finish(failed)
	now := at(10 * time.Second)
	c.Fold(now)

	latency := func(m slo.Metric, p float64, w time.Duration) slo.Objective {
		return slo.Objective{Metric: m, Percentile: p, Limit: time.Second, Window: w, Target: 0.99}
	}
	errors := func(w time.Duration) slo.Objective {
		return slo.Objective{Metric: slo.ErrorRate, Window: w, Target: 0.99}
	}
	for _, tt := range []struct {
		name string
		o    slo.Objective
		want slo.Measured
	}{
		{"all", latency(slo.TTFT, 0.5, time.Minute), slo.Measured{Latency: 55 * ms, N: 10}},
		{"the last two", latency(slo.TTFT, 0.5, 2*time.Second), slo.Measured{Latency: 95 * ms, N: 2}},
		{"a tail", latency(slo.TTFT, 0.99, time.Minute), slo.Measured{Latency: 100 * ms, N: 10}},
		{"TPOT", latency(slo.TPOT, 0.5, time.Minute), slo.Measured{Latency: 5500 * time.Microsecond, N: 10}},
		{"E2EL", latency(slo.E2EL, 0.99, time.Minute), slo.Measured{Latency: 200 * ms, N: 10}},
		{"errors", errors(time.Minute), slo.Measured{Errors: 1.0 / 11, N: 11}},
		{"errors of late", errors(time.Second), slo.Measured{Errors: 0.5, N: 2}},
	} {
		if got := c.Measure(tt.o, now); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got := c.Measure(latency(slo.ITL, 0.5, time.Minute), now); got.N != 100 || got.Latency < 4900*time.Microsecond || got.Latency > 6100*time.Microsecond {
		t.Errorf("ITL %+v", got)
	}
	for _, m := range []slo.Metric{slo.TTFT, slo.TPOT, slo.E2EL, slo.ITL, slo.ErrorRate} {
		if got := c.Measure(latency(m, 0.5, time.Second), at(time.Hour)); got.N != 0 {
			t.Errorf("%s measured %+v where nothing happened", m, got)
		}
	}
}

func TestStageMissesCountsWhatIsBeyondTheLimit(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.MarkSteady(at(0))
	for i := range 10 { // TTFT 10…100 ms, gaps 1…10 ms, ten of each
		s := closed(time.Duration(i)*time.Second, time.Duration(i+1)*10*ms, time.Duration(i+1)*ms, 11)
		s.stage = 1
		play(c, s)
	}
	c.Fold(at(20 * time.Second))
	for metric, want := range map[slo.Metric][2]int{
		slo.TTFT: {10, 5}, slo.TPOT: {10, 0}, slo.E2EL: {10, 8}, slo.ITL: {100, 0}, slo.ErrorRate: {10, 0},
	} {
		judged, missed := c.StageMisses(slo.Objective{Metric: metric, Limit: 50 * ms})
		if judged != want[0] || missed != want[1] {
			t.Errorf("%s: %d of %d beyond 50 ms, want %d of %d", metric, missed, judged, want[1], want[0])
		}
	}
	if judged, missed := c.StageMisses(slo.Objective{Metric: slo.ITL, Limit: 4500 * time.Microsecond}); judged != 100 || missed != 60 {
		t.Errorf("ITL: %d of %d beyond 4.5 ms", missed, judged)
	}
}
