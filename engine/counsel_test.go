package engine

import (
	"testing"

	"tokdyno/engine/advice"
	"tokdyno/engine/load"
	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu/optional"
)

// TestDraftingIsComparedWithAStageThatTellsEnough has a stage between the two that was too short.
func TestDraftingIsComparedWithAStageThatTellsEnough(t *testing.T) {
	stage := func(n, c int, drafted, rate float64) snapshot.StageRow {
		row := snapshot.StageRow{Number: n, Knobs: snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: c}}}
		row.Telemetry.Server = &server.Summary{Window: server.Window{Speculation: server.Speculation{Drafted: optional.Of(drafted), Rate: optional.Of(rate)}}}
		return row
	}
	var in advice.Input
	drafting(&in, []snapshot.StageRow{stage(1, 8, 9000, 0.71), stage(2, 32, 10, 0.1), stage(3, 64, 9000, 0.48)})
	if in.DraftingBefore.Stage != 1 || in.DraftingBefore.Rate.V != 0.71 || in.Drafting.Rate.V != 0.48 || in.Turned != "c 8→64" {
		t.Errorf("%+v since %+v, %q", in.Drafting, in.DraftingBefore, in.Turned)
	}
	in = advice.Input{}
	drafting(&in, []snapshot.StageRow{{Number: 1}, stage(2, 8, 9000, 0.5)})
	if in.DraftingBefore.Enough() || in.Turned != "" {
		t.Errorf("compared with a stage of which nothing is known: %+v", in.DraftingBefore)
	}
}
