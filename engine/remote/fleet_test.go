// This file tests consoles and workers together, over an embedded NATS and the simulator.

package remote

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// rig is an embedded NATS, a simulated server, some workers and consoles.
type rig struct {
	t        *testing.T
	nats     *server.Server
	options  *server.Options
	link     Link
	server   *sim.Server
	consoles []*nats.Conn
	times    Times // of all consoles and workers
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, options: embedded("secret")}
	r.serve()
	t.Cleanup(func() {
		r.nats.Shutdown()
		r.nats.WaitForShutdown()
	})
	profile, err := sim.LookupProfile("small-gpu")
	if err != nil {
		t.Fatal(err)
	}
	if r.server, err = sim.Start(sim.Config{Profile: profile, TimeScale: 10}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.server.Close() })
	return r
}

// serve starts the NATS, at the same port as before.
func (r *rig) serve() {
	r.t.Helper()
	s, link, err := serve(r.options)
	if err != nil {
		r.t.Fatal(err)
	}
	r.nats, r.link = s, link
	r.options.Port = s.Addr().(*net.TCPAddr).Port
}

// restart ends the NATS, and starts it again.
func (r *rig) restart() {
	r.nats.Shutdown()
	r.nats.WaitForShutdown()
	r.serve()
}

// worker starts one, which ends with the test or when stop is called: as one that is killed does, where it does not say so.
func (r *rig) worker(cfg WorkerConfig) (stop func(silent bool)) {
	conn, err := r.link.Connect("worker", false)
	if err != nil {
		r.t.Fatal(err)
	}
	cfg.Times = r.times
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = NewWorker(conn, cfg).Run(ctx)
	}()
	stop = func(silent bool) {
		if silent {
			conn.Close()
		}
		cancel()
		<-done
		conn.Close()
	}
	r.t.Cleanup(func() { stop(false) })
	return stop
}

// console is an engine whose load the workers make.
func (r *rig) console(want int, change func(*engine.Config)) *engine.Engine {
	conn, err := r.link.Connect("console", false)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(conn.Close)
	r.consoles = append(r.consoles, conn)
	cfg := engine.Config{
		Endpoint: wire.Endpoint{URL: r.server.URL(), NoProxy: true}, Seed: 1,
		Knobs: snapshot.Knobs{
			Load:  load.Setting{Mode: load.Closed, Concurrency: 8},
			Shape: shape.Shape{Prompt: shape.Fixed(32), Output: shape.Fixed(16)}, Target: 0.9, Window: stats.Last30s,
		},
		Budget: load.Budget{Requests: 100},
		Generator: func(m engine.Making) (engine.Generator, error) {
			return NewFleet(FleetConfig{Conn: conn, Safe: true, Want: want, Times: r.times}, m)
		},
	}
	change(&cfg)
	eng, err := engine.New(cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	return eng
}

// Nobody waits for what comes after a report that says that all is over: it is the last one, and has no requests.
func TestOnlyTheLastReportSaysThatAllIsOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	conn, err := r.link.Connect("listener", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	messages, err := conn.SubscribeSync(subjectReport + "*")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil { // the subscription is in force
		t.Fatal(err)
	}
	r.worker(WorkerConfig{Name: "a"})
	if err := r.console(1, func(*engine.Config) {}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for requests := 0; ; {
		message, err := messages.NextMsg(10 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		report, blocks, err := unpackReport(message.Data)
		if err != nil {
			t.Fatal(err)
		}
		requests += len(blocks)
		if report.State != finished {
			continue
		}
		if len(blocks) > 0 || requests == 0 {
			t.Errorf("report %d says that all is over, and has %d bytes of requests; %d came in all", report.Seq, len(blocks), requests)
		}
		return
	}
}

func TestWorkersMakeALoadTogether(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]load.Setting{
		"closed": {Mode: load.Closed, Concurrency: 8},
		"open":   {Mode: load.Open, Rate: 200, Arrival: load.Poisson},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			for _, worker := range []string{"a", "b"} {
				r.worker(WorkerConfig{Name: worker})
			}
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
			for _, w := range s.Workers.List {
				if w.Started < 20 {
					t.Errorf("%s started %d of 100", w.Name, w.Started)
				}
			}
		})
	}
}
