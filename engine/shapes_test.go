package engine

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/wire"
)

// runToEnd runs a configuration to its end and returns its records in the order of their numbers.
func runToEnd(t *testing.T, cfg Config) (*Engine, []*record.Record) {
	t.Helper()
	var records []*record.Record
	cfg.Records = func(ended []*record.Record, _ record.Instant) { records = append(records, ended...) }
	eng, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(records, func(a, b *record.Record) int { return int(a.ID) - int(b.ID) })
	return eng, records
}

func TestPromptsHaveTheLengthThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		sim    sim.Config
		text   shape.Text
		api    endpoint.API
		method snapshot.LengthMethod
	}{
		{"by the server's tokenizer", sim.Config{WordsPerToken: 0.7}, shape.Words, endpoint.Chat, snapshot.ByTokenizer},
		{"by its token ids", sim.Config{WordsPerToken: 0.7}, shape.Words, endpoint.Completions, snapshot.ByIDs},
		{"by the server's tokenizer, code", sim.Config{}, shape.Code, endpoint.Chat, snapshot.ByTokenizer},
		{"learned, few words to a token", sim.Config{NoTokenize: true, WordsPerToken: 0.5, TemplateTokens: 40}, shape.Words, endpoint.Chat, snapshot.ByUsage},
		{"learned, many", sim.Config{NoTokenize: true, WordsPerToken: 2.5}, shape.Words, endpoint.Chat, snapshot.ByUsage},
		{"learned, Chinese", sim.Config{NoTokenize: true}, shape.Chinese, endpoint.Chat, snapshot.ByUsage},
		{"learned, code", sim.Config{NoTokenize: true, WordsPerToken: 1.7}, shape.Code, endpoint.Completions, snapshot.ByUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.sim.TimeScale = 50
			cfg := closedLoop(startSimulator(t, tt.sim).URL(), 8)
			cfg.Endpoint.API = tt.api
			cfg.Knobs.Shape = shape.Shape{Prompt: shape.Normal(512, 64), Output: shape.Fixed(4), Text: tt.text}
			cfg.Budget.Requests = 120
			eng, records := runToEnd(t, cfg)
			if method := eng.Snapshot().Prompts.Method; method != tt.method {
				t.Errorf("method %q, want %q", method, tt.method)
			}
			asked, achieved, n := 0.0, 0.0, 0
			for _, r := range records {
				counted, ok := r.InputTokens.Get()
				if r.ID <= 20 || !ok {
					continue
				}
				asked += float64(eng.generator.(*Local).requests.prompts.Prompt(r.ID-1, cfg.Knobs.Shape).Tokens)
				achieved += float64(counted)
				n++
			}
			t.Logf("asked %.1f tokens, got %.1f", asked/float64(n), achieved/float64(n))
			if n != 100 || math.Abs(achieved/asked-1) > 0.02 {
				t.Errorf("asked %.1f tokens, got %.1f, over %d requests", asked/float64(n), achieved/float64(n), n)
			}
		})
	}
}

func TestConversationsCarryTheirHistory(t *testing.T) {
	t.Parallel()
	for _, conversations := range []bool{true, false} {
		t.Run(fmt.Sprintf("concurrency counts conversations: %v", conversations), func(t *testing.T) {
			t.Parallel()
			s := startSim(t)
			cfg := closedLoop(s.URL(), 3)
			cfg.Knobs.Load.Conversations = conversations
			cfg.Knobs.Shape.Turns = shape.Fixed(4)
			cfg.Knobs.Shape.Think = 5 * time.Millisecond
			cfg.Budget.Requests = 48
			eng, records := runToEnd(t, cfg)

			turns := map[int][]*record.Record{}
			for _, r := range records {
				if r.Outcome != record.OK || r.Conversation == 0 {
					t.Fatalf("request %d: %s %s, conversation %d", r.ID, r.Outcome, r.Error, r.Conversation)
				}
				turns[r.Conversation] = append(turns[r.Conversation], r)
			}
			for number, conversation := range turns {
				slices.SortFunc(conversation, func(a, b *record.Record) int { return a.Turn - b.Turn })
				for i, r := range conversation {
					if r.Turn != i+1 {
						t.Fatalf("conversation %d: turn %d where %d is due", number, r.Turn, i+1)
					}
					if i == 0 {
						continue
					}
					before := conversation[i-1]
					if r.Sent < before.End {
						t.Errorf("conversation %d: turn %d was sent before the answer to turn %d had ended", number, r.Turn, i)
					}
					// Its prompt is all that was said before, with the model's own answer, and a turn of the shape.
					was, _ := before.InputTokens.Get()
					said, _ := before.OutputTokens.Get()
					is, _ := r.InputTokens.Get()
					if grown := is - was - said; grown < 50 || grown > 90 {
						t.Errorf("conversation %d, turn %d: %d tokens after %d and an answer of %d", number, r.Turn, is, was, said)
					}
				}
			}
			unfinished := 0
			for _, conversation := range turns {
				if len(conversation) < 4 {
					unfinished++
				}
			}
			if conversations && unfinished > 3 {
				t.Errorf("%d conversations were not finished, with 3 slots", unfinished)
			}
			if got := eng.Snapshot().Counts.OK; got != 48 {
				t.Errorf("%d requests, the budget was 48", got)
			}
		})
	}
}

func TestADataSetIsSent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "set.jsonl")
	lines := ""
	for i := range 5 {
		lines += fmt.Sprintf(`{"prompt": "%s", "output_tokens": %d}`+"\n", strings.Repeat("word ", 10*(i+1)), i+2)
	}
	lines += "not JSON\n"
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := dataset.Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Knobs.Shape.Data = set
	cfg.Budget.Requests = 10
	eng, records := runToEnd(t, cfg)
	outputs := map[int64]int{}
	for _, r := range records {
		n, _ := r.OutputTokens.Get()
		outputs[n]++
	}
	for n := int64(2); n <= 6; n++ {
		if outputs[n] != 2 {
			t.Errorf("answers by their length: %v; each of 2 to 6 is due twice", outputs)
		}
	}
	if r := run.NewReport(eng.Snapshot(), "test"); r.Load.Shape.Data == nil || *r.Load.Shape.Data != "set.jsonl" || !strings.Contains(r.Load.Text, "set.jsonl") {
		t.Errorf("the report does not name the data set: %+v, %s", r.Load.Shape, r.Load.Text)
	}
}

func TestATraceIsReplayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	lines := ""
	for i := range 6 {
		lines += fmt.Sprintf(`{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [1, %d]}`+"\n", 400*i, 600, i+2, i+10)
	}
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	recorded, err := trace.Open(path, "", trace.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	s := startSim(t)
	cfg := closedLoop(s.URL(), 1)
	cfg.Knobs.Load = load.Setting{Mode: load.Replay, Timetable: recorded.Timetable(), Speed: 4}
	eng, records := runToEnd(t, cfg)
	if len(records) != 6 {
		t.Fatalf("%d requests of 6 events", len(records))
	}
	for i, r := range records {
		if gap := (r.Scheduled - records[0].Scheduled).Elapsed(); (gap - time.Duration(i)*100*time.Millisecond).Abs() > time.Millisecond {
			t.Errorf("event %d was due after %v, want %d ms", i, gap, 100*i)
		}
		if n, _ := r.OutputTokens.Get(); n != int64(i+2) {
			t.Errorf("event %d: an answer of %d tokens, want %d", i, n, i+2)
		}
		if n, _ := r.CachedTokens.Get(); i > 0 && n < 400 {
			t.Errorf("event %d shares a block of 512 tokens with the one before, and %d were cached", i, n)
		}
	}
	other := cfg.Knobs
	other.Load.Mode = load.Closed
	if k := eng.Snapshot().Knobs; k.ShapeHash() == other.ShapeHash() {
		t.Error("a replay has the hash of its shape alone")
	}
}

func TestAutopilotFindsAndLetsGo(t *testing.T) {
	t.Parallel()
	s := startSim(t)
	cfg := closedLoop(s.URL(), 7)
	cfg.Autopilot = &snapshot.AutopilotRun{
		Kind: snapshot.Steps, Levels: load.Levels{Values: []float64{1, 2, 4}, Dwell: 200 * time.Millisecond},
	}
	eng, _ := runToEnd(t, cfg)
	snap := eng.Snapshot()
	if p := snap.Pilot; p == nil || !p.Finished || len(p.Progress.Rungs) != 3 {
		t.Fatalf("pilot %+v", p)
	}
	if p := &snap.Pilot.Progress; p.Rungs[0].Level != 1 || p.Rungs[1].Level != 2 || p.Rungs[2].Level != 4 {
		t.Errorf("it went by %+v", p.Rungs)
	}
	if slices.ContainsFunc(snap.Curve, func(p stage.Point) bool { return p.Level == 7 }) {
		t.Error("the 7 it was configured with was to be loaded by nobody")
	}
	if r := run.NewReport(eng.Snapshot(), "test"); r.Sweep == nil || !r.Sweep.Done || len(r.Sweep.Rungs) != 3 || *r.Sweep.Rungs[2].Stage != 3 {
		t.Errorf("report %+v", r.Sweep)
	}

	cfg = closedLoop(s.URL(), 6)
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "requests", func(s *snapshot.Snapshot) bool { return s.Counts.OK > 0 })
	if err := eng.StartAutopilot(snapshot.AutopilotRun{Kind: snapshot.Search, Effort: stage.Effort{Requests: 20, Steady: time.Hour}}); err != nil {
		t.Fatal(err)
	}
	await(t, eng, "the autopilot's first level", func(s *snapshot.Snapshot) bool { return s.Knobs.Load.Concurrency == stage.SearchFirst })
	k := eng.Snapshot().Knobs
	k.Load.Concurrency = 5
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	if p := eng.Snapshot().Pilot; !p.Over || !p.Released || eng.Snapshot().Knobs.Load.Concurrency != 5 {
		t.Errorf("a hand on the knob, and the autopilot is %+v", p)
	}
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestSearchWithoutAnSLOIsRefused(t *testing.T) {
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Knobs.SLO = slo.Criteria{}
	cfg.Autopilot = &snapshot.AutopilotRun{Kind: snapshot.Search}
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "needs an SLO") {
		t.Errorf("%v", err)
	}
}

func TestServerAndAcceleratorAreFollowedByStage(t *testing.T) {
	t.Parallel()
	s := startSim(t)
	page, err := scrape.New(s.URL(), scrape.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	cfg := closedLoop(s.URL(), 4)
	cfg.GPU, cfg.GPUInterval, cfg.Metrics = SimulatedGPU(s), 100*time.Millisecond, page
	cfg.Prices = snapshot.Prices{GPUHour: 3.6}
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "telemetry of a steady stage", func(s *snapshot.Snapshot) bool {
		if len(s.Stages) == 0 {
			return false
		}
		row := &s.Stages[len(s.Stages)-1]
		return !row.Summary.Settling && len(row.Telemetry.GPUs) == 1 && row.Telemetry.Span > 0 &&
			row.Telemetry.Server != nil && row.Telemetry.Server.RunningMax.V >= 1 && row.Efficiency.TokensPerJoule.OK()
	})
	snap := eng.Snapshot()
	row := snap.Stages[len(snap.Stages)-1]
	if e := row.Efficiency; e.GPUs != 1 || !e.OutputPerGPU.OK() || !e.CostPerMillion.OK() ||
		math.Abs(e.CostPerMillion.V*e.OutputPerGPU.V-1000) > 1 { // 3.6 an hour is a thousandth a second
		t.Errorf("efficiency %+v", e)
	}
	if snap.GPU == nil || snap.Server == nil || len(snap.GPUHistory) == 0 || len(snap.ServerHistory) == 0 {
		t.Error("a reading or a trend is missing")
	}
	r := run.NewReport(eng.Snapshot(), "test")
	if r.ServerMetrics.RunningMax == nil || *r.ServerMetrics.RunningMax < 1 || r.GPU == nil || !r.GPU.Behind || r.Spent == nil || *r.Spent <= 0 {
		t.Errorf("report: server %+v, GPU %+v, spent %v", r.ServerMetrics, r.GPU, r.Spent)
	}

	k := snap.Knobs
	k.Load.Concurrency = 8
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	if rows := eng.Snapshot().Stages; len(rows) != 2 || len(rows[0].Telemetry.GPUs) != 1 {
		t.Errorf("%d stages; the first keeps what was read in it", len(rows))
	}
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestRequestsGoRoundSeveralEndpoints(t *testing.T) {
	t.Parallel()
	a, b := startSim(t), startSim(t)
	cfg := closedLoop(a.URL(), 4)
	cfg.Others = []wire.Endpoint{{URL: b.URL(), NoProxy: true}}
	cfg.Knobs.Shape.Turns = shape.Fixed(2)
	cfg.Budget.Requests = 40
	before := [2]int64{a.Counters().Received, b.Counters().Received}
	eng, records := runToEnd(t, cfg)
	if len(records) != 40 {
		t.Fatalf("%d requests, want 40", len(records))
	}
	lines := eng.Snapshot().Endpoints
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	// Conversations go to the two in turn. The last of them may be cut short by the budget: how many there are is a matter of
	// which answers came first.
	conversations := map[int]int{}
	for _, r := range records {
		conversations[r.Conversation]++
	}
	n := len(conversations)
	for i, s := range []*sim.Server{a, b} {
		ok := lines[i].OK
		if got := int(s.Counters().Received - before[i]); got < ok || got > ok+6 {
			t.Errorf("endpoint %d got %d requests, want %d and a few of the probe's", i, got, ok)
		}
		if ok < n/2 || ok > 2*((n+1)/2) {
			t.Errorf("endpoint %d answered %d requests of %d conversations, want half of them, of two turns at most", i, ok, n)
		}
	}
	total := 0
	for _, l := range lines {
		total += l.OK
		if l.OK == 0 || l.InFlight != 0 || l.TTFT.N != l.OK || l.OutputPerSecond <= 0 || l.Profile.URL == "" {
			t.Errorf("%+v", l)
		}
	}
	if total != 40 {
		t.Errorf("the lines add up to %d requests, want 40", total)
	}
	r := run.NewReport(eng.Snapshot(), "test")
	if len(r.Endpoints) != 2 || r.Endpoints[0].URL == r.Endpoints[1].URL || r.Endpoints[0].OK+r.Endpoints[1].OK != 40 {
		t.Errorf("report %+v", r.Endpoints)
	}
}

func TestAStageIsNotSteadyWhileTheLoadRamps(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 2)
	cfg.Knobs.Load.Ramp = load.Ramp{Kind: load.Linear, Over: time.Hour}
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "many turnovers", func(s *snapshot.Snapshot) bool { return s.Counts.OK > 20 })
	if s := eng.Snapshot(); !s.Stage.Settling || s.InFlight.Total > 1 {
		t.Errorf("an hour's ramp to 2 has just begun, and %d are in flight in a stage that has settled: %v", s.InFlight.Total, !s.Stage.Settling)
	}
	k := eng.Snapshot().Knobs
	k.Load.Ramp = load.Ramp{}
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	await(t, eng, "the steady part", func(s *snapshot.Snapshot) bool { return !s.Stage.Settling })
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
