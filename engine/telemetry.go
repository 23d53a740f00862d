// This file takes in what accelerators and the inference server say of themselves, and keeps it by stage.

package engine

import (
	"context"
	"math"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// keepTrend is how many seconds of a trend are kept.
const keepTrend = 3600

// telemetry is what has been read so far. The engine's lock guards it.
type telemetry struct {
	devices      *gpu.Reading    // nil: none yet
	server       *server.Reading // nil: none yet
	gpuTrend     []GPUPoint
	serverTrend  []ServerPoint
	run, current gathered
	paused       bool        // the present stage is measured no more
	closed       []Telemetry // of the stages that are over, from stage 1
}

// gathered sums up readings.
type gathered struct {
	gpu      gpu.Totals
	server   server.Totals
	from, to time.Time // of the accelerators' readings; zero: none
}

func (g *gathered) addDevices(r gpu.Reading) {
	g.gpu.Add(r)
	if r.Err != nil || r.Stale > 0 {
		return
	}
	if g.from.IsZero() {
		g.from = r.At
	}
	g.to = r.At
}

func (g *gathered) telemetry() Telemetry {
	t := Telemetry{Source: g.gpu.Source, GPUs: g.gpu.Devices(), Span: g.to.Sub(g.from)}
	if g.gpu.Simulated {
		t.Source += " SIMULATED"
	}
	if s := g.server.Summary(); s.Readings > 0 {
		t.Server = &s
	}
	return t
}

// cut begins the next stage's sums, or those of the same stage's steady part. Counters go on from the run's last reading.
func (t *telemetry) cut() {
	next := gathered{server: t.run.server.Next()}
	if t.devices != nil && t.devices.Err == nil {
		next.addDevices(*t.devices) // a counter of energy counts from here
	}
	t.current, t.paused = next, false
}

// pause keeps what follows out of the present stage.
func (t *telemetry) pause() { t.paused = true }

// add takes in a reading for the run and, while it is measured, for the present stage.
func (t *telemetry) add(to func(*gathered)) {
	to(&t.run)
	if !t.paused {
		to(&t.current)
	}
}

// close ends a stage.
func (t *telemetry) close() {
	t.closed = append(t.closed, t.current.telemetry())
	t.cut()
}

// of is what a stage showed; stages count from 1.
func (t *telemetry) of(stage int) Telemetry {
	if stage-1 < len(t.closed) {
		return t.closed[stage-1]
	}
	return t.current.telemetry()
}

// follow polls what there is to poll until ctx ends, in goroutines that the group waits for.
func (e *Engine) follow(ctx context.Context, group *sync.WaitGroup) {
	every := e.cfg.GPUInterval
	if every == 0 {
		every = gpu.DefaultInterval
	}
	if e.cfg.GPU != nil {
		group.Go(func() { gpu.Poll(ctx, e.cfg.GPU, every, e.takeGPU) })
	}
	if e.cfg.Metrics != nil {
		group.Go(func() { server.Poll(ctx, e.cfg.Metrics, server.Interval, e.takeServer) })
	}
}

func (e *Engine) takeGPU(r gpu.Reading) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.telemetry.devices = &r
	if e.start != 0 && e.over == 0 {
		e.telemetry.add(func(g *gathered) { g.addDevices(r) })
	}
}

func (e *Engine) takeServer(r server.Reading) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.telemetry.server = &r
	if e.start != 0 && e.over == 0 && r.Known() {
		e.telemetry.add(func(g *gathered) { g.server.Add(r.Metrics) })
	}
}

// trend appends a point a second to the trends.
func (t *telemetry) trend(now record.Instant) {
	if t.devices != nil {
		if at, due := dueAt(now, len(t.gpuTrend), func(i int) record.Instant { return t.gpuTrend[i].At }); due {
			t.gpuTrend = append(shortened(t.gpuTrend), gpuPoint(at, t.devices))
		}
	}
	if t.server != nil {
		if at, due := dueAt(now, len(t.serverTrend), func(i int) record.Instant { return t.serverTrend[i].At }); due {
			t.serverTrend = append(shortened(t.serverTrend), serverPoint(at, t.server))
		}
	}
}

// dueAt is the instant of a trend's next point, and whether it has come.
func dueAt(now record.Instant, n int, at func(int) record.Instant) (record.Instant, bool) {
	if n == 0 {
		return now, true
	}
	next := at(n - 1).Add(time.Second)
	if now < next {
		return 0, false
	}
	if now >= next.Add(time.Second) { // the process stood still: the trend goes on from here
		next = now
	}
	return next, true
}

// shortened drops the older half of a trend that has become too long. Snapshots keep what they have.
func shortened[T any](trend []T) []T {
	if len(trend) < 2*keepTrend {
		return trend
	}
	return append(make([]T, 0, 2*keepTrend+1), trend[keepTrend:]...)
}

// gpuPoint averages a reading over its devices.
func gpuPoint(at record.Instant, r *gpu.Reading) GPUPoint {
	p := GPUPoint{At: at}
	if r.Stale > 0 {
		return GPUPoint{At: at, SMActivePercent: math.NaN(), UtilPercent: math.NaN(), MemUsedFraction: math.NaN(), PowerW: math.NaN()}
	}
	p.SMActivePercent, _ = meanOver(r.Devices, func(d *gpu.Device) optional.Value { return d.SMActive })
	p.UtilPercent, _ = meanOver(r.Devices, func(d *gpu.Device) optional.Value { return d.UtilPercent })
	p.MemUsedFraction, _ = meanOver(r.Devices, func(d *gpu.Device) optional.Value {
		if d.Part() || !d.MemUsedMiB.OK() || !d.MemTotalMiB.OK() || d.MemTotalMiB.V <= 0 {
			return optional.NA(optional.ReasonNone)
		}
		return optional.Of(d.MemUsedMiB.V / d.MemTotalMiB.V)
	})
	mean, n := meanOver(r.Devices, func(d *gpu.Device) optional.Value {
		if d.Part() { // its GPU's power is that of all its instances
			return optional.NA(gpu.ReasonMIG)
		}
		return d.PowerW
	})
	p.PowerW = mean * float64(n)
	return p
}

// meanOver averages a value over the devices that have it, n; NaN if none does.
func meanOver(devices []gpu.Device, value func(*gpu.Device) optional.Value) (mean float64, n int) {
	sum := 0.0
	for i := range devices {
		if v := value(&devices[i]); v.OK() {
			sum += v.V
			n++
		}
	}
	if n == 0 {
		return math.NaN(), 0
	}
	return sum / float64(n), n
}

func serverPoint(at record.Instant, r *server.Reading) ServerPoint {
	p := ServerPoint{At: at, Running: math.NaN(), Waiting: math.NaN(), KVUsage: math.NaN()}
	if r.Stale(time.Now(), server.Interval) {
		return p
	}
	known := func(v optional.Value) float64 {
		if !v.OK() {
			return math.NaN()
		}
		return v.V
	}
	m := &r.Metrics
	p.Running, p.Waiting, p.KVUsage = known(m.Running), known(m.Waiting), known(m.KVUsage)
	return p
}
