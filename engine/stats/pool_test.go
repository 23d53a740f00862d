package stats

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/slo"
)

// playStage opens a stage at from in which n requests are sent, 100 ms apart, after one that settles it.
func playStage(c *Collector, from time.Duration, ttfts []time.Duration) (to time.Duration) {
	n := c.OpenStage(at(from))
	send := func(after, ttft time.Duration) {
		s := closed(from+after, ttft, 10*ms, 11)
		s.stage = n
		play(c, s)
	}
	send(0, 5*time.Second)
	from += 6 * time.Second
	c.Fold(at(from))
	c.MarkSteady(at(from))
	for i, ttft := range ttfts {
		send(time.Duration(i)*100*ms, ttft)
	}
	to = from + time.Duration(len(ttfts))*100*ms + 2*time.Second
	c.Fold(at(to))
	return to
}

func TestStagesOfOneLoadArePooled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
		stages := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(1, 1000).Draw(t, "ms")) * ms
		}), 1, 12), 1, 5).Draw(t, "stages")
		pooled := rapid.SliceOfNDistinct(rapid.IntRange(1, len(stages)), 1, len(stages), rapid.ID).Draw(t, "pooled")
		slices.Sort(pooled)
		now, all := time.Duration(0), []time.Duration{}
		spans := time.Duration(0)
		for i, ttfts := range stages {
			began := now
			now = playStage(c, now, ttfts)
			if slices.Contains(pooled, i+1) {
				all = append(all, ttfts...)
				spans += now - began - 6*time.Second
			}
		}
		good := 0
		for _, ttft := range all {
			if ttft <= 300*ms {
				good++
			}
		}
		s := c.PooledSummary(pooled, at(now))
		if want := Inverted.Describe(slices.Clone(all)); s.TTFT != want {
			t.Fatalf("TTFT %+v, want %+v", s.TTFT, want)
		}
		if s.Score.Good != good || s.Requests.OK != len(all) || s.Spans != spans {
			t.Fatalf("%d good of %d over %v, want %d of %d over %v", s.Score.Good, s.Requests.OK, s.Spans, good, len(all), spans)
		}
		var values []time.Duration
		for _, n := range pooled {
			values = append(values, c.StageValues(n, slo.TTFT)...)
		}
		if !slices.Equal(values, all) {
			t.Fatalf("values %v, want %v", values, all)
		}
	})
}

func TestPoolLeavesOutWhatHasNotSettled(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{})
	now := playStage(c, 0, []time.Duration{100 * ms, 200 * ms})
	c.OpenStage(at(now))
	s := closed(now, 900*ms, 10*ms, 11)
	s.stage = 2
	play(c, s)
	now += 3 * time.Second
	c.Fold(at(now))
	if got := c.PooledSummary([]int{1, 2}, at(now)); got.TTFT.N != 2 || got.Stage != 1 {
		t.Errorf("%+v", got)
	}
	if got := c.PooledSummary([]int{2}, at(now)); got.TTFT.N != 0 || got.Requests.Ended() != 0 || got.Spans != 0 {
		t.Errorf("%+v", got)
	}
}

func TestStageVersionTellsOfEveryChange(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{})
	now := playStage(c, 0, []time.Duration{100 * ms})
	first := c.StageVersion(1)
	if now = playStage(c, now, []time.Duration{100 * ms}); c.StageVersion(1) != first {
		t.Error("another stage's requests changed it")
	}
	late := closed(6500*ms, time.Minute, 10*ms, 11)
	late.stage = 1
	play(c, late)
	c.Fold(at(now + 2*time.Minute))
	second := c.StageVersion(1)
	if second == first || c.StageSummary(1, at(now)).TTFT.N != 2 {
		t.Error("a straggler did not change it")
	}
	if c.SetCriteria(slo.Criteria{slo.TTFT: ms}); c.StageVersion(1) == second {
		t.Error("another SLO did not change it")
	}
}
