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
