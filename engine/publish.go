// This file makes snapshots.

package engine

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// publish makes the present moment the latest snapshot. Its caller holds e.mu.
func (e *Engine) publish(now record.Instant) {
	end := now // figures stand still when the load is over
	if e.over != 0 {
		end = e.over
	}
	requests, pool, knobs := &e.requests, e.pool.State(), e.points.scoredBy(e.collector, e.knobs)
	s := &Snapshot{
		At:         now,
		State:      e.state,
		Budget:     e.cfg.Budget,
		Enough:     e.cfg.Enough,
		Err:        e.err,
		Started:    e.startWall,
		Seed:       e.cfg.Seed,
		Endpoint:   requests.endpoints.first().Profile(),
		Endpoints:  requests.endpoints.lines(end),
		Insecure:   e.cfg.Endpoint.Insecure,
		Knobs:      knobs,
		Counts:     e.collector.Counts(),
		Tokens:     e.collector.Tokens(),
		Stood:      e.stood,
		Problems:   e.collector.Problems(),
		Again:      requests.endpoints.again(),
		InFlight:   e.collector.InFlight(now),
		Thinking:   pool.Held,
		Backlog:    pool.Backlog,
		Dropped:    pool.Dropped,
		Shed:       pool.Shed,
		Live:       e.live.summary(e.collector, knobs, len(e.points.rows), end, e.over != 0),
		Stage:      e.collector.Summary(stats.ThisStage, end),
		Objectives: e.tracker.Standings(),
		History:    e.collector.History(),
		Marks:      e.marks[:len(e.marks):len(e.marks)],
	}
	s.Prompts, s.Answers = requests.lengths.report(len(e.points.rows), knobs.Shape)
	s.Simulated = e.cfg.Simulated || s.Endpoint.Server == simulatedServer // or one that says so of itself
	if e.start != 0 {
		s.Elapsed, _ = end.Since(e.start)
	}
	s.Stages = e.points.list(e.collector, &s.Stage, end)
	s.Curve = e.points.curve(e.collector, knobs, &s.Stage, end)
	for i := range s.Stages {
		row := &s.Stages[i]
		row.Prompts, row.Answers = requests.lengths.report(row.Number, row.Knobs.Shape)
	}
	requests.finished.show(s)
	requests.outage.show(s)
	e.client.show(s, e.collector, now)
	e.telemetry.show(s)
	e.autopilot.show(s, e.age(now))
	e.counsel.show(s)
	e.snapshot.Store(s)
}

// simulatedServer is what a simulator calls itself, whoever started it.
const simulatedServer = "tokdyno-sim"

// costly is a summary that is computed less often when that takes long, so that looking at a long window never costs
// more than a twentieth of a core. Once the load is over, it is computed every time: what is then shown stays.
type costly struct {
	latest stats.Summary
	knobs  Knobs
	made   time.Time
	cost   time.Duration
}

func (c *costly) summary(from *stats.Collector, k Knobs, stage int, now record.Instant, over bool) stats.Summary {
	const cheap, share = time.Millisecond, 20
	begun := time.Now()
	if !over && c.knobs == k && c.latest.Stage == stage && c.cost > cheap && begun.Sub(c.made) < share*c.cost {
		return c.latest
	}
	c.latest, c.knobs, c.made = from.Live(k.Window, now, slo.Needed(k.Target)), k, begun
	c.cost = time.Since(begun)
	return c.latest
}
