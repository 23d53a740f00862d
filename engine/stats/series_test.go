package stats

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/slo"
)

// A series is of the same requests and tokens as the summary of its stage.
func TestSeriesIsWhatTheSummaryIsOf(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
	ttfts := make([]time.Duration, 400) // for longer than slices keep their details
	for i := range ttfts {
		ttfts[i] = time.Duration(50+i) * ms
	}
	to := playStage(c, 0, ttfts)
	for ; to < 10*time.Minute; to += time.Second {
		c.Fold(at(to))
	}
	s, series := c.StageSummary(1, at(to)), c.StageSeries(1, at(to))
	if got, want := series.Seconds, s.Spans.Seconds(); math.Abs(got-want) > 1e-6 {
		t.Errorf("it lasts %g s, want %g", got, want)
	}
	for _, of := range []struct {
		name   string
		values *compare.Values
		want   Distribution
	}{{"TTFT", &series.TTFT, s.TTFT}, {"TPOT", &series.TPOT, s.TPOT}, {"E2EL", &series.E2EL, s.E2EL}, {"ITL", &series.ITL, s.ITL}} {
		n, sum := 0.0, 0.0
		for i, v := range of.values.V {
			n += of.values.Weight(i)
			sum += v * of.values.Weight(i)
			if at := of.values.At[i]; at < 0 || at > series.Seconds {
				t.Fatalf("%s: a sample at %g s", of.name, at)
			}
		}
		if mean := milliseconds(of.want.Mean); int(n) != of.want.N || math.Abs(sum/n-mean) > 0.005*mean {
			t.Errorf("%s: %g samples of %g ms, want %d of %g", of.name, n, sum/n, of.want.N, mean)
		}
	}
	rate := func(of *compare.Sums) float64 {
		num, den := 0.0, 0.0
		for i := range of.Num {
			num += of.Num[i]
			den += of.Den[i]
		}
		return num / den
	}
	attainment, _ := s.Score.Attainment(slo.Criteria{slo.TTFT: 300 * ms})
	for name, of := range map[string]struct {
		sums *compare.Sums
		want float64
	}{
		"output": {&series.Output, s.Throughput.Output}, "requests": {&series.Requests, s.Throughput.Requests},
		"goodput": {&series.Goodput, s.Goodput}, "attainment": {&series.Good, attainment}, "failed": {&series.Failed, 0},
	} {
		if got := rate(of.sums); math.Abs(got-of.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", name, got, of.want)
		}
	}
	for name, of := range map[string]*compare.Sums{"output": &series.Output, "requests": &series.Requests, "goodput": &series.Goodput} {
		for i, den := range of.Den { // blocks begin anywhere: what is not divided has to be at one time with its time
			if den <= 0 {
				t.Errorf("%s: %g at %g s in no time", name, of.Num[i], of.At[i])
			}
		}
	}
	c.OpenStage(at(to))
	if c.StageSeries(2, at(to)) != nil {
		t.Error("a stage that settles has a series")
	}
}

// BenchmarkSeries is what a comparison takes of a collector that nobody else may use meanwhile.
func BenchmarkSeries(b *testing.B) {
	c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
	to := playStage(c, 0, make([]time.Duration, 100_000))
	b.ReportAllocs()
	for b.Loop() {
		c.StageSeries(1, at(to))
	}
}
