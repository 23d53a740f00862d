// This file makes snapshots.

package engine

import (
	"runtime"
	"time"

	"tokdyno/engine/journal"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// publish makes the present moment the latest snapshot. Its caller holds e.mu.
func (e *Engine) publish(now record.Instant) {
	pool, s := e.generator.State(), e.moment(now)
	s.Endpoint = e.endpoints.first().Profile()
	s.Endpoints = e.endpoints.lines(e.end(now))
	s.Insecure = e.cfg.Endpoint.Insecure
	s.Simulated = e.cfg.Simulated || s.Endpoint.Server == simulatedServer // or one that says so of itself
	s.Enough = e.cfg.Enough
	s.Host = thisHost()
	s.Again = e.endpoints.again()
	s.Thinking, s.Backlog, s.Dropped, s.Shed = pool.Held, pool.Backlog, pool.Dropped, pool.Shed
	e.account.finished.show(s)
	e.account.outage.show(s)
	e.generator.Show(s, now)
	e.telemetry.trend(now)
	e.telemetry.show(s)
	e.autopilot.show(s, e.age(now))
	e.counsel.show(s)
	e.keep.show(s)
	if before := e.snapshot.Load(); before != nil {
		e.happen(journal.Between(before, s)...)
		s.Events = e.happened[:len(e.happened):len(e.happened)]
	}
	e.snapshot.Store(s)
}

// thisHost is the machine that makes the load.
func thisHost() snapshot.Host {
	return snapshot.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
}

// simulatedServer is what a simulator calls itself, whoever started it.
const simulatedServer = "tokdyno-sim"

// costly is a summary that is computed less often when that takes long, so that looking at a long window never costs
// more than a twentieth of a core. Once the load is over, it is computed every time: what is then shown stays.
type costly struct {
	latest stats.Summary
	knobs  snapshot.Knobs
	made   time.Time
	cost   time.Duration
}

func (c *costly) summary(from *stats.Collector, k snapshot.Knobs, stage int, now record.Instant, over bool) stats.Summary {
	const cheap, share = time.Millisecond, 20
	begun := time.Now()
	if !over && c.knobs == k && c.latest.Stage == stage && c.cost > cheap && begun.Sub(c.made) < share*c.cost {
		return c.latest
	}
	c.latest, c.knobs, c.made = from.Live(k.Window, now, slo.Needed(k.Target)), k, begun
	c.cost = time.Since(begun)
	return c.latest
}
