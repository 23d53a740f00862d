package engine

import (
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
