package engine

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
)

// asked runs a load of 4 in flight and 24 requests, and returns the length of the answer that each prompt asked for.
func asked(t *testing.T, together bool, seed uint64) (lengths map[string]int, records []*record.Record) {
	t.Helper()
	var mu sync.Mutex
	lengths = make(map[string]int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			MaxTokens           int `json:"max_tokens"`
			MaxCompletionTokens int `json:"max_completion_tokens"`
			Messages            []struct{ Content string }
		}
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &body); err != nil || len(body.Messages) == 0 {
			t.Errorf("%s: %v", text, err)
			return
		}
		mu.Lock()
		lengths[body.Messages[len(body.Messages)-1].Content] = max(body.MaxTokens, body.MaxCompletionTokens)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	cfg := closedLoop(server.URL, 4)
	cfg.NoProbe, cfg.Endpoint.Model, cfg.Seed, cfg.Budget.Requests = true, "m", seed, 24
	cfg.Knobs.Load.Together = together
	cfg.Knobs.Shape.Output = shape.Fixed(1000)
	_, records = runToEnd(t, cfg)
	return lengths, records
}

// The first request of each slot asks for a part of its answer, the same part for the same seed, and nothing else about the
// load is another for it: prompts are those of a start together.
func TestTheFirstRequestOfEachSlotAsksForAPart(t *testing.T) {
	t.Parallel()
	whole, _ := asked(t, true, 7)
	fair, records := asked(t, false, 7)
	again, _ := asked(t, false, 7)
	if len(whole) != 24 || !slices.Equal(slices.Sorted(maps.Keys(whole)), slices.Sorted(maps.Keys(fair))) {
		t.Fatalf("%d prompts, %d with a fair start, or others", len(whole), len(fair))
	}
	if !maps.Equal(fair, again) {
		t.Error("the same seed asked for other lengths")
	}
	parts := 0
	for prompt, tokens := range fair {
		if whole[prompt] != 1000 || tokens < 1 || tokens > 1000 {
			t.Errorf("%d tokens, %d with a start together; want 1 to 1000, and 1000", tokens, whole[prompt])
		}
		if tokens < 1000 {
			parts++
		}
	}
	if parts < 3 || parts > 4 { // one of them may ask for all of it
		t.Errorf("%d of 24 requests asked for a part, want those of 4 slots", parts)
	}
	for _, r := range records {
		line, err := r.Line(0, "")
		if residual := r.ID <= 4; err != nil || r.Residual != residual || strings.Contains(string(line), `"residual":true`) != residual {
			t.Errorf("request %d: residual %v, line %s, %v", r.ID, r.Residual, line, err)
		}
	}
}

func TestThePartOfAnAnswerIsAtLeastAToken(t *testing.T) {
	for _, tt := range []struct {
		share  float64
		tokens int
		least  int
		want   int
	}{
		{1e-9, 128, 0, 1},
		{0.5, 128, 0, 64},
		{0.5001, 128, 0, 65},
		{1, 128, 0, 128},
		{0.3, 1, 0, 1},
		{0.01, 128, 16, 16},
		{0.5, 128, 16, 64},
		{0.01, 10, 16, 10},
		{0.5, 0, 16, 0}, // 0: the server's own limit
	} {
		if got := residual(tt.share, tt.tokens, tt.least); got != tt.want {
			t.Errorf("%v of %d tokens is %d, want %d", tt.share, tt.tokens, got, tt.want)
		}
	}
}

// A run measures how far its requests move in step, and says it where that is much. How far they do is a matter of how busy
// this machine is, too: that equal lengths begun together are in step, and others are not, stats knows by clocks of its own.
// Here, lengths are equal where the start is together, and those of the first of each slot are not where it is fair.
func TestAFairStartIsNotInStep(t *testing.T) {
	t.Parallel()
	for _, together := range []bool{true, false} {
		cfg := closedLoop(startSimulator(t, sim.Config{TimeScale: 12}).URL(), 8)
		cfg.Knobs.Load.Together = together
		cfg.Knobs.Shape.Prompt, cfg.Knobs.Shape.Output = shape.Fixed(256), shape.Fixed(64)
		cfg.Budget.Requests = 60
		eng, records := runToEnd(t, cfg)
		s := eng.Snapshot()
		in := s.Stage.InStep
		if !in.Known() || in.Requests != 8 || in.R < 0 || in.R > 1 {
			t.Errorf("together %v: %+v", together, in)
		}
		notes := run.NewReport(s, "test").Notes
		said := slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, "8 requests move in step: R = ") })
		if want := in.Sentence() != ""; said != want {
			t.Errorf("together %v: %+v, notes %q", together, in, notes)
		}
		lengths := map[int64]bool{}
		for _, r := range records[:8] {
			lengths[r.OutputTokens.Or(0)] = true
		}
		if equal := len(lengths) == 1; equal != together {
			t.Errorf("together %v: the first of each slot have answers of %v tokens", together, lengths)
		}
		judged := 0
		settled := s.Stage.Settled
		for _, r := range records {
			if sent := time.Duration(r.Sent - eng.start); r.Outcome == record.OK && !r.Residual && sent >= settled {
				judged++
			}
		}
		if s.Stage.Settling || s.Stage.Requests.OK != judged {
			t.Errorf("together %v: the summary is of %d requests, want the %d of the steady part", together, s.Stage.Requests.OK, judged)
		}
	}
}
