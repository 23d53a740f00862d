// This file makes snapshots.

package engine

import (
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
)

// publish makes the present moment the latest snapshot. Its caller holds e.mu.
func (e *Engine) publish(now record.Instant) {
	e.telemetry.trend(now)
	end := now // figures stand still when the load is over
	if e.over != 0 {
		end = e.over
	}
	s := &Snapshot{
		At:         now,
		State:      e.state,
		Budget:     e.cfg.Budget,
		Err:        e.err,
		Started:    e.startWall,
		Seed:       e.cfg.Seed,
		Endpoint:   e.endpoints.first().Profile(),
		Insecure:   e.cfg.Endpoint.Insecure,
		Knobs:      e.knobs,
		Counts:     e.collector.Counts(),
		Tokens:     e.collector.Tokens(),
		Stood:      e.stood,
		Retried:    e.finished.retriedSoFar(),
		Problems:   e.collector.Problems(),
		Malformed:  e.finished.malformedSoFar(),
		InFlight:   e.collector.InFlight(now),
		Live:       e.live.summary(e.collector, e.knobs, len(e.points.rows), end, e.over != 0),
		Objectives: e.tracker.Standings(),
		History:    e.collector.History(),
		Marks:      e.marks[:len(e.marks):len(e.marks)],
	}
	s.Simulated = e.cfg.Simulated || s.Endpoint.Server == simulatedServer // or one that says so of itself
	e.health(s, now)
	if e.state == Running && e.advisedIn == len(e.points.rows) {
		s.Advice = e.advice
	}
	s.Stage = e.collector.Summary(stats.ThisStage, end)
	s.Stages = e.points.list(e.collector, &s.Stage, end)
	for i := range s.Stages {
		e.observeStage(&s.Stages[i])
	}
	if e.start != 0 {
		s.Elapsed, _ = end.Since(e.start)
	}
	e.observe(s)
	s.Curve = e.points.curve(e.collector, e.knobs, &s.Stage, end)
	s.Pilot = e.pilotView(now)
	s.Endpoints = e.endpoints.lines(end)
	pool := e.pool.State()
	s.Backlog, s.Dropped, s.Thinking = pool.Backlog, pool.Dropped, pool.Held
	s.Abandoned = e.autopilot.abandoned
	s.Prompts = e.lengths.report(len(e.points.rows), e.knobs.Shape)
	e.snapshot.Store(s)
}

// observe adds what accelerators and server say, and what the run has cost so far.
func (e *Engine) observe(s *Snapshot) {
	t := &e.telemetry
	s.GPU, s.GPUElsewhere, s.GPUNote, s.Server = t.devices, e.cfg.GPUElsewhere, e.cfg.GPUNote, t.server
	s.GPUHistory = t.gpuTrend[:len(t.gpuTrend):len(t.gpuTrend)]
	s.ServerHistory = t.serverTrend[:len(t.serverTrend):len(t.serverTrend)]
	s.Telemetry = t.run.telemetry()
	s.Spent = optional.NA(noPrice)
	if e.start != 0 {
		gpus := wholeGPUs(&s.Telemetry)
		if e.cfg.GPUElsewhere {
			gpus = 0
		}
		s.Spent = spent(s.Tokens, gpus, s.Elapsed.Hours(), e.cfg.Prices)
	}
}

// observeStage adds what they said over a stage, and what its output cost.
func (e *Engine) observeStage(row *StageRow) {
	row.Prompts = e.lengths.report(row.Number, row.Knobs.Shape)
	row.Telemetry = e.telemetry.of(row.Number)
	behind := row.Telemetry
	if e.cfg.GPUElsewhere {
		behind.GPUs = nil
	}
	row.Efficiency = efficiency(row.Summary, &behind, e.cfg.Prices)
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
	c.latest, c.knobs, c.made = from.Summary(k.Window, now), k, begun
	c.cost = time.Since(begun)
	return c.latest
}

// health judges the client: by the last ten seconds, without the rush of the first requests once the load has settled, and
// by the whole run.
func (e *Engine) health(s *Snapshot, now record.Instant) {
	s.Client.Stamps, s.Client.Reconnects = e.endpoints.first().Stamps(), e.endpoints.reconnects()
	figures, settled, ok := e.monitor.Recent()
	if !ok {
		return
	}
	recent, run := e.collector.Client(now)
	if settled {
		recent = run
	}
	s.Health = e.judge(figures, recent)
	if figures, ok = e.monitor.Run(); ok {
		s.Client.Health = e.judge(figures, run)
	}
}

// judge adds what the streams tell of the client to what the process tells.
func (e *Engine) judge(f health.Figures, c stats.Client) Health {
	f.Kernel = c.Lag.N > 0
	f.LagP50, f.LagP99, f.Dispatch = c.Lag.P50, c.Lag.P99, c.Dispatch.P99
	if c.TokenEvents > 0 {
		f.Bunched = float64(c.Bunched) / float64(c.TokenEvents)
	}
	f.Reconnects = e.endpoints.reconnects()
	h := Health{Figures: f}
	h.Verdict, h.Reason = f.Judge()
	return h
}
