package engine

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

func TestATurnedShapeHoldsForThoseWhoThink(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 4)
	cfg.Knobs.Load.Conversations = true
	cfg.Knobs.Shape = shape.Shape{Prompt: shape.Fixed(64), Output: shape.Fixed(4), Turns: shape.Fixed(50), Think: 400 * time.Millisecond}
	var records []*record.Record
	cfg.Records = func(ended []*record.Record, _ record.Instant) { records = append(records, ended...) }
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "everybody to think", func(s *snapshot.Snapshot) bool { return s.Thinking == 4 })
	k := eng.Snapshot().Knobs
	k.Shape.Prompt, k.Shape.Turns = shape.Fixed(2000), shape.Length{}
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	await(t, eng, "the new stage", func(s *snapshot.Snapshot) bool { return s.Stage.Stage == 2 && s.Stage.Requests.OK >= 20 })
	stopped(t, eng, ended)
	for _, r := range records {
		if in, _ := r.InputTokens.Get(); r.Stage == 2 && r.Outcome == record.OK && in < 1000 {
			t.Errorf("request %d of the stage of 2000 tokens has %d", r.ID, in)
		}
	}
}

func TestConversationsAboveATurnedDownConcurrencyEnd(t *testing.T) {
	var all conversations
	one := shape.Shape{Prompt: shape.Fixed(1), Output: shape.Fixed(1)}
	for range 30 {
		all.begin()
	}
	for range 30 { // each ends a turn, and three are left
		all.put(&conversation{shape: one}, 3)
	}
	if len(all.waiting) != 3 || all.taken != 0 {
		t.Errorf("%d wait, %d are taken", len(all.waiting), all.taken)
	}
	for range 100 { // three slots go round three conversations
		said := all.next(one, 0, true)
		if said == nil {
			t.Fatal("a conversation got lost")
		}
		all.put(said, 3)
	}
	if other := all.next(shape.Shape{Prompt: shape.Fixed(2)}, 0, true); other != nil || len(all.waiting) != 0 {
		t.Error("a conversation of another shape was taken up, or kept")
	}
}

// A conversation that is given back stays only while those that are taken leave room for it.
func TestAConversationThatIsTakenCountsWhenConcurrencyIsTurnedDown(t *testing.T) {
	var r requests
	one := shape.Shape{Prompt: shape.Fixed(1), Output: shape.Fixed(1)}
	k := snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 5, Conversations: true}, Shape: one}
	r.open(1, &k)
	for range 5 {
		r.conversations.begin()
	}
	k.Load.Concurrency = 3
	r.open(2, &k)
	for i, want := range []int{0, 0, 1, 2, 3} { // of five, the first two to end a turn are one too many
		if r.putBack(&conversation{shape: one}); len(r.conversations.waiting) != want {
			t.Errorf("after %d turns %d conversations wait, want %d", i+1, len(r.conversations.waiting), want)
		}
	}
	k.Load.Conversations = false // slots are not tied to conversations: as many as there are may wait
	r.open(3, &k)
	r.conversations.begin()
	if r.putBack(&conversation{shape: one}); len(r.conversations.waiting) != 4 {
		t.Errorf("%d wait, want 4", len(r.conversations.waiting))
	}
}

// unreadable is a data set whose file has gone.
type unreadable struct{}

func (*unreadable) Name() string { return "gone.jsonl" }
func (*unreadable) Hash() string { return "0" }
func (*unreadable) Len() int     { return 3 }
func (*unreadable) Item(int) (dataset.Item, error) {
	return dataset.Item{}, errors.New("gone.jsonl has changed")
}

func TestADataSetThatCanNotBeReadDoesNotSpin(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 2)
	cfg.Knobs.Shape.Data = &unreadable{}
	cfg.Budget.Requests = 4
	eng, records := runToEnd(t, cfg)
	for _, r := range records {
		if r.Kind != record.KindMalformed || r.Sent != 0 {
			t.Errorf("%+v", r)
		}
	}
	if s := eng.Snapshot(); s.Counts.Failed != 4 || s.Elapsed < refusedPause {
		t.Errorf("%d failures in %v; a slot rests after each", s.Counts.Failed, s.Elapsed)
	}
}

// steady is an accelerator that draws 400 W while there is load, and 40 W else.
type steady struct {
	busy   func() bool
	joules float64
	last   time.Time
}

func (*steady) Name() string    { return "steady" }
func (*steady) Simulated() bool { return false }
func (*steady) Close() error    { return nil }

func (g *steady) Read(context.Context) ([]gpu.Device, error) {
	watts, now := 40.0, time.Now()
	if g.busy() {
		watts = 400
	}
	if !g.last.IsZero() {
		g.joules += watts * now.Sub(g.last).Seconds()
	}
	g.last = now
	return []gpu.Device{{UUID: "u", Name: "X", PowerW: optional.Of(watts), EnergyJ: optional.Of(g.joules)}}, nil
}

func TestAPauseIsInNoStagesTelemetry(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 4)
	var idle atomic.Bool // once the load is paused, and not before: when readings come is the machine's affair
	cfg.GPU = &steady{busy: func() bool { return !idle.Load() }}
	cfg.GPUInterval = 100 * time.Millisecond
	eng, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- eng.Run(t.Context()) }()
	await(t, eng, "telemetry of a steady stage", func(s *snapshot.Snapshot) bool {
		return len(s.Stages) > 0 && !s.Stage.Settling && s.Stages[0].Telemetry.Span > 500*time.Millisecond
	})
	k := eng.Snapshot().Knobs
	k.Paused = true
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	idle.Store(true)
	paused := eng.Snapshot().Stages[0].Telemetry // its mean power is near 400 W, by how late its first and last reading were
	begun := eng.Snapshot().GPU.At
	await(t, eng, "a pause", func(s *snapshot.Snapshot) bool { return s.GPU.At.Sub(begun) > 400*time.Millisecond })
	if now := eng.Snapshot().Stages[0].Telemetry; now.Span != paused.Span || now.GPUs[0].PowerMeanW != paused.GPUs[0].PowerMeanW {
		t.Errorf("a pause went into its stage: %v after %v, %v after %v", now.Span, paused.Span, now.GPUs[0].PowerMeanW, paused.GPUs[0].PowerMeanW)
	}
	stopped(t, eng, ended)
}

func TestAReplayIsMeasuredUntilItsLastRequestIsSent(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Knobs.Load = load.Setting{Mode: load.Replay, Timetable: burst(40), Speed: 1, MaxInFlight: 2}
	eng, records := runToEnd(t, cfg)
	last := record.Instant(0)
	for _, r := range records {
		last = max(last, r.Sent)
	}
	measured := run.NewReport(eng.Snapshot(), "test").MeasuredS
	if sent, _ := last.Since(eng.start); len(records) != 40 || measured < 0.5*sent.Seconds() {
		t.Errorf("%d requests; measured %.2f s of the %.2f s in which they were sent", len(records), measured, sent.Seconds())
	}
}

// burst is a recording of so many requests at once.
type burst int

func (burst) Name() string                     { return "burst" }
func (b burst) Entries() (load.Entries, error) { return &remaining{int(b)}, nil }

type remaining struct{ n int }

func (*remaining) Close() error { return nil }

func (r *remaining) Next() (load.Entry, bool, error) {
	r.n--
	return load.Entry{}, r.n >= 0, nil
}

// Answers of reasoning or of a tool call alone leave nothing that could stand in a history: strict servers refuse a blank
// message, and two of one role in a row.
func TestConversationsGoOnAfterAnswersWithoutText(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]sim.Faults{
		"reasoning":     {Reasoning: 8, StrictHistory: true},
		"hidden":        {Reasoning: 8, ReasoningField: sim.ReasoningHidden, StrictHistory: true},
		"tool calls":    {ToolCalls: true, StrictHistory: true},
		"text, for one": {StrictHistory: true},
	} {
		s := startSim(t)
		s.SetFaults(faults)
		cfg := closedLoop(s.URL(), 1)
		cfg.Knobs.Shape = shape.Shape{Prompt: shape.Fixed(20), Output: shape.Fixed(8), Turns: shape.Fixed(3)}
		cfg.Budget.Requests = 12
		eng, records := runToEnd(t, cfg)
		snap := eng.Snapshot()
		blank := 8 // the last turn's has no next
		if name == "text, for one" {
			blank = 0
		}
		if snap.Counts.OK != 12 || snap.Unspoken != blank {
			t.Errorf("%s: %+v, %d without text; %+v", name, snap.Counts, snap.Unspoken, snap.Problems)
		}
		grown := map[int]int64{}
		for _, r := range records {
			if in, _ := r.InputTokens.Get(); in <= grown[r.Conversation] {
				t.Errorf("%s: turn %d of conversation %d has %d tokens, no more than the one before", name, r.Turn, r.Conversation, in)
			} else {
				grown[r.Conversation] = in
			}
		}
		if said := strings.Contains(strings.Join(run.NewReport(snap, "test").Notes, "\n"), "8 answers amid conversations had no text"); said != (blank > 0) {
			t.Errorf("%s: noted %t", name, said)
		}
	}
}
