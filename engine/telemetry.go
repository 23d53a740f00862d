// This file takes in what accelerators and the inference server say of themselves, and keeps it by stage.

package engine

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// telemetry is what has been read so far, by stage and over the run. Its readings come when they come, so it has a lock of
// its own.
type telemetry struct {
	elsewhere bool   // the accelerators are not known to be behind the endpoint
	note      string // why there is no source of them, in a sentence
	prices    snapshot.Prices
	wall      func() time.Time // the clock that readings' times are of
	method    stats.Method     // of the canary's percentiles
	clock     record.Clock     // the run's, for a recording; nil: there is none

	mu sync.Mutex // of what follows
	told
	heard []heard // for a recording, since it was handed over last
}

// told is what readings have told so far.
type told struct {
	devices      *gpu.Reading    // nil: none yet
	server       *server.Reading // nil: none yet
	gpuTrend     stats.Trend[snapshot.GPUPoint]
	serverTrend  stats.Trend[snapshot.ServerPoint]
	run, current gathered
	lately       server.Lately
	canary       canaryTold
	begun, over  bool                 // of the load
	paused       bool                 // the present stage is measured no more
	closed       []snapshot.Telemetry // of the stages that are over, from stage 1
}

// clone is the same, which can go on by itself.
func (t *told) clone() told {
	c := *t
	c.run.gpu, c.current.gpu = t.run.gpu.Clone(), t.current.gpu.Clone()
	c.lately, c.canary = t.lately.Clone(), t.canary.clone()
	c.gpuTrend, c.serverTrend, c.closed = t.gpuTrend.Clone(), t.serverTrend.Clone(), slices.Clip(t.closed)
	return c
}

// gathered sums up readings.
type gathered struct {
	gpu      gpu.Totals
	server   server.Totals
	from, to time.Time // of the accelerators' readings; zero: none

	sum *snapshot.Telemetry // of all that; nil: to be made anew
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

// telemetry is the sum of what was read since the last call, and shared with who else asked.
func (g *gathered) telemetry() snapshot.Telemetry {
	if g.sum != nil {
		return *g.sum
	}
	t := snapshot.Telemetry{Source: g.gpu.Source, GPUs: g.gpu.Devices(), Span: g.to.Sub(g.from)}
	if g.gpu.Simulated {
		t.Source += " SIMULATED"
	}
	if s := g.server.Summary(); s.Readings > 0 {
		t.Server = &s
	}
	g.sum = &t
	return t
}

// begin is the beginning of the load; what was read before is of no stage.
func (t *telemetry) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun = true
}

// end is the end of the load, from which on readings are only shown.
func (t *telemetry) end(at record.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heardBefore(at)
	t.over = true
}

// steady begins the sums of the steady part of the present stage.
func (t *telemetry) steady(at record.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heardBefore(at)
	t.cut()
}

// pause keeps what follows out of the present stage.
func (t *telemetry) pause(at record.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heardBefore(at)
	t.paused = true
}

// next ends a stage and begins the sums of the one after it.
func (t *telemetry) next(at record.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heardBefore(at)
	t.closed = append(t.closed, t.current.telemetry())
	t.cut()
}

// cut begins sums. Counters go on from the run's last reading.
func (t *telemetry) cut() {
	next := gathered{server: t.run.server.Next()}
	if t.devices != nil && t.devices.Err == nil {
		next.addDevices(*t.devices) // a counter of energy counts from here
	}
	t.current, t.paused = next, false
}

// add takes in a reading for the run and, while it is measured, for the present stage.
func (t *telemetry) add(to func(*gathered)) {
	if !t.begun || t.over {
		return
	}
	to(&t.run)
	t.run.sum = nil
	if !t.paused {
		to(&t.current)
		t.current.sum = nil
	}
}

// follow polls what there is to poll until ctx ends, in goroutines that the group waits for.
func (t *telemetry) follow(ctx context.Context, cfg *Config, group *sync.WaitGroup) {
	every := cfg.GPUInterval
	if every == 0 {
		every = gpu.DefaultInterval
	}
	if cfg.GPU != nil {
		group.Go(func() { gpu.Poll(ctx, cfg.GPU, every, t.takeDevices) })
	}
	if cfg.Metrics != nil {
		group.Go(func() { scrape.Poll(ctx, cfg.Metrics, scrape.Interval, t.takeServer) })
	}
}

// heard is a reading, or an answer to the canary, and when it came.
type heard struct {
	At     record.Instant
	GPU    *gpu.Reading
	Server *server.Reading
	Canary *canaryAnswer
}

// hear keeps a reading for a recording. Before the load there is none, and the latest reading is what it begins with.
func (t *telemetry) hear(h heard) {
	if t.clock == nil {
		return
	}
	if !t.begun {
		t.heard = slices.DeleteFunc(t.heard, func(o heard) bool { return (o.GPU == nil) == (h.GPU == nil) })
	}
	h.At = t.clock()
	t.heard = append(t.heard, h)
}

// heardBefore has what was heard so far come before what is done at an instant: that is of a moment ago, and some may have
// been heard since. A recording goes by the instants.
func (t *telemetry) heardBefore(at record.Instant) {
	for i := range t.heard {
		t.heard[i].At = min(t.heard[i].At, at-1)
	}
}

// hand hands over what a recording is to have.
func (t *telemetry) hand() (list []heard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, t.heard = t.heard, nil
	return list
}

func (t *telemetry) takeDevices(r gpu.Reading) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.devices = &r
	t.hear(heard{GPU: &r})
	t.add(func(g *gathered) { g.addDevices(r) })
}

func (t *telemetry) takeServer(r server.Reading) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.server = &r
	t.hear(heard{Server: &r})
	if r.Known() {
		t.add(func(g *gathered) { g.server.Add(r.Metrics) })
		t.lately.Add(r.Metrics)
	}
}

func (t *telemetry) takeCanary(a canaryAnswer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	t.hear(heard{Canary: &a})
	t.canary.add(a)
}

// show puts into a snapshot, which has its stages, what was read of the run and of each of them, and what their output cost.
func (t *telemetry) show(s *snapshot.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.GPU, s.GPUElsewhere, s.GPUNote, s.Server = t.devices, t.elsewhere, t.note, t.server
	s.GPUHistory, s.ServerHistory = t.gpuTrend.Points(), t.serverTrend.Points()
	s.Telemetry = t.run.telemetry()
	s.Spent = spent(s.Tokens, gpu.Count(t.behind(s.Telemetry).GPUs), s.Elapsed.Hours(), t.prices)
	for i := range s.Stages {
		row := &s.Stages[i]
		if closed := row.Number - 1; closed < len(t.closed) {
			row.Telemetry = t.closed[closed]
		} else {
			row.Telemetry = t.current.telemetry()
		}
		row.Efficiency = efficiency(row.Summary, t.behind(row.Telemetry), t.prices)
	}
	s.Speculation, s.Canary = t.speculation(s), t.canary.show(s, t.method)
}

// showWindow is show for what is over the window of a snapshot alone.
func (t *telemetry) showWindow(s *snapshot.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.Speculation, s.Canary = t.speculation(s), t.canary.show(s, t.method)
}

// speculation is how speculative decoding went over the window of a snapshot, which has its stages.
func (t *telemetry) speculation(s *snapshot.Snapshot) server.Speculation {
	of := &s.Telemetry
	switch s.Knobs.Window {
	case stats.WholeRun:
	case stats.ThisStage:
		present := s.Present()
		if present == nil {
			return server.Speculation{}
		}
		of = &present.Telemetry
	default:
		return t.lately.Over(s.Knobs.Window.Duration())
	}
	if of.Server == nil {
		return server.Speculation{}
	}
	return of.Server.Window.Speculation
}

// behind is what of it follows from the load: nothing of accelerators that are not known to be behind the endpoint.
func (t *telemetry) behind(of snapshot.Telemetry) *snapshot.Telemetry {
	if t.elsewhere {
		of.GPUs = nil
	}
	return &of
}

// trend appends a point a second to the trends.
func (t *telemetry) trend(now record.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.devices != nil {
		ends := func(p *snapshot.GPUPoint) record.Instant { return p.At }
		if at, due := dueAt(now, t.gpuTrend.Points(), ends); due {
			t.gpuTrend.Append(gpuPoint(at, t.devices), ends, mergedGPU)
		}
	}
	if t.server != nil {
		ends := func(p *snapshot.ServerPoint) record.Instant { return p.At }
		if at, due := dueAt(now, t.serverTrend.Points(), ends); due {
			t.serverTrend.Append(serverPoint(at, t.server, t.wall()), ends, mergedServer)
		}
	}
}

// dueAt is the instant of a trend's next point, and whether it has come.
func dueAt[T any](now record.Instant, trend []T, at func(*T) record.Instant) (record.Instant, bool) {
	n := len(trend)
	if n == 0 {
		return now, true
	}
	next := at(&trend[n-1]).Add(time.Second)
	if now < next {
		return 0, false
	}
	if now >= next.Add(time.Second) { // the process stood still: the trend goes on from here
		next = now
	}
	return next, true
}

// mergedGPU is points that follow each other as one: the mean of each figure.
func mergedGPU(points []snapshot.GPUPoint) snapshot.GPUPoint {
	return snapshot.GPUPoint{
		At:              points[len(points)-1].At,
		SMActivePercent: stats.MeanOf(points, func(p *snapshot.GPUPoint) float64 { return p.SMActivePercent }),
		UtilPercent:     stats.MeanOf(points, func(p *snapshot.GPUPoint) float64 { return p.UtilPercent }),
		MemUsedFraction: stats.MeanOf(points, func(p *snapshot.GPUPoint) float64 { return p.MemUsedFraction }),
		PowerW:          stats.MeanOf(points, func(p *snapshot.GPUPoint) float64 { return p.PowerW }),
	}
}

// mergedServer likewise.
func mergedServer(points []snapshot.ServerPoint) snapshot.ServerPoint {
	return snapshot.ServerPoint{
		At:      points[len(points)-1].At,
		Running: stats.MeanOf(points, func(p *snapshot.ServerPoint) float64 { return p.Running }),
		Waiting: stats.MeanOf(points, func(p *snapshot.ServerPoint) float64 { return p.Waiting }),
		KVUsage: stats.MeanOf(points, func(p *snapshot.ServerPoint) float64 { return p.KVUsage }),
	}
}

// gpuPoint is a reading's devices as one.
func gpuPoint(at record.Instant, r *gpu.Reading) snapshot.GPUPoint {
	if r.Stale > 0 {
		unknown := math.NaN()
		return snapshot.GPUPoint{At: at, SMActivePercent: unknown, UtilPercent: unknown, MemUsedFraction: unknown, PowerW: unknown}
	}
	all := gpu.Together(r.Devices)
	return snapshot.GPUPoint{
		At: at, SMActivePercent: orNaN(all.SMActive), UtilPercent: orNaN(all.UtilPercent), MemUsedFraction: orNaN(all.MemUsedShare()),
		PowerW: orNaN(all.PowerW),
	}
}

func orNaN(v optional.Value) float64 {
	if !v.OK() {
		return math.NaN()
	}
	return v.V
}

func serverPoint(at record.Instant, r *server.Reading, wall time.Time) snapshot.ServerPoint {
	p := snapshot.ServerPoint{At: at, Running: math.NaN(), Waiting: math.NaN(), KVUsage: math.NaN()}
	if r.Stale(wall, scrape.Interval) {
		return p
	}
	m := &r.Metrics
	p.Running, p.Waiting, p.KVUsage = orNaN(m.Running), orNaN(m.Waiting), orNaN(m.KVUsage)
	return p
}
