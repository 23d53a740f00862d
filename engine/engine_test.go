package engine

import (
	"context"
	"flag"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// TestMain runs more tests at a time than there may be cores, for those that are parallel wait more than they compute. Tests
// of what is exact, or of what is left behind, are not parallel: they have the process to themselves.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", testsAtATime); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// startSim starts a simulator that is ten times as fast as real time.
func startSim(t *testing.T) *sim.Server {
	t.Helper()
	return startSimulator(t, sim.Config{})
}

// startSimulator starts a simulator of its own kind, as fast as startSim's unless it says otherwise.
func startSimulator(t *testing.T, cfg sim.Config) *sim.Server {
	t.Helper()
	if cfg.TimeScale == 0 {
		cfg.TimeScale = 10
	}
	server, err := sim.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

// closedLoop configures a small closed loop on an endpoint.
func closedLoop(url string, concurrency int) Config {
	return Config{
		Endpoint: wire.Endpoint{URL: url, NoProxy: true},
		Seed:     1,
		Knobs: snapshot.Knobs{
			Load:   load.Setting{Mode: load.Closed, Concurrency: concurrency, Arrival: load.Poisson, Together: true},
			Shape:  shape.Shape{Prompt: shape.Fixed(64), Output: shape.Fixed(16)},
			SLO:    slo.Criteria{slo.TTFT: 10 * time.Second},
			Target: snapshot.DefaultTarget,
			Window: stats.Last30s,
		},
	}
}

func TestARunAddsUp(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	before := server.Counters()
	cfg := closedLoop(server.URL(), 4)
	cfg.Budget.Requests = 40
	cfg.Knobs.Target = 0.9 // which takes ten requests to be said to hold
	eng, records := runToEnd(t, cfg)

	s := eng.Snapshot()
	want := stats.Counts{Started: 40, OK: 40}
	if s.State != snapshot.Ended || s.Counts != want || s.InFlight.Total != 0 {
		t.Fatalf("state %s, counts %+v, in flight %d; want ended, %+v, 0", s.State, s.Counts, s.InFlight.Total, want)
	}
	if !s.Simulated {
		t.Error("the simulator's figures are not marked as simulated")
	}
	if len(records) != 40 {
		t.Fatalf("%d records, want 40", len(records))
	}
	output := int64(0)
	for _, r := range records {
		generation, ok := r.GenerationTime()
		if !ok || generation != r.GapSum {
			t.Errorf("request %d: E2EL − TTFT is %v, the gaps sum up to %v", r.ID, generation, r.GapSum)
		}
		n, _ := r.OutputTokens.Get()
		if n != 16 || r.Chunks != 16 {
			t.Errorf("request %d: %d tokens in %d chunks, want 16 in 16", r.ID, n, r.Chunks)
		}
		output += n
	}
	// The probe's tokens are the simulator's too, but not the run's.
	if generated := server.Counters().GenerationTokens - before.GenerationTokens; generated < output || generated > output+64 {
		t.Errorf("the simulator generated %d tokens, the records hold %d", generated, output)
	}
	// When it settles is looked at every 100 ms, which on a busy machine may be when most or all of the requests are over.
	judged := 0
	for _, r := range records {
		if s.Stage.Settling || time.Duration(r.Sent-eng.start) >= s.Stage.Settled {
			judged++
		}
	}
	r := run.NewReport(eng.Snapshot(), "test")
	if r.Requests.OK != 40 || r.Settled == s.Stage.Settling || r.TTFT.N != judged || len(r.Stages) != 1 || (r.Stages[0].SettledS != nil) != r.Settled {
		t.Errorf("report: %+v, want it to be of %d requests", r, judged)
	}
	// On a busy machine chunks that came one by one look as if they were buffered, or the client itself is bound; then nothing is
	// said of the SLO.
	doubt := s.Doubt(&s.Stage)
	if enough := judged >= 10 && doubt == ""; (r.SLO.Held != nil) != enough || enough && !*r.SLO.Held {
		t.Errorf("SLO: %+v, doubt %q, want it held by %d requests", r.SLO, doubt, judged)
	}
}

func TestKnobsTakeEffect(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	eng, ended := runInBackground(t, closedLoop(server.URL(), 2))
	await(t, eng, "two in flight and something measured", func(s *snapshot.Snapshot) bool {
		return s.InFlight.Total == 2 && s.Stage.E2EL.N > 0 && !s.Stage.Settling
	})

	k := eng.Snapshot().Knobs
	k.Load.Concurrency = 6
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	if s := eng.Snapshot(); s.Stage.Stage != 2 || !s.Stage.Settling || len(s.Marks) != 1 || s.Marks[0].Label != "c 2→6" {
		t.Errorf("after the change: stage %d settling %v marks %v", s.Stage.Stage, s.Stage.Settling, s.Marks)
	}
	await(t, eng, "six in flight in a steady second stage", func(s *snapshot.Snapshot) bool {
		return s.InFlight.Total == 6 && !s.Stage.Settling
	})

	k = eng.Snapshot().Knobs
	k.SLO = slo.Criteria{slo.TTFT: time.Nanosecond}
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	if s := eng.Snapshot(); s.Live.Score.Good != 0 || s.Live.Score.OK == 0 || s.Stage.Stage != 2 {
		t.Errorf("after the SLO changed: %+v in stage %d; want none good, and no new stage", s.Live.Score, s.Stage.Stage)
	}

	k.Paused = true
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	await(t, eng, "nothing in flight while paused", func(s *snapshot.Snapshot) bool { return s.State == snapshot.Paused && s.InFlight.Total == 0 })
	k.Paused = false
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	await(t, eng, "load again in a third stage", func(s *snapshot.Snapshot) bool { return s.InFlight.Total == 6 && s.Stage.Stage == 3 })

	k.Load.Concurrency = 0
	if err := eng.Apply(k); err == nil {
		t.Error("a concurrency of 0 was accepted")
	}
	eng.Drain()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s := eng.Snapshot()
	if s.Counts.Cancelled != 0 || s.Counts.Started != s.Counts.OK || s.State != snapshot.Ended {
		t.Errorf("after draining: %s, %+v", s.State, s.Counts)
	}
	if r := run.NewReport(eng.Snapshot(), "test"); len(r.Stages) != 3 {
		t.Errorf("%d stages in the report, want 3", len(r.Stages))
	}
}

func TestStopCancelsAtTheServer(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	cfg := closedLoop(server.URL(), 3)
	cfg.Knobs.Shape.Output = shape.Fixed(4000)
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "three decoding", func(s *snapshot.Snapshot) bool { return s.InFlight.Decoding == 3 })
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s := eng.Snapshot(); s.Counts.Cancelled != 3 || s.Counts.Failed != 0 || s.InFlight.Total != 0 {
		t.Errorf("counts %+v, in flight %+v; want 3 cancelled", s.Counts, s.InFlight)
	}
	deadline := time.Now().Add(10 * time.Second)
	for server.Counters().Cancelled != 3 {
		if time.Now().After(deadline) {
			t.Fatalf("the server noticed %d cancelled requests, want 3", server.Counters().Cancelled)
		}
	}
}

func TestOpenLoopKeepsItsRate(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	cfg := closedLoop(server.URL(), 1)
	cfg.Knobs.Load = load.Setting{Mode: load.Open, Rate: 100, Arrival: load.Constant}
	cfg.Budget.Requests = 50
	eng, records := runToEnd(t, cfg)
	for i, r := range records {
		if lag, ok := r.DispatchLag(); !ok || lag < 0 {
			t.Errorf("request %d was sent %v after its schedule", r.ID, lag)
		}
		if i == 0 {
			continue
		}
		if gap, _ := r.Scheduled.Since(records[i-1].Scheduled); gap != 10*time.Millisecond {
			t.Errorf("request %d is scheduled %v after the one before, want 10ms", r.ID, gap)
		}
	}
	r := run.NewReport(eng.Snapshot(), "test")
	if r.Requests.OK != 50 || r.Load.Rate == nil || *r.Load.Rate != 100 || r.Load.Concurrency != nil {
		t.Errorf("requests %+v, load %+v", r.Requests, r.Load)
	}
	if r.TTFTFromSchedule.N == 0 || *r.TTFTFromSchedule.P50 < *r.TTFT.P50 {
		t.Errorf("from schedule %+v, from sent %+v", r.TTFTFromSchedule, r.TTFT)
	}
}

func TestAnUnusableEndpointIsOneSentence(t *testing.T) {
	eng, err := New(closedLoop("http://127.0.0.1:1", 1))
	if err != nil {
		t.Fatal(err)
	}
	err = eng.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one sentence that names the address", err)
	}
	if s := eng.Snapshot(); s.State != snapshot.Ended || s.Err == nil || s.Counts.Started != 0 {
		t.Errorf("state %s, error %v, counts %+v", s.State, s.Err, s.Counts)
	}
}

func TestAPublicEndpointIsTreatedGently(t *testing.T) {
	tests := []struct {
		url         string
		chosen      bool
		concurrency int
		requests    int
	}{
		{"https://api.example.com/v1", false, 1, 100},
		{"https://api.example.com/v1", true, 8, 0},
		{"http://127.0.0.1:8000", false, 8, 0},
		{"http://10.1.2.3:8000", false, 8, 0},
	}
	for _, tt := range tests {
		cfg := closedLoop(tt.url, 8)
		cfg.AnyLoad, cfg.AnyBudget = !tt.chosen, !tt.chosen
		eng, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if s := eng.Snapshot(); s.Knobs.Load.Concurrency != tt.concurrency || s.Budget.Requests != tt.requests {
			t.Errorf("%s, chosen %v: concurrency %d and %d requests, want %d and %d", tt.url, tt.chosen,
				s.Knobs.Load.Concurrency, s.Budget.Requests, tt.concurrency, tt.requests)
		}
	}
}

func TestLeavingWhileTheEndpointIsAskedIsNoError(t *testing.T) {
	server := startSim(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	eng, err := New(closedLoop(server.URL(), 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Run(ctx); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestATimeBudgetCutsTheLoad(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	cfg := closedLoop(server.URL(), 4)
	cfg.Knobs.Shape.Output = shape.Fixed(50)
	cfg.Budget.Duration = time.Second
	eng, _ := runToEnd(t, cfg)
	r := run.NewReport(eng.Snapshot(), "test")
	if r.DurationS != 1 || r.MeasuredS <= 0 || r.MeasuredS >= 1 {
		t.Errorf("measured %v s of %v s, want less than the whole second", r.MeasuredS, r.DurationS)
	}
	if q := r.Requests; q.InFlightAtEnd != 0 || q.Cancelled == 0 || q.Cancelled > 4 {
		t.Errorf("requests %+v", q)
	}
	rate := *r.Throughput.Output
	if perRequest := *r.Throughput.Requests * 50; math.Abs(rate-perRequest) > 0.5*rate {
		t.Errorf("%v tok/s by events, %v by completions", rate, perRequest)
	}
}

func TestTimeInWhichTheProcessStoodStillIsInNoStage(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	eng, ended := runInBackground(t, closedLoop(server.URL(), 2))
	await(t, eng, "a steady stage", func(s *snapshot.Snapshot) bool { return !s.Stage.Settling })
	eng.mu.Lock()
	eng.ticked -= record.Instant(time.Minute) // as if the last tick had been a minute ago
	eng.mu.Unlock()
	await(t, eng, "a second stage", func(s *snapshot.Snapshot) bool { return s.Stage.Stage == 2 })
	if m := eng.Snapshot().Marks; len(m) != 1 || m[0].Label != "stood still 60 s" {
		t.Errorf("marks %+v", m)
	}
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// runInBackground starts a run; the channel yields its error when it is over.
func runInBackground(t *testing.T, cfg Config) (*Engine, <-chan error) {
	t.Helper()
	eng, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- eng.Run(t.Context()) }()
	return eng, ended
}

// await waits until a snapshot is as wanted.
func await(t *testing.T, eng *Engine, what string, wanted func(*snapshot.Snapshot) bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(30 * time.Second)
	for !wanted(eng.Snapshot()) {
		select {
		case <-ticker.C:
		case <-deadline:
			s := eng.Snapshot()
			t.Fatalf("never saw %s; last: %s %+v %+v", what, s.State, s.InFlight, s.Counts)
		}
	}
}

// An answer that is one JSON document without usage has no tokens that anybody could count: its rate is not 0.
func TestOutputThatNobodyTellsOfIsUnknown(t *testing.T) {
	t.Parallel()
	faults, err := sim.ParseFaults([]string{"no_stream", "no_usage"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := closedLoop(startSimulator(t, sim.Config{Faults: faults}).URL(), 2)
	cfg.Budget.Requests = 6
	eng, _ := runToEnd(t, cfg)
	r := run.NewReport(eng.Snapshot(), "test")
	if r.Requests.OK != 6 || r.Throughput.Requests == nil || r.Throughput.Output != nil || r.Throughput.Total != nil || r.Tokens.Output != nil {
		t.Errorf("%+v, %+v", r.Throughput, r.Tokens)
	}
}

// What could not be decoded is told: the figures are then not of all that came.
func TestPayloadsThatCannotBeDecodedAreTold(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"logprob\":-Infinity}]}\n\n"+
			"data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	cfg := closedLoop(server.URL, 1)
	cfg.NoProbe, cfg.Endpoint.Model = true, "m"
	cfg.Budget.Requests = 3
	eng, records := runToEnd(t, cfg)
	const want = "3 payloads in 3 answers could not be decoded"
	if s := eng.Snapshot(); s.Counts.OK != 3 || !strings.HasPrefix(s.Malformed, want) {
		t.Errorf("%+v, %q", s.Counts, s.Malformed)
	}
	if notes := run.NewReport(eng.Snapshot(), "test").Notes; !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
		t.Errorf("notes %q", notes)
	}
	for _, r := range records {
		if line, err := r.Line(0, ""); err != nil || !strings.Contains(string(line), `"malformed":1`) {
			t.Errorf("%s, %v", line, err)
		}
	}
}
