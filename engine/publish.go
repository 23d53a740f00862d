// This file makes snapshots.

package engine

import (
	"math"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
)

// keepGPUPoints is how many seconds of an accelerator's trend are kept.
const keepGPUPoints = 3600

// publish makes the present moment the latest snapshot. Its caller holds e.mu.
func (e *Engine) publish(now record.Instant) {
	e.trend(now)
	end := now // figures stand still when the load is over
	if e.over != 0 {
		end = e.over
	}
	s := &Snapshot{
		At:         now,
		State:      e.state,
		Budget:     e.cfg.Budget,
		Err:        e.err,
		Endpoint:   e.profile,
		Simulated:  e.simulated(),
		Insecure:   e.cfg.Endpoint.Insecure,
		Knobs:      e.knobs,
		Counts:     e.collector.Counts(),
		Problems:   e.collector.Problems(),
		InFlight:   e.collector.InFlight(now),
		Live:       e.live.summary(e.collector, e.knobs, end, e.over != 0),
		Health:     e.health(now),
		Objectives: e.tracker.Standings(),
		History:    e.collector.History(),
		Marks:      e.marks[:len(e.marks):len(e.marks)],
		GPU:        e.accel,
		GPUHistory: e.gpuTrend[:len(e.gpuTrend):len(e.gpuTrend)],
	}
	s.Stage = e.collector.Summary(stats.ThisStage, end)
	s.Stages = e.points.list(e.collector, &s.Stage, end)
	s.Curve = e.points.curve(e.collector, e.knobs, &s.Stage, end)
	s.Pilot = e.pilotView(now)
	if e.start != 0 {
		s.Elapsed, _ = end.Since(e.start)
	}
	pool := e.pool.State()
	s.Backlog, s.Dropped, s.Thinking = pool.Backlog, pool.Dropped, pool.Held
	s.Prompts = e.lengths.report(len(e.points.rows), e.knobs.Shape)
	e.snapshot.Store(s)
}

// costly is a summary that is computed less often when that takes long, so that looking at a long window never costs
// more than a twentieth of a core. Once the load is over, it is computed every time: what is then shown stays.
type costly struct {
	latest stats.Summary
	knobs  Knobs
	made   time.Time
	cost   time.Duration
}

func (c *costly) summary(from *stats.Collector, k Knobs, now record.Instant, over bool) stats.Summary {
	const cheap, share = time.Millisecond, 20
	begun := time.Now()
	if !over && c.knobs == k && c.cost > cheap && begun.Sub(c.made) < share*c.cost {
		return c.latest
	}
	c.latest, c.knobs, c.made = from.Summary(k.Window, now), k, begun
	c.cost = time.Since(begun)
	return c.latest
}

// health judges the client by the last ten seconds.
func (e *Engine) health(now record.Instant) Health {
	figures, ok := e.monitor.Recent()
	if !ok {
		return Health{}
	}
	recent, _ := e.collector.Client(now)
	return e.judge(figures, recent)
}

// judge adds what the streams tell of the client to what the process tells.
func (e *Engine) judge(f health.Figures, c stats.Client) Health {
	f.Kernel = c.Lag.N > 0
	f.LagP50, f.LagP99, f.Dispatch = c.Lag.P50, c.Lag.P99, c.Dispatch.P99
	if c.TokenEvents > 0 {
		f.Bunched = float64(c.Bunched) / float64(c.TokenEvents)
	}
	f.Reconnects = e.client.Reconnects()
	h := Health{Figures: f}
	h.Verdict, h.Reason = f.Judge()
	return h
}

// trend appends a point a second to the accelerators' trend.
func (e *Engine) trend(now record.Instant) {
	reading := e.accel
	if reading == nil {
		return
	}
	at := now
	if n := len(e.gpuTrend); n > 0 {
		if at = e.gpuTrend[n-1].At.Add(gpuInterval); now < at {
			return
		}
		if now >= at.Add(gpuInterval) { // the process stood still: the trend goes on from here
			at = now
		}
	}
	if len(e.gpuTrend) >= 2*keepGPUPoints {
		e.gpuTrend = append(make([]GPUPoint, 0, 2*keepGPUPoints+1), e.gpuTrend[keepGPUPoints:]...)
	}
	e.gpuTrend = append(e.gpuTrend, gpuPoint(at, reading))
}

// gpuPoint averages a reading over its devices.
func gpuPoint(now record.Instant, r *gpu.Reading) GPUPoint {
	p := GPUPoint{At: now}
	p.SMActivePercent = meanOver(r.Devices, func(d gpu.Device) gpu.Value { return d.SMActive })
	p.UtilPercent = meanOver(r.Devices, func(d gpu.Device) gpu.Value { return d.UtilPercent })
	p.MemUsedFraction = meanOver(r.Devices, func(d gpu.Device) gpu.Value {
		if !d.MemUsedMiB.OK() || !d.MemTotalMiB.OK() || d.MemTotalMiB.V <= 0 {
			return gpu.NA("n/a")
		}
		return gpu.Of(d.MemUsedMiB.V / d.MemTotalMiB.V)
	})
	return p
}

// meanOver averages a value over the devices that have it; NaN if none does.
func meanOver(devices []gpu.Device, value func(gpu.Device) gpu.Value) float64 {
	sum, n := 0.0, 0
	for _, d := range devices {
		if v := value(d); v.OK() {
			sum += v.V
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
