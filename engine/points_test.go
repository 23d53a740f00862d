package engine

import (
	"slices"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// oneLevel is a run of stages of one load, each answered at the pace that a test gives.
type oneLevel struct {
	knobs  snapshot.Knobs
	now    record.Instant
	from   *stats.Collector
	points points
	id     uint64
}

func newOneLevel() *oneLevel {
	l := &oneLevel{knobs: closedLoop("", 4).Knobs, now: 1}
	l.from = stats.NewCollector(l.now, stats.Inverted, slo.Criteria{slo.TTFT: 50 * time.Millisecond})
	return l
}

// stage opens another and marks it steady.
func (l *oneLevel) stage() {
	l.from.OpenStage(l.now)
	l.from.MarkSteady(l.now)
	l.points.open(l.now, l.knobs)
}

// answered lets n requests be answered, one after the other, each in a single token after the time given.
func (l *oneLevel) answered(n int, after time.Duration) {
	for i := range n {
		l.id++
		r := record.New(l.id)
		r.Stage, r.Started, r.Sent, r.Streamed, r.Chunks, r.Outcome = len(l.points.rows), l.now, l.now, true, 1, record.OK
		f := l.from.Begin(r, 1)
		f.Sent(l.now)
		l.now = l.now.Add(after + time.Duration(i%7)*after/100)
		r.FirstToken, r.LastToken, r.End = l.now, l.now, l.now
		f.Token(record.Token{At: l.now, First: true, Opening: true})
		f.Finish(r)
	}
	l.from.Fold(l.now)
}

func (l *oneLevel) point() stage.Point {
	current := l.from.Summary(stats.ThisStage, l.now)
	return l.points.curve(l.from, l.knobs, &current, l.now, false)[0]
}

// A point that several stages make up is not computed at every tick while one of them goes on, and is never older than a
// second.
func TestAPooledPointIsAtMostASecondOld(t *testing.T) {
	l := newOneLevel()
	l.stage()
	l.answered(10, time.Millisecond)
	l.stage()
	l.answered(10, time.Millisecond)
	if n := l.point().N; n != 20 {
		t.Fatalf("%d requests in the point, want those of both stages, 20", n)
	}
	l.answered(10, time.Millisecond)
	if n := l.point().N; n != 20 {
		t.Errorf("the point was computed anew after 10 ms: %d requests", n)
	}
	l.now = l.now.Add(1100 * time.Millisecond)
	l.answered(1, time.Millisecond)
	if n := l.point().N; n != 31 {
		t.Errorf("%d requests in a point that is more than a second old, want 31", n)
	}
}

// Stages of one level are one set of requests only if they agree; else the newest that settled stands alone.
func TestStagesOfALevelArePooledIfTheyAgree(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		stages []time.Duration // the time to the first token in each, of which 50 ms are good
		n      int             // requests in each
		pooled []int
	}{
		"alike":                        {[]time.Duration{20 * ms, 20 * ms, 20 * ms}, 40, []int{1, 2, 3}},
		"another median":               {[]time.Duration{20 * ms, 30 * ms}, 40, []int{2}},
		"a median within the noise":    {[]time.Duration{20 * ms, 20900 * time.Microsecond}, 40, []int{1, 2}},
		"another share of good ones":   {[]time.Duration{20 * ms, 60 * ms}, 40, []int{2}},
		"too few to differ":            {[]time.Duration{20 * ms, 30 * ms}, 4, []int{1, 2}},
		"the newest is like the first": {[]time.Duration{20 * ms, 60 * ms, 20 * ms}, 40, []int{3}},
	} {
		l := newOneLevel()
		for _, after := range tt.stages {
			l.stage()
			l.answered(tt.n, after)
		}
		p := l.point()
		if !slices.Equal(p.Stages, tt.pooled) || p.N != tt.n*len(tt.pooled) || p.EarlierDiffer != (len(tt.pooled) < len(tt.stages)) {
			t.Errorf("%s: %d requests of stages %v, earlier differ: %v, want stages %v", name, p.N, p.Stages, p.EarlierDiffer, tt.pooled)
		}
	}
}

// What the stages that are over gave is kept while the newest goes on, until one of their requests ends after all.
func TestWhatEarlierStagesGaveIsKept(t *testing.T) {
	l := newOneLevel()
	for range 2 {
		l.stage()
		l.answered(40, 20*time.Millisecond)
	}
	late := record.New(1000)
	late.Stage, late.Started, late.Sent, late.Streamed, late.Chunks, late.Outcome = 1, l.now, 1, true, 1, record.OK
	running := l.from.Begin(late, 1)
	running.Sent(1)
	if p := l.point(); p.EarlierDiffer {
		t.Fatal("stages that are alike differ")
	}
	l.points.pools[0].earlier.gist.ttft.low += time.Hour
	l.points.pools[0].earlier.gist.ttft.high += time.Hour
	l.now = l.now.Add(1100 * time.Millisecond)
	l.answered(1, 20*time.Millisecond)
	if p := l.point(); !p.EarlierDiffer {
		t.Error("the first stage was summed up anew, though nothing of it had changed")
	}
	late.FirstToken, late.LastToken, late.End = l.now, l.now, l.now
	running.Token(record.Token{At: l.now, First: true, Opening: true})
	running.Finish(late)
	l.now = l.now.Add(1100 * time.Millisecond)
	l.answered(1, 20*time.Millisecond)
	if p := l.point(); p.EarlierDiffer || p.N != 83 {
		t.Errorf("a request of the first stage has ended, and %d of 83 are in the point", p.N)
	}
}

// Whether stages agree is a matter of the SLO too.
func TestATurnedLimitPoolsAnew(t *testing.T) {
	const ms = time.Millisecond
	l := newOneLevel()
	for range 2 { // half of the requests of each stage in 20 ms; the rest in 60 or 40
		l.stage()
		l.answered(20, 20*ms)
		l.answered(20, time.Duration(60-20*(len(l.points.rows)-1))*ms)
	}
	if p := l.point(); !p.EarlierDiffer {
		t.Fatalf("half of one and all of the other stage are good, and they are pooled: %v", p.Stages)
	}
	l.knobs.SLO = slo.Criteria{slo.TTFT: time.Second}
	for !l.points.score(l.from, &l.knobs) {
		continue
	}
	if p := l.point(); p.EarlierDiffer || p.N != 80 {
		t.Errorf("all are good now, and %d of 80 are pooled", p.N)
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
	await(t, eng, "the first stage steady", func(s *snapshot.Snapshot) bool { return s.Stage.E2EL.N > 0 && !s.Stage.Settling })
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
