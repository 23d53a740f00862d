package stats

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

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
		judged, missed = c.PooledMisses([]int{1}, slo.Objective{Metric: metric, Limit: 50 * ms})
		if judged != want[0] || missed != want[1] {
			t.Errorf("%s, pooled: %d of %d beyond 50 ms, want %d of %d", metric, missed, judged, want[1], want[0])
		}
	}
	if judged, missed := c.StageMisses(slo.Objective{Metric: slo.ITL, Limit: 4500 * time.Microsecond}); judged != 100 || missed != 60 {
		t.Errorf("ITL: %d of %d beyond 4.5 ms", missed, judged)
	}
	c.OpenStage(at(21 * time.Second))
	if judged, missed := c.PooledMisses([]int{1, 2}, slo.Objective{Metric: slo.TTFT, Limit: 50 * ms}); judged != 10 || missed != 5 {
		t.Errorf("beside a stage in which nothing ended: %d of %d", missed, judged)
	}
}

// countMisses is what StageMisses should find, from the columns.
func countMisses(c *Collector, o slo.Objective) (judged, missed int) {
	stage := len(c.stages)
	sc := c.stageScope(stage)
	count := func(at, sent record.Instant, of int32, latency time.Duration) {
		if latency != undefined && c.belongs(sc, at, sent, of) {
			judged++
			missed += one(latency > o.Limit)
		}
	}
	if o.Metric == slo.TTFT {
		for i, ttft := range c.firsts.ttft {
			count(c.firsts.at[i], c.firsts.sent[i], c.firsts.stage[i], ttft)
		}
		return judged, missed
	}
	for i, latency := range c.dones.of(o.Metric) {
		if c.dones.ending[i] == slo.OK {
			count(c.dones.at[i], c.dones.sent[i], c.dones.stage[i], latency)
		}
	}
	return judged, missed
}

// TestStageMissesKeepsUpWithTheRun looks again and again while requests come, fail, are cancelled and are disowned, and
// stages change.
func TestStageMissesKeepsUpWithTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newTestCollector(slo.Criteria{})
		now, stage := time.Duration(0), 1
		type running struct {
			handle *Running
			record *record.Record
		}
		var all []running
		take := func(label string) (r running) {
			i := rapid.IntRange(0, len(all)-1).Draw(t, label)
			r = all[i]
			all = append(all[:i], all[i+1:]...)
			return r
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += time.Duration(rapid.IntRange(1, 400).Draw(t, "pause")) * ms
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3:
				r := record.New(uint64(now))
				r.Stage, r.Started, r.Sent, r.Streamed = stage, at(now), at(now), true
				f := c.Begin(r, 0)
				f.Sent(r.Sent)
				all = append(all, running{f, r})
			case 4, 5, 6:
				if len(all) == 0 {
					continue
				}
				r := take("first token of")
				if r.record.FirstToken == 0 {
					r.record.FirstToken, r.record.LastToken, r.record.Chunks = at(now), at(now), 1
					r.handle.Token(record.Token{At: at(now), First: true, Opening: true})
					all = append(all, r)
					continue
				}
				r.record.LastToken, r.record.End, r.record.OutputTokens = at(now), at(now), record.Known(5)
				r.record.Outcome = rapid.SampledFrom([]record.Outcome{record.OK, record.OK, record.Failed, record.Cancelled}).Draw(t, "outcome")
				r.handle.Finish(r.record)
			case 7:
				c.MarkSteady(at(now))
			case 8:
				c.Disown()
			case 9:
				if rapid.IntRange(0, 3).Draw(t, "another stage") == 0 {
					stage = c.OpenStage(at(now))
				}
			}
			if rapid.Bool().Draw(t, "look") {
				c.Fold(at(now))
				for range rapid.IntRange(1, 3).Draw(t, "objectives") {
					o := slo.Objective{
						Metric: rapid.SampledFrom([]slo.Metric{slo.TTFT, slo.TPOT, slo.E2EL}).Draw(t, "metric"),
						Limit:  time.Duration(rapid.IntRange(1, 5).Draw(t, "limit")) * 100 * ms,
					}
					judged, missed := c.StageMisses(o)
					if j, m := countMisses(c, o); judged != j || missed != m {
						t.Fatalf("%s beyond %v: %d of %d, want %d of %d", o.Metric, o.Limit, missed, judged, m, j)
					}
				}
			}
		}
	})
}

func TestStageMissesAllocatesNothing(t *testing.T) {
	c, _ := manyRequests(10_000)
	limit := time.Duration(0)
	allocated := testing.AllocsPerRun(20, func() {
		limit += ms // counted anew each time
		for _, m := range []slo.Metric{slo.TTFT, slo.TPOT, slo.E2EL, slo.ITL, slo.ErrorRate} {
			if judged, _ := c.StageMisses(slo.Objective{Metric: m, Limit: limit}); judged == 0 {
				t.Fatalf("%s: nothing was judged", m)
			}
		}
	})
	if allocated != 0 {
		t.Errorf("%v allocations, want none", allocated)
	}
}
