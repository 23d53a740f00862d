package stats

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// TestTheTrendOfADayCoversAllOfItAndStaysBounded adds a point a second for a day, with a spike in its first minute.
func TestTheTrendOfADayCoversAllOfItAndStaysBounded(t *testing.T) {
	const day = 24 * 3600
	criteria := slo.Criteria{slo.TTFT: 100 * ms}
	h := newHistory(at(0))
	for i := range day {
		end := h.next()
		if v := h.of(end - 1); v != nil {
			v.now.Add(slo.Tally{OK: 1, Good: 1, Measured: [4]int{1}})
		}
		p := Point{At: end, TTFTP95: 10 * ms, OutputTokens: 100, InFlight: 1}
		if i == 30 {
			p.TTFTP95 = 900 * ms
		}
		p.Completed, p.Failed, p.Good = h.rates(len(h.points), criteria)
		h.append(p)
	}
	if n := len(h.points); n > keepThinned+2*keepPoints || n < keepPoints {
		t.Errorf("%d points", n)
	}
	if first, last := h.points[0], h.points[len(h.points)-1]; first.At.Elapsed() > time.Minute+h.span || last.At != record.Instant(day*time.Second) {
		t.Errorf("from %v to %v", first.At.Elapsed(), last.At.Elapsed())
	}
	if got := h.points[0]; got.TTFTP95 != 900*ms || got.OutputTokens != 100 {
		t.Errorf("the spike of the first minute is %v, output %v", got.TTFTP95, got.OutputTokens)
	}
	for i := 1; i < len(h.points); i++ {
		if got := h.points[i].At.Elapsed() - h.points[i-1].At.Elapsed(); i < h.old && got != h.span || i > h.old && got != time.Second {
			t.Fatalf("point %d of %d old ones is %v after the one before, span %v", i, h.old, got, h.span)
		}
	}
	sum := 0
	for _, v := range h.scores {
		sum += v.now.OK
	}
	if sum != day {
		t.Errorf("%d verdicts, want %d", sum, day)
	}
	if v := h.of(at(39 * time.Second)); v != &h.scores[0] {
		t.Error("the verdicts of the first minute are not those of the first point")
	}
	h.rescore(slo.Criteria{})
	if p := h.points[1]; !math.IsNaN(p.Good) || !math.IsNaN(p.Attainment) || p.Completed != 1 {
		t.Errorf("without an SLO: %+v", p)
	}
	h.rescore(criteria)
	if p := h.points[1]; p.Good != 1 || p.Attainment != 1 {
		t.Errorf("with one: %+v", p)
	}
}

func TestATrendThatStoodStillIsThinnedByTime(t *testing.T) {
	type point struct {
		at record.Instant
		v  float64
	}
	ends := func(p *point) record.Instant { return p.at }
	merge := func(points []point) point {
		return point{points[len(points)-1].at, MeanOf(points, func(p *point) float64 { return p.v })}
	}
	var trend Trend[point]
	for i := range 3 * keepPoints {
		seconds := i + 1
		if i >= 5 { // the process slept
			seconds += 1000
		}
		trend.Append(point{record.Instant(time.Duration(seconds) * time.Second), float64(i)}, ends, merge)
	}
	first, second := trend.Points()[0], trend.Points()[1]
	if first.at != record.Instant(5*time.Second) || first.v != 2 || second.at != record.Instant(1010*time.Second) {
		t.Errorf("%+v, %+v", first, second)
	}
}

func TestASpreadHoldsEverythingWithinItsBounds(t *testing.T) {
	values := []time.Duration{80 * ms, 82 * ms, 85 * ms, 300 * ms, 2400 * ms}
	steps := spreadOf(values).Cumulative()
	var h Histogram
	for _, v := range values {
		h.Add(v, 1)
	}
	if other := h.Spread().Cumulative(); len(other) != len(steps) || other[3] != steps[3] {
		t.Errorf("of values %v, of a histogram %v", steps, other)
	}
	for _, s := range steps {
		within := 0.0
		for _, v := range values {
			if v < s.Within {
				within++
			}
		}
		if s.Share != within/5 {
			t.Errorf("%v within %v, want %v", s.Share, s.Within, within/5)
		}
	}
	if first, last := steps[0], steps[len(steps)-1]; first.Within > 80*ms || first.Within < 75*ms || last.Within < 2400*ms || last.Within > 2560*ms {
		t.Errorf("from %v to %v", first.Within, last.Within)
	}
	if got := (Spread{}).Cumulative(); got != nil {
		t.Errorf("of none: %v", got)
	}
}
