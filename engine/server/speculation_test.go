// Speculative decoding: shares of a stretch of time and never of the time since the server's start, whatever its counters do.

package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/gpu/optional"
)

// drafted is a page of a server that has made so many drafts of two tokens, of which so many were accepted at each position.
func drafted(t *testing.T, second float64, drafts, first, both float64) Metrics {
	return reading(t, second,
		fmt.Sprintf("vllm:spec_decode_num_drafts_total %g", drafts),
		fmt.Sprintf("vllm:spec_decode_num_draft_tokens_total %g", 2*drafts),
		fmt.Sprintf("vllm:spec_decode_num_accepted_tokens_total %g", first+both),
		fmt.Sprintf(`vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} %g`, first),
		fmt.Sprintf(`vllm:spec_decode_num_accepted_tokens_per_pos_total{position="1"} %g`, both),
	)
}

func TestSpeculationIsOfTheStretchAndNotSinceTheStart(t *testing.T) {
	var totals Totals
	for second := range 4 {
		n := float64(second)
		totals.Add(drafted(t, n, 1000+100*n, 500+80*n, 100+40*n))
	}
	want := Speculation{
		Drafts: optional.Of(300), Drafted: optional.Of(600), Accepted: optional.Of(360), Rate: optional.Of(0.6), Length: optional.Of(2.2),
		Positions: []float64{0.8, 0.4},
	}
	if diff := cmp.Diff(want, totals.Summary().Window.Speculation); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	next := totals.Next()
	next.Add(drafted(t, 4, 1400, 740, 220))
	if got := next.Summary().Window.Speculation; got.Rate != optional.Of(0) || got.Length != optional.Of(1) {
		t.Errorf("a stage in which nothing was accepted: %+v", got)
	}
}

func TestARestartCostsTheStretchAroundItOnly(t *testing.T) {
	var totals Totals
	for second, page := range [][3]float64{{1000, 500, 100}, {1100, 580, 140}, {10, 1, 1}, {110, 81, 41}} {
		totals.Add(drafted(t, float64(second), page[0], page[1], page[2]))
	}
	w := totals.Summary().Window
	if s := &w.Speculation; !w.Restarted || s.Drafts != optional.Of(200) || s.Rate != optional.Of(0.6) || !cmp.Equal(s.Positions, []float64{0.8, 0.4}) {
		t.Errorf("restarted %v, %+v", w.Restarted, s)
	}
}

func TestNothingDraftedIsNotNothingAccepted(t *testing.T) {
	var totals Totals
	totals.Add(drafted(t, 0, 10, 5, 2))
	totals.Add(drafted(t, 1, 10, 5, 2))
	if s := totals.Summary().Window.Speculation; s.Known() || s.Rate.NA != reasonNoDrafts || s.Positions != nil || s.Drafts != optional.Of(0) {
		t.Errorf("%+v", s)
	}
}

func TestAServersOwnAverageCountsFromEveryReading(t *testing.T) {
	var totals Totals
	for second, rate := range []float64{0.9, 0.4, 0.6, 0.8} { // the first is of before
		totals.Add(reading(t, float64(second), fmt.Sprintf("sglang:spec_accept_rate %g", rate), fmt.Sprintf("sglang:spec_accept_length %g", 1+rate)))
	}
	if s := totals.Summary().Window.Speculation; !near(s.Rate, 0.6) || !near(s.Length, 1.6) || s.Drafts.OK() || s.Positions != nil {
		t.Errorf("%+v", s)
	}
}

func near(v optional.Value, want float64) bool {
	return v.OK() && v.V > want-1e-9 && v.V < want+1e-9
}

func TestALongerDraftHasMorePositions(t *testing.T) {
	one := reading(t, 0, "vllm:spec_decode_num_drafts_total 10", `vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 5`)
	var totals Totals
	totals.Add(one)
	totals.Add(drafted(t, 1, 20, 13, 4))
	if got := totals.Summary().Window.Speculation.Positions; !cmp.Equal(got, []float64{0.8, 0.4}) {
		t.Errorf("positions %v", got)
	}
}

func TestLatelyIsOfTheLastReadings(t *testing.T) {
	var l Lately
	for second := range 400 {
		accepted := 50.0 * float64(second) // until second 390, then nothing more
		if second > 390 {
			accepted = 50 * 390
		}
		l.Add(drafted(t, float64(second), 100*float64(second), accepted, 0))
	}
	if s := l.Over(10 * time.Second); s.Drafts != optional.Of(1000) || s.Accepted != optional.Of(50) {
		t.Errorf("of the last ten seconds: %+v", s)
	}
	if s := l.Over(time.Hour); s.Drafts != optional.Of(100*301) {
		t.Errorf("five minutes are kept, not %+v", s)
	}
	before := l.Clone()
	l.Add(drafted(t, 400, 40_100, 50*390, 0))
	before.Add(drafted(t, 400, 40_100, 50*390+100, 0))
	if s := l.Over(time.Second); s.Accepted != optional.Of(0) {
		t.Errorf("a copy that went on has changed this one: %+v", s)
	}
}
