// This file tests what becomes of a run when workers, their console or the NATS fail.

package remote

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// quick is how often consoles and workers say something in tests that wait for what follows when they don't.
const quick = 50 * time.Millisecond

// trial is a console that goes on, and what it was told of requests.
type trial struct {
	*engine.Engine
	t     *testing.T
	ended chan error
	shown chan struct{} // holds a token when a snapshot was made

	mu   sync.Mutex
	seen map[uint64]int
}

// begin starts a console without a budget.
func (r *rig) begin(want int, change func(*engine.Config)) *trial {
	run := &trial{t: r.t, ended: make(chan error, 1), shown: make(chan struct{}, 1), seen: make(map[uint64]int)}
	run.Engine = r.console(want, func(c *engine.Config) {
		c.Budget = load.Budget{}
		c.Records = func(ended []*record.Record, _ record.Instant) {
			run.mu.Lock()
			defer run.mu.Unlock()
			for _, rec := range ended {
				run.seen[rec.ID]++
			}
		}
		change(c)
		make := c.Generator
		c.Generator = func(m engine.Making) (engine.Generator, error) {
			g, err := make(m)
			return &watched{g, run.shown}, err
		}
	})
	go func() { run.ended <- run.Run(context.Background()) }()
	return run
}

// watched is a generator that says when a snapshot is made.
type watched struct {
	engine.Generator
	shown chan<- struct{}
}

func (w *watched) Show(s *snapshot.Snapshot, now record.Instant) {
	w.Generator.Show(s, now)
	select {
	case w.shown <- struct{}{}:
	default:
	}
}

// await waits until a snapshot is as wanted.
func (r *trial) await(what string, ok func(s *snapshot.Snapshot) bool) *snapshot.Snapshot {
	r.t.Helper()
	late := time.NewTimer(30 * time.Second)
	defer late.Stop()
	for waiting := true; waiting; {
		if s := r.Snapshot(); ok(s) {
			return s
		}
		select {
		case err := <-r.ended:
			r.t.Fatalf("the run ended before %s: %v", what, err)
		case <-r.shown:
		case <-late.C:
			waiting = false
		}
	}
	s := r.Snapshot()
	if s.Workers != nil {
		for _, w := range s.Workers.List {
			r.t.Logf("%+v", w)
		}
	}
	r.t.Fatalf("in vain for %s: %+v", what, s.Counts)
	return nil
}

// finish ends the run, and checks that no request was counted twice or left out.
func (r *trial) finish() *snapshot.Snapshot {
	r.t.Helper()
	missing := r.Snapshot().Workers.Missing
	r.Stop()
	if err := <-r.ended; err != nil {
		r.t.Fatal(err)
	}
	s := r.Snapshot()
	if s.Workers.Missing > missing {
		r.t.Errorf("with the end, no worker has room for %d requests", s.Workers.Missing)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, n := range r.seen {
		if n != 1 {
			r.t.Errorf("request %d was told of %d times", id, n)
		}
	}
	if len(r.seen) != s.Counts.Started || s.Counts.Ended() != s.Counts.Started {
		r.t.Errorf("%d requests were told of, counts %+v", len(r.seen), s.Counts)
	}
	return s
}

// named is a worker of a snapshot.
func named(s *snapshot.Snapshot, name string) snapshot.Worker {
	i := slices.IndexFunc(s.Workers.List, func(w snapshot.Worker) bool { return w.Name == name })
	if i < 0 {
		return snapshot.Worker{}
	}
	return s.Workers.List[i]
}

func answered(n int) func(*snapshot.Snapshot) bool {
	return func(s *snapshot.Snapshot) bool { return s.Counts.OK >= n }
}

// A worker that falls silent loses its share to the others, and what it had in flight is named once it can't come back.
func TestTheShareOfALostWorkerGoesToTheOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.times = Times{Orders: quick, Hello: quick, Lost: 10 * quick, Alone: 20 * quick}
	r.worker(WorkerConfig{Name: "a"})
	silence := r.worker(WorkerConfig{Name: "b"})
	run := r.begin(2, func(*engine.Config) {})
	run.await("b at work", func(s *snapshot.Snapshot) bool { return named(s, "b").Started > 10 && named(s, "b").InFlight > 0 })
	silence(true)
	run.await("the loss of b", func(s *snapshot.Snapshot) bool {
		return named(s, "b").State == snapshot.WorkerLost && named(s, "a").Share == 8
	})
	before := run.Snapshot().Counts.OK
	run.await("answers of a", answered(before+40))
	s := run.await("b to be given up", func(s *snapshot.Snapshot) bool { return named(s, "b").Lost > 0 })
	if n := named(s, "b").Lost; n > 4 {
		t.Errorf("b had %d requests in flight", n)
	}
	run.finish()
}

// A worker that comes late has a share, and one that leaves has none.
func TestAWorkerThatComesLateHasAShare(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]load.Setting{
		"closed": {Mode: load.Closed, Concurrency: 8},
		"open":   {Mode: load.Open, Rate: 60, Arrival: load.Poisson},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			first := r.worker(WorkerConfig{Name: "a"})
			run := r.begin(1, func(c *engine.Config) { c.Knobs.Load = setting })
			run.await("answers", answered(20))
			r.worker(WorkerConfig{Name: "b"})
			run.await("b at work", func(s *snapshot.Snapshot) bool { return named(s, "b").Started > 10 })
			first(false)
			started := named(run.Snapshot(), "b").Started
			run.await("b alone", func(s *snapshot.Snapshot) bool {
				return named(s, "b").Started > started+20 && named(s, "a").State != snapshot.WorkerWorking
			})
			run.finish()
		})
	}
}

// While the NATS is away for a moment, requests go on, and all of them are told of when it is back.
func TestNothingIsLostWhileTheNATSRestarts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.worker(WorkerConfig{Name: "a"})
	r.worker(WorkerConfig{Name: "b"})
	run := r.begin(2, func(*engine.Config) {})
	run.await("answers", answered(40))
	r.restart()
	s := run.await("both at work again", func(s *snapshot.Snapshot) bool {
		return s.Counts.OK > 120 && named(s, "a").State == snapshot.WorkerWorking && named(s, "b").State == snapshot.WorkerWorking
	})
	if named(s, "a").Lost+named(s, "b").Lost > 0 {
		t.Errorf("requests were given up: %+v", s.Workers.List)
	}
	run.finish()
}

// A dead console leaves no load running.
func TestAWorkerWithoutAConsoleStops(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.times = Times{Orders: quick, Hello: quick, Lost: 10 * quick, Alone: 20 * quick}
	r.worker(WorkerConfig{Name: "a"})
	run := r.begin(1, func(*engine.Config) {})
	run.await("answers", answered(20))
	r.consoles[0].Close() // it sends no orders from now on
	run.await("the end of all requests", func(*snapshot.Snapshot) bool { return r.server.Counters().Running == 0 })
	run.Stop()
	<-run.ended
}

// A knob that is turned changes what all workers do.
func TestAKnobMovesAllWorkers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, name := range []string{"a", "b", "c"} {
		r.worker(WorkerConfig{Name: name, Most: 5})
	}
	run := r.begin(3, func(*engine.Config) {})
	run.await("answers", answered(20))
	k := run.Snapshot().Knobs
	k.Load.Concurrency = 13
	if err := run.Apply(k); err != nil {
		t.Fatal(err)
	}
	s := run.await("13 in flight", func(s *snapshot.Snapshot) bool { return s.InFlight.Total == 13 })
	if a, b, c := named(s, "a").Share, named(s, "b").Share, named(s, "c").Share; a+b+c != 13 || max(a, b, c) > 5 || min(a, b, c) < 4 {
		t.Errorf("shares %d, %d, %d", a, b, c)
	}
	k.Load.Concurrency = 20
	if err := run.Apply(k); err != nil {
		t.Fatal(err)
	}
	run.await("what is missing", func(s *snapshot.Snapshot) bool { return s.Workers.Missing == 5 && s.InFlight.Total == 15 })
	k.Load = load.Setting{Mode: load.Open, Rate: 80, Arrival: load.Constant}
	if err := run.Apply(k); err != nil {
		t.Fatal(err)
	}
	before := run.Snapshot().Counts.OK
	run.await("arrivals", answered(before+60))
	k.Paused = true
	if err := run.Apply(k); err != nil {
		t.Fatal(err)
	}
	run.await("the pause", func(s *snapshot.Snapshot) bool { return s.InFlight.Total == 0 })
	k.Paused, k.Load = false, load.Setting{Mode: load.Closed, Concurrency: 6}
	if err := run.Apply(k); err != nil {
		t.Fatal(err)
	}
	run.await("6 in flight", func(s *snapshot.Snapshot) bool { return s.InFlight.Total == 6 })
	run.finish()
}
