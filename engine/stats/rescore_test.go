package stats

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// scores are all that a collector says of its SLO.
type scores struct {
	Windows, Stages []Summary
	Trend           []Point
}

// alike takes equal numbers for equal, and unknown ones.
var alike = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateComparable(record.Count{})}

func scoresOf(c *Collector, now record.Instant) scores {
	s := scores{Trend: c.History()}
	for _, w := range []Window{Last10s, Last1m, ThisStage, WholeRun} {
		s.Windows = append(s.Windows, c.Summary(w, now))
	}
	for n := range c.stages {
		s.Stages = append(s.Stages, c.StageSummary(n+1, now), c.PooledSummary([]int{n + 1}, now))
	}
	return s
}

// While requests are scored anew, bit by bit, others end and stages open. Every score is by the old SLO until the last bit is
// done, and from then on by the new one, as if it had been in force from the beginning.
func TestScoringAnewBitByBitNeverMixesTwoSLOs(t *testing.T) {
	old, turned := slo.Criteria{slo.TTFT: 250 * ms}, slo.Criteria{slo.TTFT: 120 * ms, slo.E2EL: 400 * ms}
	collectors := map[string]*Collector{}
	for name, criteria := range map[string]slo.Criteria{"scored anew": old, "never turned": old, "turned before": turned} {
		collectors[name] = NewCollector(at(0), Inverted, criteria)
	}
	latencies := []time.Duration{50 * ms, 100 * ms, 150 * ms, 200 * ms, 300 * ms, 450 * ms}
	var now time.Duration
	more := func() {
		next := now
		for _, c := range collectors {
			next = playStage(c, now, latencies)
		}
		now = next
	}
	for range 4 {
		more()
	}
	c := collectors["scored anew"]
	for calls := 1; ; calls++ {
		if c.Rescore(turned, 5) {
			if calls < 5 {
				t.Fatalf("done after %d calls", calls)
			}
			break
		}
		if diff := cmp.Diff(scoresOf(collectors["never turned"], at(now)), scoresOf(c, at(now)), alike); diff != "" {
			t.Fatalf("after %d calls (-by the old SLO +got):\n%s", calls, diff)
		}
		if calls == 3 {
			more()
		}
	}
	if diff := cmp.Diff(scoresOf(collectors["turned before"], at(now)), scoresOf(c, at(now)), alike); diff != "" {
		t.Errorf("(-by the new SLO +got):\n%s", diff)
	}
	more()
	if diff := cmp.Diff(scoresOf(collectors["turned before"], at(now)), scoresOf(c, at(now)), alike); diff != "" {
		t.Errorf("later (-by the new SLO +got):\n%s", diff)
	}
}

// An SLO that is turned back, or on, while requests are scored leaves nothing of the one between.
func TestAnSLOThatIsTurnedAgainWhileItIsScored(t *testing.T) {
	first, second, third := slo.Criteria{slo.TTFT: 250 * ms}, slo.Criteria{slo.TTFT: 120 * ms}, slo.Criteria{slo.TTFT: 60 * ms}
	ttfts := []time.Duration{50 * ms, 100 * ms, 150 * ms, 200 * ms, 300 * ms}
	for name, turns := range map[string][]slo.Criteria{
		"back": {second, first}, "on": {second, third}, "there and back": {second, first, second},
	} {
		c := NewCollector(at(0), Inverted, first)
		now := playStage(c, 0, ttfts)
		last := turns[len(turns)-1]
		for _, criteria := range turns[:len(turns)-1] {
			c.Rescore(criteria, 2)
		}
		c.SetCriteria(last)
		fresh := NewCollector(at(0), Inverted, last)
		playStage(fresh, 0, ttfts)
		if diff := cmp.Diff(scoresOf(fresh, at(now)), scoresOf(c, at(now)), alike); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A summary that was made by another SLO becomes what it would be by the present one.
func TestASummaryIsScoredAnew(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 250 * ms})
	now := playStage(c, 0, []time.Duration{50 * ms, 100 * ms, 300 * ms})
	now = playStage(c, now, []time.Duration{100 * ms, 300 * ms})
	c.OpenStage(at(now)) // nothing in it is steady
	one, pooled, settling := c.StageSummary(1, at(now)), c.PooledSummary([]int{1, 2, 3}, at(now)), c.StageSummary(3, at(now))
	c.SetCriteria(slo.Criteria{slo.TTFT: 80 * ms})
	c.ScoreAnew(&one, []int{1})
	c.ScoreAnew(&pooled, []int{1, 2, 3})
	c.ScoreAnew(&settling, []int{3})
	want := []Summary{c.StageSummary(1, at(now)), c.PooledSummary([]int{1, 2, 3}, at(now)), c.StageSummary(3, at(now))}
	if diff := cmp.Diff(want, []Summary{one, pooled, settling}, alike); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if one.Score.Good != 1 {
		t.Errorf("%d good, want 1", one.Score.Good)
	}
}
