package engine

import (
	"slices"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// A point that several stages make up is not computed at every tick while one of them goes on, and is never older than a
// second.
func TestAPooledPointIsAtMostASecondOld(t *testing.T) {
	k := closedLoop("", 4).Knobs
	now := record.Instant(1)
	c := stats.NewCollector(now, stats.Inverted, slo.Criteria{})
	var p points
	id := uint64(0)
	answered := func(n int) {
		for range n {
			id++
			r := record.New(id)
			r.Stage, r.Started, r.Sent, r.Streamed, r.Chunks, r.Outcome = len(p.rows), now, now, true, 1, record.OK
			f := c.Begin(r, 1)
			f.Sent(now)
			now = now.Add(time.Millisecond)
			r.FirstToken, r.LastToken, r.End = now, now, now
			f.Token(record.Token{At: now, First: true, Opening: true})
			f.Finish(r)
		}
		c.Fold(now)
	}
	open := func() {
		c.OpenStage(now)
		c.MarkSteady(now)
		p.open(now, k)
	}
	pooled := func() int {
		current := c.Summary(stats.ThisStage, now)
		return p.curve(c, k, &current, now)[0].N
	}
	open()
	answered(10)
	open()
	answered(10)
	if n := pooled(); n != 20 {
		t.Fatalf("%d requests in the point, want those of both stages, 20", n)
	}
	answered(10)
	if n := pooled(); n != 20 {
		t.Errorf("the point was computed anew after 10 ms: %d requests", n)
	}
	now = now.Add(1100 * time.Millisecond)
	answered(1)
	if n := pooled(); n != 31 {
		t.Errorf("%d requests in a point that is more than a second old, want 31", n)
	}
}

// What costs long is computed so seldom that it takes at most a twentieth of the time.
func TestACostlySummaryIsComputedForATwentiethOfTheTime(t *testing.T) {
	c := stats.NewCollector(1, stats.Inverted, slo.Criteria{})
	k := closedLoop("", 4).Knobs
	remembered := stats.Summary{Hidden: 7} // no collector without requests says that
	for name, tt := range map[string]struct {
		cost, age time.Duration
		over      bool
		anew      bool
	}{
		"19 times its cost later":     {time.Minute, 19 * time.Minute, false, false},
		"21 times its cost later":     {time.Minute, 21 * time.Minute, false, true},
		"cheap":                       {time.Millisecond, 0, false, true},
		"the load is over, it stands": {time.Minute, 0, true, true},
	} {
		live := costly{latest: remembered, knobs: k, made: time.Now().Add(-tt.age), cost: tt.cost}
		if s := live.summary(c, k, 0, 1, tt.over); (s.Hidden == 0) != tt.anew {
			t.Errorf("%s: computed anew: %v, want %v", name, s.Hidden == 0, tt.anew)
		}
	}
	live := costly{latest: remembered, knobs: k, made: time.Now(), cost: time.Minute}
	k.Window = stats.Last5m
	if s := live.summary(c, k, 0, 1, false); s.Hidden != 0 {
		t.Error("another window shows the figures of the one before")
	}
}

// A stage in which nothing happened is left out of the list, but not without a word.
func TestAStageInWhichNothingHappenedIsToldAsDropped(t *testing.T) {
	k := closedLoop("", 4).Knobs
	c := stats.NewCollector(1, stats.Inverted, slo.Criteria{})
	var p points
	now := record.Instant(1)
	if n := p.dropped(c, now); n != 0 {
		t.Errorf("stage %d dropped before there was one", n)
	}
	for range 2 {
		c.OpenStage(now)
		p.open(now, k)
		now = now.Add(100 * time.Millisecond)
	}
	c.Fold(now)
	if n := p.dropped(c, now); n != 2 {
		t.Errorf("stage %d dropped, want 2", n)
	}
	r := record.New(1)
	r.Stage, r.Started, r.Sent, r.End, r.Outcome, r.Kind = 2, now, now, now, record.Failed, record.KindConnect
	c.Begin(r, 1).Finish(r)
	c.Fold(now)
	if n := p.dropped(c, now); n != 0 {
		t.Errorf("stage %d dropped, though a request failed in it", n)
	}
}

// Marks name a stage that was dropped before the change that ended it.
func TestADroppedStageIsAMark(t *testing.T) {
	t.Parallel()
	server := startSim(t)
	eng, ended := runInBackground(t, closedLoop(server.URL(), 2))
	await(t, eng, "the first stage steady", func(s *Snapshot) bool { return s.Stage.E2EL.N > 0 && !s.Stage.Settling })
	for _, c := range []int{3, 4} { // so fast that nothing can end, or even be answered, in the second stage
		k := eng.Snapshot().Knobs
		k.Load.Concurrency = c
		if err := eng.Apply(k); err != nil {
			t.Fatal(err)
		}
	}
	var labels []string
	for _, m := range eng.Snapshot().Marks {
		labels = append(labels, m.Label)
	}
	eng.Stop()
	<-ended
	if want := []string{"c 2→3", "stage 2 dropped", "c 3→4"}; !slices.Equal(labels, want) {
		t.Errorf("marks %q, want %q", labels, want)
	}
}
