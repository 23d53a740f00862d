package duel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// still is a side that has measured one stage, of which it tells latencies.
type still struct {
	Side
	measured time.Duration
	ms       float64
	asked    int
}

func (s *still) Snapshot() *snapshot.Snapshot {
	k := snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 8}}
	return &snapshot.Snapshot{
		Elapsed: s.measured + 5*time.Second, Knobs: k,
		Stages: []snapshot.StageRow{
			{Number: 1, Knobs: k, Summary: &stats.Summary{Settling: true, Spans: time.Hour}},
			{Number: 2, Knobs: k, Summary: &stats.Summary{Spans: s.measured}},
		},
	}
}

func (s *still) StageSeries(n int) *compare.Series {
	s.asked++
	if n != 2 {
		return nil
	}
	series := &compare.Series{Seconds: s.measured.Seconds()}
	for at := 0.0; at < series.Seconds; at += 0.1 {
		wave := 1 + 0.02*float64(int(10*at)%7)
		series.E2EL.Add(at, s.ms*wave, 1)
		series.TTFT.Add(at, s.ms*wave/10, 1)
	}
	return series
}

// TestLooksAreTakenWhenTheyAreDue has two sides measure for longer and longer.
func TestLooksAreTakenWhenTheyAreDue(t *testing.T) {
	a, b := &still{ms: 300}, &still{ms: 400}
	d := newDuel(2, snapshot.Together)
	d.sides[0], d.sides[1] = a, b
	var at []time.Duration
	for s := time.Second; s <= time.Minute; s += time.Second {
		a.measured, b.measured = s, s+time.Second // looks go by the side that has measured less
		before := a.asked
		if d.look(); a.asked > before {
			at = append(at, s)
		}
	}
	if !slices.Equal(at, []time.Duration{20 * time.Second, 30 * time.Second, 45 * time.Second}) {
		t.Errorf("looks were taken after %v", at)
	}
	looks := d.Snapshot().Duel.Looks
	if len(looks) != 1 || looks[0].Number != 3 || looks[0].SecondsA != 45 || looks[0].SecondsB != 46 {
		t.Fatalf("%+v", looks)
	}
	answers := make(map[string]compare.Answer)
	for _, one := range looks[0].Differences {
		answers[one.Metric] = one.Answer
	}
	if answers["ttft_p95"] != compare.Worse || answers["tpot_p95"] != compare.Absent {
		t.Errorf("%v", answers)
	}
	if got := d.Alpha(); got > 0.05/4/5*1.01 || got < 0.05/4/5*0.99 {
		t.Errorf("for the end, an error of %v is left", got)
	}
	if view := d.Snapshot().Duel; view.Measured != time.Minute || view.NextLook != 67500*time.Millisecond {
		t.Errorf("the next look is due at %v, after %v", view.NextLook, view.Measured)
	}
	if strings.Contains(d.Snapshot().Duel.Unlike, "c=") {
		t.Error("the loads are the same")
	}
	a.measured = time.Second // of a recording, somebody went back
	if d.look(); len(d.Snapshot().Duel.Looks) != 0 {
		t.Error("what comes later is known already")
	}
}
