package stats

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

const ms = time.Millisecond

// at is an instant on the run's clock of a test, which starts at 1 ns.
func at(d time.Duration) record.Instant { return record.Instant(d) + 1 }

// stream is a request as a test describes it.
type stream struct {
	stage     int           // 0: stage 1
	scheduled time.Duration // -1: closed loop
	sent      time.Duration
	first     time.Duration // 0: no token
	gaps      []time.Duration
	perChunk  int64 // continuous usage; 0: the server does not say
	output    record.Count
	input     record.Count
	asked     int // prompt tokens asked for; 0: not known
	outcome   record.Outcome
	end       time.Duration // 0: with the last token
	running   bool          // never finished
	residual  bool          // the first of a slot, with a part of its answer
	came      record.Arrivals
}

// play reports a stream to a collector, as the code that runs requests does, and returns its record.
func play(c *Collector, s stream) *record.Record {
	r := record.New(uint64(c.Counts().Started))
	r.Stage, r.Started, r.Residual, r.Arrivals = max(s.stage, 1), at(s.sent), s.residual, s.came
	if s.scheduled >= 0 {
		r.Scheduled = at(s.scheduled)
	}
	f := c.Begin(r, s.asked)
	r.Sent = at(s.sent)
	f.Sent(r.Sent)
	if s.first > 0 {
		now := at(s.sent + s.first)
		r.FirstToken, r.FirstAnswer, r.LastToken, r.Chunks = now, now, now, 1
		f.Token(record.Token{At: now, First: true, Opening: true, Tokens: s.perChunk})
		for _, g := range s.gaps {
			now = now.Add(g)
			r.LastToken = now
			r.Chunks++
			r.Gaps++
			r.GapSum += g
			r.GapMax = max(r.GapMax, g)
			f.Token(record.Token{At: now, Gap: g, Tokens: s.perChunk})
		}
	}
	if s.running {
		return r
	}
	r.Outcome, r.OutputTokens, r.InputTokens, r.Streamed = s.outcome, s.output, s.input, true
	r.TokenSource = record.SourceUsage
	if s.perChunk > 0 {
		r.TokenSource = record.SourceContinuous
	}
	if r.Outcome == "" {
		r.Outcome = record.OK
	}
	if r.End = r.LastToken; s.end > 0 {
		r.End = at(s.end)
	}
	if r.Outcome == record.Failed {
		r.Kind, r.Status, r.Error = record.KindHTTP5xx, 500, "internal error"
	}
	f.Finish(r)
	return r
}

// closed is a stream of a closed loop that takes ttft and then gap between each of its n tokens.
func closed(sent, ttft, gap time.Duration, n int) stream {
	s := stream{scheduled: -1, sent: sent, first: ttft, output: record.Known(int64(n))}
	for range n - 1 {
		s.gaps = append(s.gaps, gap)
	}
	return s
}

// newTestCollector returns a collector with a first stage open.
func newTestCollector(criteria slo.Criteria) *Collector {
	c := NewCollector(at(0), Inverted, criteria)
	c.OpenStage(at(0))
	return c
}

func TestExample1OneRequest(t *testing.T) {
	r := &record.Record{Sent: at(0), FirstToken: at(80 * ms), LastToken: at(2200 * ms), OutputTokens: record.Known(220)}
	if d, _ := r.GenerationTime(); d != 2120*ms {
		t.Errorf("generation time %v, want 2120ms", d)
	}
	if d, _ := r.TPOT(); d.Round(10*time.Microsecond) != 9680*time.Microsecond {
		t.Errorf("TPOT %v, want 9.68ms", d)
	}
}

func TestExample2Percentiles(t *testing.T) {
	values := []time.Duration{2400 * ms, 80 * ms, 82 * ms, 85 * ms, 90 * ms, 95 * ms, 100 * ms, 120 * ms, 300 * ms, 800 * ms}
	d := Inverted.Describe(values)
	want := Distribution{N: 10, Mean: 415200 * time.Microsecond, P50: 97500 * time.Microsecond, P90: 1600 * ms, P95: 2400 * ms, P99: 2400 * ms, Max: 2400 * ms}
	if d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
	if p := Linear.Describe(values).P99; p != 2256*ms {
		t.Errorf("linear P99 %v, want 2256ms", p)
	}
}

func TestExample3MeanTPOTAndMeanITL(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	play(c, closed(0, 100*ms, 10*ms, 101))
	play(c, closed(0, 100*ms, 30*ms, 11))
	c.Fold(at(2 * time.Second))
	s := c.Summary(Last10s, at(2*time.Second))
	if s.TPOT.Mean != 20*ms {
		t.Errorf("mean TPOT %v, want 20ms", s.TPOT.Mean)
	}
	if got := s.MeanITL.Round(10 * time.Microsecond); got != 11820*time.Microsecond {
		t.Errorf("mean ITL %v, want 11.82ms", got)
	}
}

func TestExample4Goodput(t *testing.T) {
	criteria := slo.Criteria{slo.TTFT: 500 * ms}
	c := newTestCollector(criteria)
	for i := range 80 {
		ttft := 400 * ms
		if i%4 == 0 {
			ttft = 600 * ms
		}
		play(c, closed(0, ttft, 0, 1))
	}
	c.Fold(at(time.Second))
	s := c.Summary(WholeRun, at(time.Second))
	if math.Abs(s.Goodput-60) > 1e-6 {
		t.Errorf("goodput %v, want 60", s.Goodput)
	}
	if a, ok := s.Score.Attainment(criteria); !ok || a != 0.75 {
		t.Errorf("attainment %v %v, want 0.75", a, ok)
	}
}

func TestExample5GoodputInAWindow(t *testing.T) {
	criteria := slo.Criteria{slo.TTFT: 500 * ms, slo.TPOT: 50 * ms}
	c := newTestCollector(criteria)
	for range 6 {
		play(c, closed(0, 300*ms, 20*ms, 11))
	}
	play(c, closed(0, 200*ms, 0, 1)) // single token: TPOT undefined does not fail it
	play(c, closed(0, 800*ms, 20*ms, 11))
	play(c, closed(0, 800*ms, 20*ms, 11))
	play(c, stream{scheduled: -1, outcome: record.Failed, end: time.Second})
	for range 3 {
		s := closed(4*time.Second, 100*ms, 20*ms, 5)
		s.outcome, s.output, s.end = record.Cancelled, record.Count{}, 5*time.Second-1
		play(c, s)
	}
	now := at(5 * time.Second)
	c.Fold(now)
	s := c.Summary(WholeRun, now)
	if s.Score.Good != 7 {
		t.Errorf("good %d, want 7", s.Score.Good)
	}
	if math.Abs(s.Goodput-1.4) > 1e-6 {
		t.Errorf("goodput %v, want 1.40", s.Goodput)
	}
	if a, _ := s.Score.Attainment(criteria); a != 0.7 {
		t.Errorf("attainment %v, want 0.7", a)
	}
	if b := s.Score.Binding(criteria); b != "ttft" {
		t.Errorf("binding %q, want ttft", b)
	}
	if s.TTFT.N != 9 {
		t.Errorf("TTFT over %d requests, want 9: neither failed nor cancelled ones give a sample", s.TTFT.N)
	}
	want := Counts{Started: 13, OK: 9, Failed: 1, Cancelled: 3}
	if c.Counts() != want {
		t.Errorf("counts %+v, want %+v", c.Counts(), want)
	}
}

func TestExample6ThroughputCountsWhatWasCutOff(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for range 4 {
		for k := range 3 {
			begin := time.Duration(k) * 10 * time.Second
			n := 1000
			if k == 2 {
				n = 500
			}
			s := closed(begin, 10*ms, 10*ms, n)
			if k == 2 {
				s.outcome, s.output, s.end = record.Cancelled, record.Count{}, 25*time.Second
			}
			play(c, s)
		}
	}
	now := at(25 * time.Second)
	c.Fold(now)
	s := c.Summary(WholeRun, now)
	if math.Abs(s.Throughput.Output-400) > 0.2 {
		t.Errorf("output %v tok/s, want 400", s.Throughput.Output)
	}
	if s.Requests.OK != 8 || s.Requests.Cancelled != 4 {
		t.Errorf("requests %+v, want 8 ok and 4 cancelled", s.Requests)
	}
}

func TestExample7LatencyFromSchedule(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for i := range 8 {
		s := closed(time.Duration(i)*500*ms, 500*ms, 0, 1)
		s.scheduled = time.Duration(i) * 100 * ms
		play(c, s)
	}
	now := at(5 * time.Second)
	c.Fold(now)
	s := c.Summary(WholeRun, now)
	if s.E2EL.Mean != 500*ms || s.E2EL.Max != 500*ms {
		t.Errorf("E2EL %+v, want 500ms throughout", s.E2EL)
	}
	if s.E2ELFromSchedule.Mean != 1900*ms || s.E2ELFromSchedule.Max != 3300*ms {
		t.Errorf("from schedule mean %v max %v, want 1900ms and 3300ms", s.E2ELFromSchedule.Mean, s.E2ELFromSchedule.Max)
	}
	if s.DispatchLag.Mean != 1400*ms {
		t.Errorf("dispatch lag mean %v, want 1400ms", s.DispatchLag.Mean)
	}
	if s.TTFTFromSchedule.Mean != 1900*ms {
		t.Errorf("TTFT from schedule mean %v, want 1900ms", s.TTFTFromSchedule.Mean)
	}
}

func TestExample9ContinuousUsage(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	s := closed(0, 100*ms, 40*ms, 8)
	s.perChunk, s.output = 4, record.Known(32)
	play(c, s)
	now := at(time.Second)
	c.Fold(now)
	got := c.Summary(Last10s, now)
	if d := got.TPOT.Mean.Round(10 * time.Microsecond); d != 9030*time.Microsecond {
		t.Errorf("TPOT %v, want 9.03ms", d)
	}
	if got.ITL.N != 28 {
		t.Errorf("%d ITL samples, want 28", got.ITL.N)
	}
	if !near(got.ITL.P50, 10*ms) || !near(got.ITL.Max, 10*ms) {
		t.Errorf("ITL %+v, want 10ms throughout", got.ITL)
	}
	if got.ITLIsChunkGap() {
		t.Error("continuous usage tells tokens: ITL is no chunk gap")
	}
}

func TestExample11Throughput(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	s := closed(0, time.Second, 26*ms, 1000)
	s.input, s.end = record.Known(50000), 27*time.Second-1
	play(c, s)
	now := at(27 * time.Second)
	c.Fold(now)
	got := c.Summary(WholeRun, now).Throughput
	if math.Abs(got.Output-37.037) > 0.001 || math.Abs(got.Total-1888.9) > 0.1 {
		t.Errorf("output %.3f total %.1f tok/s, want 37.0 and 1889", got.Output, got.Total)
	}
}

func TestExample12FailuresStandBesidePercentiles(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	for range 9 {
		play(c, closed(0, 100*ms, 0, 1))
	}
	play(c, stream{scheduled: -1, outcome: record.Failed, end: 5 * ms})
	c.Fold(at(time.Second))
	s := c.Summary(Last10s, at(time.Second))
	if s.E2EL.P95 != 100*ms {
		t.Errorf("P95 %v, want 100ms", s.E2EL.P95)
	}
	if s.Requests.OK != 9 || s.Requests.Failed != 1 {
		t.Errorf("requests %+v, want 9 ok, 1 failed", s.Requests)
	}
	p := c.Problems()
	if len(p) != 1 || p[0].Kind != record.KindHTTP5xx || p[0].Count != 1 || p[0].Example == "" {
		t.Errorf("problems %+v", p)
	}
}

// near reports whether a histogram's figure is within its resolution of the truth.
func near(got, want time.Duration) bool {
	return math.Abs(float64(got-want)) <= 0.004*float64(want)
}
