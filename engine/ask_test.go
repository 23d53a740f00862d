package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/runfile"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
)

// Requests are asked for while the load goes on; afterwards a recording of the run says the same of them, but for what it does
// not keep.
func TestRequestsOfARunAndOfItsRecording(t *testing.T) {
	t.Parallel()
	faults, err := sim.ParseFaults([]string{"truncate_mid=10%:5", "reasoning=4"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := closedLoop(startSimulator(t, sim.Config{Faults: faults}).URL(), 4)
	cfg.Others = append(cfg.Others, cfg.Endpoint)
	cfg.Others[0].URL = startSim(t).URL()
	cfg.Budget.Requests, cfg.KeepText = 60, 20
	path := keptIn(t, &cfg, runfile.Options{})
	eng, ended := runInBackground(t, cfg)
	ran := 0
	for running := true; running; {
		v := eng.Requests(query.Query{First: -1, Count: 10, Running: 4, Waves: true})
		ran = max(ran, len(v.Running))
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
	}
	if ran == 0 || ran > 2*4 { // in each slot, one that ended since the last fold and one that has begun
		t.Errorf("%d requests were seen to run, of 4 in flight", ran)
	}
	all := query.Query{Count: 100}
	live := eng.Requests(all)
	if counts := eng.Snapshot().Counts; live.Matched != 60 || counts.OK+counts.Failed != 60 {
		t.Fatalf("%d requests, %+v", live.Matched, counts)
	}
	reasoned, lastOK := 0, uint64(0)
	for i := range live.Rows {
		r := &live.Rows[i]
		if r.Slot < 1 || r.Slot > 4 || r.Endpoint < 1 || r.Endpoint > 2 {
			t.Errorf("request %d ran in slot %d at endpoint %d", r.ID, r.Slot, r.Endpoint)
		}
		if r.Ending == slo.OK {
			lastOK = r.ID
			reasoned += min(max(int(r.Answer-r.First), 0), 1)
		}
	}
	if reasoned == 0 {
		t.Error("none reasoned")
	}
	whole, ok := eng.OpenRequest(lastOK)
	if !ok || !strings.Contains(string(whole.Said.Body), `"messages"`) || whole.Said.Answer == "" || len(whole.Gaps) == 0 {
		t.Errorf("the last can be opened: %v, %d bytes sent, answered %q, %d gaps", ok, len(whole.Said.Body), whole.Said.Answer, len(whole.Gaps))
	}
	p := playerOf(t, path)
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	again := p.Requests(all)
	same := slices.EqualFunc(live.Rows, again.Rows, func(a, b query.Row) bool {
		return a.ID == b.ID && a.Slot == b.Slot && a.Endpoint == b.Endpoint && a.TTFT == b.TTFT && a.TTFA == b.TTFA && a.E2EL == b.E2EL &&
			a.Kind == b.Kind && a.Connect == b.Connect && a.Lag == b.Lag
	})
	if !same {
		t.Errorf("the recording has other requests: %d, not %d", len(again.Rows), len(live.Rows))
	}
	n := 0
	if err := p.EachRequest(query.Query{}, func(*query.Row) error { n++; return nil }); err != nil || n != 60 {
		t.Errorf("the recording tells of %d, %v", n, err)
	}
	if err := p.Seek(0); err != nil { // what is kept whole of it is forgotten; the file has it
		t.Fatal(err)
	}
	one, ok := p.OpenRequest(lastOK)
	if !ok || one.Record.ID != lastOK || len(one.Gaps) != len(whole.Gaps) {
		t.Fatalf("in the recording, the last is opened %v, with %d gaps, not %d", ok, len(one.Gaps), len(whole.Gaps))
	}
	for i, g := range one.Gaps {
		if off := g.Length - whole.Gaps[i].Length; off.Abs() > 2*time.Microsecond {
			t.Errorf("gap %d is %v, was %v", i, g.Length, whole.Gaps[i].Length)
		}
	}
	if _, ok := p.OpenRequest(1 << 40); ok {
		t.Error("a request that never was can be opened")
	}
}
