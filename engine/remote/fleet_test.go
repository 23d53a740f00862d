// This file tests consoles and workers together, over an embedded NATS and the simulator.

package remote

import (
	"context"
	"testing"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// rig is an embedded NATS, a simulated server and some workers.
type rig struct {
	t      *testing.T
	link   Link
	server *sim.Server
}

func newRig(t *testing.T) *rig {
	t.Helper()
	link, stop, err := Embed()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	profile, err := sim.LookupProfile("small-gpu")
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Start(sim.Config{Profile: profile, TimeScale: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return &rig{t, link, server}
}

// worker starts one, which ends with the test or when stop is called.
func (r *rig) worker(cfg WorkerConfig) (stop func()) {
	conn, err := r.link.Connect("worker", false)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(r.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = NewWorker(conn, cfg).Run(ctx)
	}()
	stop = func() {
		cancel()
		<-done
		conn.Close()
	}
	r.t.Cleanup(stop)
	return stop
}

// console is an engine whose load the workers make.
func (r *rig) console(want int, change func(*engine.Config)) *engine.Engine {
	conn, err := r.link.Connect("console", false)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(conn.Close)
	cfg := engine.Config{
		Endpoint: wire.Endpoint{URL: r.server.URL(), NoProxy: true}, Seed: 1,
		Knobs: snapshot.Knobs{
			Load:  load.Setting{Mode: load.Closed, Concurrency: 8},
			Shape: shape.Shape{Prompt: shape.Fixed(32), Output: shape.Fixed(16)}, Target: 0.9, Window: stats.Last30s,
		},
		Budget: load.Budget{Requests: 100},
		Generator: func(m engine.Making) (engine.Generator, error) {
			return NewFleet(FleetConfig{Conn: conn, Safe: true, Want: want}, m)
		},
	}
	change(&cfg)
	eng, err := engine.New(cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	return eng
}

func TestWorkersMakeALoadTogether(t *testing.T) {
	for name, setting := range map[string]load.Setting{
		"closed": {Mode: load.Closed, Concurrency: 8},
		"open":   {Mode: load.Open, Rate: 50, Arrival: load.Poisson},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			for _, worker := range []string{"a", "b"} {
				r.worker(WorkerConfig{Name: worker})
			}
			seen := make(map[uint64]bool)
			eng := r.console(2, func(c *engine.Config) { c.Knobs.Load = setting })
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := eng.Run(ctx); err != nil {
				t.Fatal(err)
			}
			s := eng.Snapshot()
			if s.Counts.OK != 100 || s.Counts.Started != 100 || s.InFlight.Total != 0 {
				t.Errorf("counts %+v, in flight %+v", s.Counts, s.InFlight)
			}
			_ = seen
			for _, w := range s.Workers.List {
				t.Logf("%+v", w)
				if w.Started < 20 {
					t.Errorf("%s started %d of 100", w.Name, w.Started)
				}
			}
			t.Logf("%v elapsed %v TTFT %+v", s.State, s.Elapsed, s.Stage.TTFT)
		})
	}
}
