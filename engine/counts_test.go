// This file tests that counts which leave something out don't make prompts longer or shorter.

package engine

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
)

func TestCachedTokensThatAreLeftOutDontGrowPrompts(t *testing.T) {
	t.Parallel()
	s := startSim(t)
	s.SetFaults(sim.Faults{UsageForm: sim.UsageUncached})
	cfg := closedLoop(s.URL(), 1)
	cfg.Knobs.Shape = shape.Shape{Prompt: shape.Fixed(500), Output: shape.Fixed(2), PrefixOverlap: 0.9}
	cfg.Budget.Requests = 20
	eng, records := runToEnd(t, cfg)
	for _, r := range records {
		if in, _ := r.InputTokens.Get(); in < 440 || in > 560 {
			t.Errorf("request %d has %d tokens, want about 500", r.ID, in)
		}
	}
	snap := eng.Snapshot()
	if p := snap.Prompts; p.Achieved < 460 || p.Achieved > 540 {
		t.Errorf("prompts %+v", p)
	}
	if notes := strings.Join(run.NewReport(snap, "test").Notes, "\n"); !strings.Contains(notes, "leave out what came from its cache") {
		t.Errorf("it is not said which count was used: %q", notes)
	}
}

// What a chat template puts before every prompt is in the server's cache from the second request on, and no surprise; prompts
// that were sent before are.
func TestATemplateInTheCacheIsNoSurprise(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prompt  shape.Length
		noProbe bool
	}{
		{"lengths that vary", shape.Uniform(256, 768), false},
		{"one length", shape.Fixed(200), false},
		{"one length, no probe", shape.Fixed(200), true},
	} {
		s := startSim(t)
		s.SetFaults(sim.Faults{Template: 40})
		cfg := closedLoop(s.URL(), 4)
		cfg.NoProbe = tt.noProbe
		cfg.Knobs.Shape.Prompt = tt.prompt
		cfg.Budget.Requests = 20
		for again := range 2 { // with the same seed, prompts are the same
			eng, _ := runToEnd(t, cfg)
			snap := eng.Snapshot()
			cached, _ := snap.Tokens.Cached.Get()
			if cached < 15*32 {
				t.Fatalf("%s: only %d tokens of 20 templates were cached", tt.name, cached)
			}
			notes := strings.Join(run.NewReport(snap, "test").Notes, "\n")
			if said := strings.Contains(notes, "the cache is being measured"); said != (again > 0) {
				t.Errorf("%s, run %d: %d cached, %+v: %q", tt.name, again+1, cached, snap.Prompts, notes)
			}
		}
	}
}
