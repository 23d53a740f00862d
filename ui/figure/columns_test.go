package figure

import (
	"slices"
	"testing"
	"time"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Without reasoning TTFA is TTFT. Where it has a limit it outlasts most others on a narrow screen.
func TestTTFAHasAColumnWhereReasoningWasSeen(t *testing.T) {
	shown := func(reasoned int, limit time.Duration, w int) bool {
		s := &snapshot.Snapshot{Stages: []snapshot.StageRow{{Summary: &stats.Summary{Reasoned: reasoned}}}}
		s.Knobs.SLO[slo.TTFA] = limit
		columns := FitColumns(Columns(s), w, func(cells, _ int) bool { return cells <= w })
		return slices.ContainsFunc(columns, func(c Column) bool { return c.Name == "TTFA p95" })
	}
	for _, tt := range []struct {
		reasoned int
		limit    time.Duration
		w        int
		want     bool
	}{{0, time.Second, 200, false}, {3, 0, 200, true}, {3, 0, 70, false}, {3, time.Second, 70, true}} {
		if got := shown(tt.reasoned, tt.limit, tt.w); got != tt.want {
			t.Errorf("%d reasoned, limit %s, %d cells: shown %v", tt.reasoned, tt.limit, tt.w, got)
		}
	}
}
