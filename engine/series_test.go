package engine

import (
	order "cmp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/compare"
	"tokdyno/engine/runfile"
)

// What is compared of a run is the same live and recorded, but for the order of what came in one fold, and for the gaps between
// chunks, which are kept to the microsecond.
func TestSeriesOfARecordingIsTheRuns(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 4)
	cfg.Budget.Requests = 60
	path := keptIn(t, &cfg, runfile.Options{})
	eng, _ := runToEnd(t, cfg)
	live := eng.StageSeries(1)
	p := playerOf(t, path)
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	if live == nil || len(live.TTFT.V) < 10 || live.Seconds <= 0 {
		t.Fatalf("too little to compare: %+v", live)
	}
	ignored := cmpopts.IgnoreFields(compare.Series{}, "ITL")
	if diff := cmp.Diff(live, p.StageSeries(1), ignored, cmpopts.EquateApprox(1e-9, 0), cmp.Transformer("inOrder", inOrder)); diff != "" {
		t.Errorf("-run +recording: %s", diff)
	}
	if eng.StageSeries(0) != nil || eng.StageSeries(2) != nil || p.StageSeries(9) != nil {
		t.Error("there is something of stages that never were")
	}
}

// inOrder are values with their times, in order.
func inOrder(v compare.Values) (list [][2]float64) {
	for i := range v.V {
		list = append(list, [2]float64{v.At[i], v.V[i]})
	}
	slices.SortFunc(list, func(a, b [2]float64) int { return order.Or(order.Compare(a[0], b[0]), order.Compare(a[1], b[1])) })
	return list
}
