// This file puts a moment into the terms of the advice.

package engine

import (
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// advise hands the advisor a sample a second.
func (e *Engine) advise(now record.Instant) {
	if e.state != Running && e.state != Paused || now < e.advised.Add(time.Second) && e.advised != 0 {
		return
	}
	e.advised = now
	s := e.snapshot.Load()
	if e.state != Running || s == nil {
		e.advice = nil
		return
	}
	e.advice, e.advisedIn = e.advisor.Observe(e.moment(s)), len(e.points.rows)
}

// moment is what a snapshot shows, as rules want it.
func (e *Engine) moment(s *Snapshot) advice.Input {
	k := &s.Knobs
	in := advice.Input{
		Stage:   len(e.points.rows),
		Axis:    stage.Axis(k.Load.Axis()),
		Levels:  levels(s.Curve),
		Current: k.Load.Level(),
		Overlap: optional.Of(k.Shape.PrefixOverlap),
		Client:  s.Health.Verdict,
	}
	if k.Shape.Data != nil || k.Load.Mode == load.Replay {
		in.Overlap = optional.NA("prompts come from a file")
	} else if k.Shape.Converses() {
		in.Overlap = optional.Of(1) // a history is common to its turns
	}
	if r := s.GPU; r != nil && r.Err == nil && r.Stale == 0 && !s.GPUElsewhere {
		accelerators(&in, r.Devices)
	}
	if r := s.Server; r != nil && !r.Stale(time.Now(), server.Interval) {
		m := &r.Metrics
		in.Running, in.Waiting, in.KVUse, in.Preemptions = m.Running, m.Waiting, m.KVUsage, m.Preemptions
		in.HitRate = e.telemetry.current.server.Summary().Window.HitRate
	}
	return in
}

func levels(curve stage.Curve) []advice.Level {
	median := func(d *stats.Distribution) optional.Value {
		if d.N == 0 {
			return optional.NA(optional.ReasonNone)
		}
		return optional.Of(float64(d.P50) / 1e6)
	}
	var list []advice.Level
	for _, p := range curve {
		if p.Settled {
			list = append(list, advice.Level{
				Level: p.Level, N: p.N, Output: p.Summary.Throughput.Output,
				TTFT: median(&p.Summary.TTFT), TPOT: median(&p.Summary.TPOT),
			})
		}
	}
	return list
}

// accelerators averages what devices show; of power and clocks, the device nearest to its limit counts.
func accelerators(in *advice.Input, devices []gpu.Device) {
	all := gpu.Together(devices)
	in.GPUUtil, in.SMActive, in.DRAMActive, in.Reasons = all.UtilPercent, all.SMActive, all.DRAMActive, all.ClockReasons
	nearest := -1.0
	for i := range devices {
		d := &devices[i]
		if d.PowerW.OK() && d.PowerLimitW.OK() && d.PowerLimitW.V > 0 && d.PowerW.V/d.PowerLimitW.V > nearest {
			nearest = d.PowerW.V / d.PowerLimitW.V
			in.PowerW, in.PowerLimitW = d.PowerW, d.PowerLimitW
			in.SMClockMHz, in.SMClockMaxMHz = d.SMClockMHz, d.SMClockMaxMHz
		}
	}
}
