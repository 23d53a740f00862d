package run

import (
	"slices"
	"testing"
	"time"

	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
)

func TestTheCanaryHasAMemberOfItsOwn(t *testing.T) {
	if c := newCanary(nil); c != nil {
		t.Errorf("nobody sent the canary %+v", c)
	}
	c := newCanary(&snapshot.Canary{
		Live: snapshot.CanaryFigures{OK: 1},
		Run: snapshot.CanaryFigures{
			OK: 2, Failed: 3, Skipped: 4, Problem: "no",
			TTFT: stats.Distribution{N: 2, P99: 5 * time.Millisecond}, E2EL: stats.Distribution{N: 2, P99: 6 * time.Millisecond},
			DispatchLag: stats.Distribution{N: 2, P99: 7 * time.Millisecond},
		},
	})
	if c.OK != 2 || c.Failed != 3 || c.Skipped != 4 || *c.TTFT.P99 != 5 || *c.E2EL.P99 != 6 || *c.DispatchLag.P99 != 7 || *c.Problem != "no" {
		t.Errorf("%+v", c)
	}
	if c := newCanary(&snapshot.Canary{}); c.TTFT.P99 != nil || c.Problem != nil {
		t.Errorf("what was never answered is known: %+v", c)
	}
}

func TestSpeculationInTheReport(t *testing.T) {
	m := newServerMetrics(&server.Summary{Window: server.Window{Speculation: server.Speculation{
		Drafts: optional.Of(100), Drafted: optional.Of(300), Accepted: optional.Of(180), Rate: optional.Of(0.6), Length: optional.Of(2.8),
		Positions: []float64{0.80000001, 0.5},
	}}})
	if *m.SpecDrafts != 100 || *m.SpecDraftTokens != 300 || *m.SpecAcceptedTokens != 180 || *m.SpecAcceptRate != 0.6 || *m.SpecAcceptLength != 2.8 ||
		!slices.Equal(m.SpecPositionAccepts, []float64{0.8, 0.5}) {
		t.Errorf("%+v", m)
	}
	if m := newServerMetrics(new(server.Summary)); m.SpecAcceptRate != nil || m.SpecDrafts != nil || m.SpecPositionAccepts != nil {
		t.Errorf("of a server that does not tell: %+v", m)
	}
}
