// This file makes snapshots.

package engine

import (
	"math"
	"time"

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
		Wall:       time.Now(),
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
		Live:       e.collector.Summary(e.knobs.Window, end),
		Stage:      e.collector.Summary(stats.ThisStage, end),
		History:    e.collector.History(),
		Marks:      e.marks[:len(e.marks):len(e.marks)],
		GPU:        e.accel,
		GPUHistory: e.gpuTrend[:len(e.gpuTrend):len(e.gpuTrend)],
	}
	if e.start != 0 {
		s.Elapsed, _ = end.Since(e.start)
	}
	pool := e.pool.State()
	s.Backlog, s.Dropped = pool.Backlog, pool.Dropped
	e.snapshot.Store(s)
}

// trend appends a point a second to the accelerators' trend.
func (e *Engine) trend(now record.Instant) {
	reading := e.accel
	if reading == nil {
		return
	}
	if n := len(e.gpuTrend); n > 0 && now < e.gpuTrend[n-1].At.Add(gpuInterval) {
		return
	}
	if len(e.gpuTrend) >= 2*keepGPUPoints {
		e.gpuTrend = append(make([]GPUPoint, 0, 2*keepGPUPoints+1), e.gpuTrend[keepGPUPoints:]...)
	}
	e.gpuTrend = append(e.gpuTrend, gpuPoint(now, reading))
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
