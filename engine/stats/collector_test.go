package stats

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

func TestSlidingWindowForgets(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	play(c, closed(0, 100*ms, 10*ms, 11))
	for s := time.Second; s <= 40*time.Second; s += time.Second {
		c.Fold(at(s))
	}
	play(c, closed(40*time.Second, 300*ms, 10*ms, 11))
	c.Fold(at(41 * time.Second))
	tests := []struct {
		window Window
		n      int
		spans  time.Duration
	}{
		{Last10s, 1, 10 * time.Second},
		{Last30s, 1, 30 * time.Second},
		{Last1m, 2, 41 * time.Second},
		{WholeRun, 2, 41 * time.Second},
	}
	for _, tt := range tests {
		s := c.Summary(tt.window, at(41*time.Second)-1) // on the whole second, where slices begin
		if s.TTFT.N != tt.n || s.E2EL.N != tt.n || s.Spans.Round(time.Millisecond) != tt.spans {
			t.Errorf("%s: TTFT n=%d E2EL n=%d over %v, want n=%d over %v", tt.window, s.TTFT.N, s.E2EL.N, s.Spans, tt.n, tt.spans)
		}
	}
}

func TestStageIsSummarisedByItsSteadyPart(t *testing.T) {
	c := newTestCollector(slo.Criteria{slo.TTFT: 200 * ms})
	ramp := closed(0, 900*ms, 10*ms, 11)
	ramp.stage = 1
	play(c, ramp)
	if s := c.Summary(ThisStage, at(500*ms)); !s.Settling {
		t.Error("a stage starts by settling")
	}
	c.Fold(at(2 * time.Second))
	if turn := c.Turnover(); turn.Ended != 1 || turn.MeanE2EL != time.Second || turn.Steady {
		t.Errorf("turnover %+v", turn)
	}
	c.MarkSteady(at(2 * time.Second))
	for i := range 10 {
		s := closed(2*time.Second+time.Duration(i)*100*ms, 100*ms, 10*ms, 11)
		s.stage = 1
		play(c, s)
	}
	c.Fold(at(4 * time.Second))
	c.MarkDraining(at(4 * time.Second))
	c.Fold(at(9 * time.Second))
	c.MarkOver(at(9 * time.Second))
	for _, s := range []Summary{c.Summary(ThisStage, at(10*time.Second)), c.Summary(WholeRun, at(10*time.Second)), c.StageSummary(1, at(10*time.Second))} {
		if s.Settling || s.TTFT.N != 10 || s.TTFT.Max != 100*ms || s.E2EL.N != 10 {
			t.Errorf("the ramp is in the summary: %+v", s)
		}
		if s.Spans != 2*time.Second {
			t.Errorf("rates are over %v, want the steady 2s", s.Spans)
		}
		if math.Abs(s.Throughput.Output-55) > 1e-6 {
			t.Errorf("output %v tok/s, want 110 tokens in 2 s", s.Throughput.Output)
		}
		if s.ITL.N != 100 || s.ChunkGap.N != 100 {
			t.Errorf("ITL n=%d, chunk gap n=%d, want 100", s.ITL.N, s.ChunkGap.N)
		}
		if math.Abs(s.Goodput-5) > 1e-6 || s.Score.Good != 10 {
			t.Errorf("goodput %v, %d good", s.Goodput, s.Score.Good)
		}
	}
}

func TestDisownedRequestsAreInNoStage(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.MarkSteady(at(0))
	good := closed(0, 100*ms, 10*ms, 11)
	good.stage = 1
	play(c, good)
	r := record.New(2)
	r.Stage, r.Started, r.Sent, r.FirstToken = 1, at(0), at(0), at(500*ms)
	f := c.Begin(r, 0)
	f.Sent(r.Sent)
	f.Token(record.Token{At: r.FirstToken, First: true, Opening: true})
	c.Fold(at(time.Second))
	c.Disown()
	r.LastToken, r.End, r.Outcome, r.OutputTokens = at(61*time.Second), at(61*time.Second), record.OK, record.Known(2)
	f.Finish(r)
	now := at(62 * time.Second)
	c.Fold(now)
	if s := c.StageSummary(1, now); s.E2EL.N != 1 || s.TTFT.N != 1 || s.TTFT.Max != 100*ms {
		t.Errorf("the disowned request is in its stage: %+v", s)
	}
	if s := c.Summary(Last10s, now); s.E2EL.N != 0 || s.Requests.OK != 0 {
		t.Errorf("a window of the stage judges it: %+v", s)
	}
	c.OpenStage(now)
	if s := c.Summary(Last10s, now); s.E2EL.N != 1 || s.Requests.OK != 1 {
		t.Errorf("a window in which the next load settles does not show it: %+v", s)
	}
}

func TestARunThatNeverSettledIsSummarisedWhole(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	s := closed(0, 100*ms, 100*ms, 6)
	s.stage = 1
	play(c, s)
	c.Fold(at(time.Second))
	got := c.Summary(WholeRun, at(time.Second))
	if !got.Settling || got.TTFT.N != 1 || math.Abs(got.Throughput.Output-6) > 1e-6 {
		t.Errorf("%+v", got)
	}
}

func TestTimeBeforeTheLoadIsInNoRate(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{})
	c.OpenStage(at(700 * ms)) // until then the endpoint was asked what it takes
	s := closed(700*ms, 100*ms, 100*ms, 10)
	s.stage = 1
	play(c, s)
	now := at(1700 * ms)
	c.Fold(now)
	for _, w := range []Window{Last10s, ThisStage, WholeRun} {
		if got := c.Summary(w, now); got.Spans != time.Second || math.Abs(got.Throughput.Output-10) > 1e-6 {
			t.Errorf("%s: %v tok/s over %v, want 10 over 1s", w, got.Throughput.Output, got.Spans)
		}
	}
}

func TestChangingAThresholdScoresWhatIsStored(t *testing.T) {
	c := newTestCollector(slo.Criteria{slo.TTFT: 500 * ms})
	for i := range 10 {
		play(c, closed(0, time.Duration(i+1)*100*ms, 0, 1))
	}
	c.Fold(at(2 * time.Second))
	before := c.History()
	if a := before[len(before)-1].Attainment; a != 0.5 {
		t.Fatalf("attainment in the trend %v, want 0.5", a)
	}
	c.SetCriteria(slo.Criteria{slo.TTFT: 200 * ms})
	if got := c.Summary(Last10s, at(2*time.Second)).Score.Good; got != 2 {
		t.Errorf("%d good under the new threshold, want 2", got)
	}
	after := c.History()
	if a := after[len(after)-1].Attainment; a != 0.2 {
		t.Errorf("attainment in the trend %v, want 0.2", a)
	}
	if a := before[len(before)-1].Attainment; a != 0.5 {
		t.Errorf("a published trend changed under its reader: %v", a)
	}
}

func TestTokensAreScaledToWhatTheServerBilled(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	s := closed(0, 500*ms, 500*ms, 4) // chunks at 0.5 1.0 1.5 2.0 s
	s.output = record.Known(12)       // three tokens each, said only at the end
	play(c, s)
	c.Fold(at(3 * time.Second))
	got := c.Summary(WholeRun, at(3*time.Second))
	if math.Abs(got.Throughput.Output-4) > 1e-6 {
		t.Errorf("output %v tok/s, want 12 tokens in 3 s", got.Throughput.Output)
	}
	if !got.ITLIsChunkGap() || got.TokensPerChunk != 3 {
		t.Errorf("%v tokens per chunk, want 3, and ITL to be called chunk gap", got.TokensPerChunk)
	}
	if got.MeanITL.Round(time.Microsecond) != 136364*time.Microsecond { // 1500 ms / 11 tokens
		t.Errorf("mean ITL %v, want 1500ms/11", got.MeanITL)
	}
	// A request that still runs counts at the usual tokens per chunk.
	r := closed(3*time.Second, 100*ms, 100*ms, 2)
	r.running = true
	play(c, r)
	c.Fold(at(4 * time.Second))
	if got := c.Summary(WholeRun, at(4*time.Second)).Throughput.Output; math.Abs(got-4.5) > 1e-6 {
		t.Errorf("output %v tok/s, want 18 tokens in 4 s", got)
	}
}

// TestAFailedRequestLeavesNoTrace plays the same good requests with and without failing ones between them.
func TestAFailedRequestLeavesNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		with, without := newTestCollector(slo.Criteria{}), newTestCollector(slo.Criteria{})
		n := rapid.IntRange(1, 12).Draw(t, "requests")
		for range n {
			s := closed(time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "sent")),
				time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(t, "ttft")),
				time.Duration(rapid.Int64Range(1, int64(200*ms)).Draw(t, "gap")),
				rapid.IntRange(1, 30).Draw(t, "tokens"))
			s.stage = 1
			s.perChunk = rapid.Int64Range(0, 4).Draw(t, "per chunk")
			if rapid.Bool().Draw(t, "fails") {
				s.outcome = record.Failed
			} else {
				play(without, s)
			}
			play(with, s)
		}
		now := at(12 * time.Second)
		with.Fold(now)
		without.Fold(now)
		for _, w := range []Window{Last30s, ThisStage, WholeRun} {
			a, b := with.Summary(w, now), without.Summary(w, now)
			if a.TTFT != b.TTFT || a.ITL != b.ITL || a.ChunkGap != b.ChunkGap || a.TPOT != b.TPOT || a.E2EL != b.E2EL {
				t.Fatalf("%s: failures moved a latency:\n%+v\n%+v", w, a, b)
			}
			if math.Abs(a.Throughput.Output-b.Throughput.Output) > 1e-6 || math.Abs(a.Throughput.Input-b.Throughput.Input) > 1e-6 {
				t.Fatalf("%s: failures moved the throughput: %+v, %+v", w, a.Throughput, b.Throughput)
			}
		}
		if c := with.Counts(); c.Started != n || c.Started != c.Ended() {
			t.Fatalf("counts don't add up: %+v", c)
		}
	})
}

func TestInFlightShowsWhoWaits(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	waiting := stream{scheduled: -1, sent: time.Second, running: true}
	decoding := closed(2*time.Second, 100*ms, 10*ms, 5)
	decoding.running = true
	play(c, waiting)
	play(c, decoding)
	c.Fold(at(2500 * ms))
	if in := c.InFlight(at(2500 * ms)); in.Answered != 0 {
		t.Errorf("%d answered after 0.4 s of answer; a server may yet break it off", in.Answered)
	}
	c.Fold(at(5 * time.Second))
	want := InFlight{Total: 2, Waiting: 1, Decoding: 1, Answered: 1, OldestWait: 4 * time.Second, Oldest: 4 * time.Second}
	if got := c.InFlight(at(5 * time.Second)); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTrendHasAPointASecond(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	play(c, closed(0, 500*ms, 100*ms, 16)) // tokens from 0.5 s to 2.0 s
	c.Fold(at(4200 * ms))
	points := c.History()
	if len(points) != 4 {
		t.Fatalf("%d points after 4.2 s, want 4", len(points))
	}
	if p := points[0]; p.TTFTP50 != 500*ms || p.OutputTokens != 5 || p.At != at(time.Second)-1 {
		t.Errorf("first second: %+v", p)
	}
	if p := points[1]; p.OutputTokens != 10 || !near(p.ITLP95, 100*ms) {
		t.Errorf("second second: %+v", p)
	}
	if p := points[3]; p.OutputTokens != 0 || !math.IsNaN(p.Attainment) {
		t.Errorf("a second without anything: %+v", p)
	}
}

func TestLongRunsStayBounded(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for s := time.Duration(0); s < 3*keepPoints*time.Second; s += time.Second {
		play(c, closed(s, 100*ms, 100*ms, 3))
		c.Fold(at(s + time.Second))
	}
	if n := len(c.History()); n < keepPoints || n > keepThinned+2*keepPoints {
		t.Errorf("%d points kept, want %d to %d", n, keepPoints, keepThinned+2*keepPoints)
	}
	kept := 0
	for _, s := range c.time.slices {
		if s.recent != nil {
			kept++
		}
	}
	if limit := int(keepDetails/time.Second) + 2; kept > limit {
		t.Errorf("%d histograms kept, want at most %d", kept, limit)
	}
	now := at(3*keepPoints*time.Second) - 1
	if s := c.Summary(Last10s, now); s.Requests.OK != 10 || s.ITL.N != 20 {
		t.Errorf("the last 10 s hold %d requests and %d gaps, want 10 and 20", s.Requests.OK, s.ITL.N)
	}
}
