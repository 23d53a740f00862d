package engine

import (
	"sync"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// commanded is a pool that counts what it is told, and runs nothing.
type commanded struct {
	Generator
	times int
}

func (c *commanded) Set(load.Setting) { c.times++ }
func (c *commanded) Pause(bool)       { c.times++ }

// opened is an engine whose load has begun, but for the requests.
func opened(t *testing.T) (*Engine, *commanded) {
	t.Helper()
	eng, err := New(closedLoop("http://127.0.0.1:1", 4))
	if err != nil {
		t.Fatal(err)
	}
	told := &commanded{Generator: eng.generator}
	eng.generator = told
	eng.open()
	told.times = 0
	return eng, told
}

func TestThePoolIsToldOnlyOfALoadThatChanges(t *testing.T) {
	for name, c := range map[string]struct {
		turn   func(*snapshot.Knobs)
		told   bool
		stages int
	}{
		"SLO":           {func(k *snapshot.Knobs) { k.SLO = slo.Criteria{slo.TPOT: time.Second} }, false, 1},
		"target":        {func(k *snapshot.Knobs) { k.Target = 0.5 }, false, 1},
		"window":        {func(k *snapshot.Knobs) { k.Window = stats.Last5m }, false, 1},
		"objectives":    {func(k *snapshot.Knobs) { k.Objectives, _ = slo.ParseObjectives("ttft p99 <= 1s over 30s for 99%") }, false, 1},
		"nothing":       {func(*snapshot.Knobs) {}, false, 1},
		"concurrency":   {func(k *snapshot.Knobs) { k.Load.Concurrency = 5 }, true, 2},
		"cancel":        {func(k *snapshot.Knobs) { k.Load.Cancel = !k.Load.Cancel }, true, 1},
		"output length": {func(k *snapshot.Knobs) { k.Shape.Output = shape.Fixed(17) }, false, 2},
		"pause":         {func(k *snapshot.Knobs) { k.Paused = true }, true, 1},
	} {
		eng, told := opened(t)
		k := eng.Snapshot().Knobs
		c.turn(&k)
		if err := eng.Apply(k); err != nil {
			t.Fatal(name, err)
		}
		if stages := eng.Snapshot().Stage.Stage; (told.times > 0) != c.told || stages != c.stages {
			t.Errorf("%s: the pool was told %d times, %d stages; want told: %v, %d", name, told.times, stages, c.told, c.stages)
		}
		if got := eng.Snapshot().Knobs; got != k {
			t.Errorf("%s: the next snapshot has %+v, want %+v", name, got, k)
		}
	}
}

// answer lets n requests of the first stage end, of TTFTs of 1, 2, 3 and 4 ms by turns.
func answer(eng *Engine, n int) {
	for i := range n {
		now := eng.clock()
		ttft := time.Duration(1+i%4) * time.Millisecond
		r := record.New(uint64(i + 1))
		r.Stage, r.Started, r.Sent = 1, now, now
		f := eng.collector.Begin(r, 1)
		f.Sent(now)
		r.FirstToken, r.LastToken, r.End, r.Chunks, r.Streamed = now.Add(ttft), now.Add(ttft), now.Add(ttft), 1, true
		f.Token(record.Token{At: r.FirstToken, First: true, Opening: true})
		r.Outcome = record.OK
		f.Finish(r)
	}
}

// More requests than are scored at once by whoever turns the SLO: the scores follow, and no snapshot has those of one SLO
// beside the other. Requests go on ending meanwhile, and the SLO is turned again before the first turn is through.
func TestManyRequestsAreScoredBesideWhoeverTurnsTheSLO(t *testing.T) {
	eng, _ := opened(t)
	const n, few = 3 * scoreAtOnce, 100 // few: a fold sees some that ended at one time, and others not
	eng.collector.MarkSteady(eng.clock())
	answer(eng, n)
	k := eng.Snapshot().Knobs
	k.Window = stats.WholeRun
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	eng.NewStage()                   // the requests' own is over
	limits := map[time.Duration]int{ // good ones of four
		10 * time.Second: 4, 2500 * time.Microsecond: 2, 1500 * time.Microsecond: 1,
	}
	check := func(s *snapshot.Snapshot) {
		limit := s.Knobs.SLO[slo.TTFT]
		for what, score := range map[string]slo.Tally{
			"run": s.Live.Score, "stage": s.Stages[0].Summary.Score, "level": s.Curve[0].Summary.Score,
		} {
			want := limits[limit] * (score.OK / 4)
			if score.OK < n || score.Good < want-few || score.Good > want+few {
				t.Fatalf("TTFT ≤ %v: %d of %d of the %s are good, want %d", limit, score.Good, score.OK, what, want)
			}
		}
		if limit == 10*time.Second != (s.Knobs.Target == snapshot.DefaultTarget) {
			t.Fatalf("TTFT ≤ %v with the target %v", limit, s.Knobs.Target)
		}
	}
	check(eng.Snapshot())

	turn := func(limit time.Duration) {
		k := eng.Snapshot().Knobs
		k.SLO[slo.TTFT], k.Target = limit, 0.5
		eng.mu.Lock() // so that nobody scores before it is looked at how much the turn itself did
		eng.change(k, eng.fold())
		if eng.scoring == nil || eng.collector.Criteria() == k.SLO {
			t.Error("whoever turned the SLO scored all of the requests")
		}
		eng.publish(eng.clock())
		eng.mu.Unlock()
	}
	turn(2500 * time.Microsecond)
	turn(1500 * time.Microsecond)
	var others sync.WaitGroup
	others.Go(func() { answer(eng, 2000) })
	for s := eng.Snapshot(); s.Knobs.SLO[slo.TTFT] != 1500*time.Microsecond; s = eng.Snapshot() {
		check(s)
	}
	others.Wait()
	eng.advance()
	check(eng.Snapshot())
	if s := eng.Snapshot(); s.Stages[0].Summary.Score.OK != n+2000 {
		t.Errorf("%d requests are scored, want %d", s.Stages[0].Summary.Score.OK, n+2000)
	}
}
