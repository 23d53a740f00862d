package engine

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/compare"
	"tokdyno/engine/runfile"
)

// What is compared of a run is the same live and recorded, but for the gaps between chunks, which are kept to the
// microsecond.
func TestSeriesOfARecordingIsTheRuns(t *testing.T) {
	cfg := closedLoop(startSim(t).URL(), 4)
	cfg.Budget.Duration = 2 * time.Second
	path := keptIn(t, &cfg, runfile.Options{})
	eng, _ := runToEnd(t, cfg)
	live := eng.StageSeries(1)
	p := playerOf(t, path)
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	if live == nil || len(live.TTFT.V) < 10 || live.Seconds < 1 {
		t.Fatalf("too little to compare: %+v", live)
	}
	ignored := cmpopts.IgnoreFields(compare.Series{}, "ITL")
	if diff := cmp.Diff(live, p.StageSeries(1), ignored, cmpopts.EquateApprox(1e-9, 0),
		cmpopts.IgnoreUnexported(compare.Values{})); diff != "" {
		t.Errorf("-run +recording: %s", diff)
	}
	if eng.StageSeries(0) != nil || eng.StageSeries(2) != nil || p.StageSeries(9) != nil {
		t.Error("there is something of stages that never were")
	}
}
