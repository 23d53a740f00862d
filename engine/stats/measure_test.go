package stats

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// latencyOver is an objective on a latency, errorsOver one on errors.
func latencyOver(m slo.Metric, p float64, w time.Duration) slo.Objective {
	return slo.Objective{Metric: m, Percentile: p, Limit: time.Second, Window: w, Target: 0.99}
}

func errorsOver(w time.Duration) slo.Objective {
	return slo.Objective{Metric: slo.ErrorRate, Window: w, Target: 0.99}
}

// refused is a request that failed half a second after it was sent.
func refused(sent time.Duration, stage int) stream {
	return stream{stage: stage, scheduled: -1, sent: sent, end: sent + 500*ms, outcome: record.Failed}
}

func TestMeasureIsOfItsWindowOnly(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.MarkSteady(at(0))
	for i := range 10 { // one a second, each slower than the one before
		play(c, closed(time.Duration(i)*time.Second, time.Duration(i+1)*10*ms, time.Duration(i+1)*ms, 11))
	}
	play(c, refused(9*time.Second, 1))
	now := at(10 * time.Second)
	c.Fold(now)

	latency, errors := latencyOver, errorsOver
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

// numbers are the samples that an objective on each metric finds within a minute.
func numbers(c *Collector, now time.Duration) map[slo.Metric]int {
	n := make(map[slo.Metric]int)
	for _, m := range []slo.Metric{slo.TTFT, slo.TPOT, slo.E2EL, slo.ITL, slo.ErrorRate} {
		n[m] = c.Measure(latencyOver(m, 0.5, time.Minute), at(now)).N
	}
	return n
}

func wantNumbers(t *testing.T, when string, got map[slo.Metric]int, requests, tokens int) {
	t.Helper()
	for m, n := range got {
		want := requests
		if m == slo.ITL {
			want = tokens
		}
		if n != want {
			t.Errorf("%s: %s is of %d samples, want %d", when, m, n, want)
		}
	}
}

func TestWarmUpIsInNoObjective(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for i := range 5 {
		play(c, closed(time.Duration(i)*100*ms, 2*time.Second, 10*ms, 3))
	}
	play(c, refused(time.Second, 1))
	c.Fold(at(4800 * ms))
	wantNumbers(t, "before the run is steady", numbers(c, 4800*ms), 0, 0)
	c.MarkSteady(at(4800 * ms))
	play(c, closed(3*time.Second, time.Second, 500*ms, 5)) // tokens at 4.0, 4.5, 5.0, 5.5, 6.0 s
	c.Fold(at(7 * time.Second))
	wantNumbers(t, "sent in the warm-up", numbers(c, 7*time.Second), 0, 0)

	play(c, closed(7*time.Second, 100*ms, 10*ms, 3))
	c.Fold(at(8 * time.Second))
	wantNumbers(t, "steady", numbers(c, 8*time.Second), 1, 3+2) // of the one before, what came since
	n := c.OpenStage(at(8 * time.Second))
	ramp := closed(8*time.Second, time.Second, 10*ms, 3)
	ramp.stage = n
	play(c, ramp)
	c.Fold(at(10 * time.Second))
	wantNumbers(t, "a later stage that settles", numbers(c, 10*time.Second), 0, 0)
	c.MarkSteady(at(10 * time.Second))
	ramp.sent = 11 * time.Second
	play(c, ramp)
	c.Fold(at(13 * time.Second))
	wantNumbers(t, "a later stage that is steady", numbers(c, 13*time.Second), 1, 2)
}

func TestDisownedRequestsAreInNoObjective(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.MarkSteady(at(0))
	play(c, closed(0, 100*ms, 10*ms, 6))
	c.Fold(at(time.Second))

	// Three requests run when everything stands still for four seconds: one has its first token, one waits for it, one
	// will fail.
	with := record.New(11)
	with.Stage, with.Started, with.Sent, with.FirstToken = 1, at(500*ms), at(500*ms), at(800*ms)
	f := c.Begin(with, 0)
	f.Sent(with.Sent)
	f.Token(record.Token{At: with.FirstToken, First: true, Opening: true})
	waits := record.New(12)
	waits.Stage, waits.Started, waits.Sent, waits.FirstToken = 1, at(600*ms), at(600*ms), at(5*time.Second)
	g := c.Begin(waits, 0)
	g.Sent(waits.Sent)
	failing := record.New(13)
	failing.Stage, failing.Started, failing.Sent = 1, at(700*ms), at(700*ms)
	h := c.Begin(failing, 0)
	h.Sent(failing.Sent)
	c.Fold(at(1200 * ms))

	c.MarkDraining(at(1200 * ms))
	c.Disown()
	for i := range 20 { // what came meanwhile is read late
		f.Token(record.Token{At: at(1200*ms + time.Duration(i)*200*ms), Gap: 200 * ms})
	}
	c.Fold(at(5200 * ms))
	c.Disown()
	n := c.OpenStage(at(5200 * ms))
	g.Token(record.Token{At: waits.FirstToken, First: true, Opening: true})
	for i, r := range []*record.Record{with, waits, failing} {
		r.LastToken, r.End, r.Outcome, r.OutputTokens = at(5100*ms), at(5300*ms), record.OK, record.Known(int64(21-i))
		r.InputTokens = record.Known(100)
	}
	failing.Outcome, failing.Kind, failing.LastToken = record.Failed, record.KindTruncated, 0
	f.Finish(with)
	g.Finish(waits)
	h.Finish(failing)
	c.Fold(at(6 * time.Second))
	wantNumbers(t, "after the stall", numbers(c, 6*time.Second), 0, 0)

	later := closed(6*time.Second, 100*ms, 10*ms, 6)
	later.stage = n
	play(c, later)
	c.Fold(at(7 * time.Second))
	wantNumbers(t, "while the next stage settles", numbers(c, 7*time.Second), 0, 0)
	if s := c.Summary(Last10s, at(7*time.Second)); s.E2EL.N != 4 || s.ITL.N != 30 {
		t.Errorf("the sliding window is of %d requests and %d tokens, want all 4 and 30", s.E2EL.N, s.ITL.N)
	}
	tokens := c.Tokens()
	if in, out := tokens.Input.Or(-1), tokens.Output.Or(-1); in != 200 || out != 6+21+20+6 {
		t.Errorf("the run's tokens are %d in, %d out, want those of disowned requests too: 200, 53", in, out)
	}
}

// TestAWindowJudgesThePresentLoad: gauge and objective are of the same requests, those of the steady part of the present
// stage, and while it settles the window shows what there is.
func TestAWindowJudgesThePresentLoad(t *testing.T) {
	limit := slo.Criteria{slo.TTFT: 200 * ms}
	c := newTestCollector(limit)
	play(c, closed(0, time.Second, 10*ms, 3)) // in the ramp
	c.MarkSteady(at(2 * time.Second))
	for i := range 3 {
		play(c, closed(time.Duration(2+i)*time.Second, 300*ms, 10*ms, 3))
	}
	c.Fold(at(5 * time.Second))
	agree := func(when string, now time.Duration, good, n int) {
		t.Helper()
		s := c.Summary(Last30s, at(now))
		if o := c.Measure(latencyOver(slo.TTFT, 1, 30*time.Second), at(now)); o.N != n || s.TTFT.N != n || s.TTFT.Max != o.Latency {
			t.Errorf("%s: the window's TTFT is %+v, the objective's %+v, want n=%d", when, s.TTFT, o, n)
		}
		if judged := s.Score.OK + s.Score.Failed; s.Settling || judged != n || s.Score.Good != good || s.Requests.OK != n {
			t.Errorf("%s: %+v, want %d of %d", when, s.Score, good, n)
		}
	}
	agree("steady", 5*time.Second, 0, 3)

	second := c.OpenStage(at(5 * time.Second))
	faster := closed(5*time.Second, 100*ms, 10*ms, 3)
	faster.stage = second
	play(c, faster)
	c.Fold(at(6 * time.Second))
	if s := c.Summary(Last30s, at(6*time.Second)); !s.Settling || s.TTFT.N != 5 || s.Score.OK != 5 {
		t.Errorf("while the next load settles: %+v", s.Score)
	}
	c.MarkSteady(at(6 * time.Second))
	faster.sent = 6 * time.Second
	play(c, faster)
	c.Fold(at(7 * time.Second))
	agree("the next load", 7*time.Second, 1, 1)
	c.SetCriteria(slo.Criteria{slo.TTFT: 50 * ms})
	agree("with a limit turned", 7*time.Second, 0, 1)

	// A verdict that needs more requests than a window holds is on as many as it needs, and no more than there are.
	for i := range 40 {
		faster.sent = time.Duration(7+i) * time.Second
		play(c, faster)
	}
	c.Fold(at(47 * time.Second))
	for needed, want := range map[int]int{5: 9, 20: 20, 100: 41} {
		if s := c.Live(Last10s, at(47*time.Second), needed); s.Score.OK != want || s.TTFT.N != 9 || s.Requests.OK != 9 {
			t.Errorf("%d are needed: %d judged, %d shown, want %d and 9", needed, s.Score.OK, s.TTFT.N, want)
		}
	}
}
