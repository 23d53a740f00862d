// This file asks for advice on a run.

package engine

import (
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// counsel is the advice on a run.
type counsel struct {
	advisor advice.Advisor
	latest  []advice.Advice
	asked   record.Instant // when the advisor was asked last; 0: not yet
	stage   int            // the stage it was asked about
}

// ask hands the advisor a snapshot a second.
func (c *counsel) ask(s *snapshot.Snapshot) {
	if s.State != snapshot.Running && s.State != snapshot.Paused || s.At < c.asked.Add(time.Second) && c.asked != 0 {
		return
	}
	c.asked, c.stage = s.At, s.Stage.Stage
	c.latest = nil
	if s.State == snapshot.Running {
		c.latest = c.advisor.Observe(adviceInput(s))
	}
}

// show puts into a snapshot what was said of its stage.
func (c *counsel) show(s *snapshot.Snapshot) {
	if s.State == snapshot.Running && c.stage == s.Stage.Stage {
		s.Advice = c.latest
	}
}

// adviceInput is what a snapshot shows, as rules want it.
func adviceInput(s *snapshot.Snapshot) advice.Input {
	k := &s.Knobs
	in := advice.Input{
		Stage:   s.Stage.Stage,
		Axis:    stage.Axis(k.Load.Axis()),
		Levels:  levels(s.Curve),
		Current: k.Load.Level(),
		Overlap: optional.Of(k.Shape.PrefixOverlap),
		Client:  s.Health.Verdict,
	}
	if p := &s.Prompts; p.N > 0 {
		in.Common = optional.Of(min(p.Common()/p.Achieved, 1))
	}
	if k.Shape.Data != nil || k.Load.Mode == load.Replay {
		in.Overlap = optional.NA("prompts come from a file")
	} else if k.Shape.Converses() {
		in.Overlap = optional.Of(1) // a history is common to its turns
	}
	if r := s.GPU; r != nil && r.Err == nil && r.Stale == 0 && !s.GPUElsewhere {
		accelerators(&in, r.Devices)
	}
	if r := s.Server; r != nil && !r.Stale(time.Now(), scrape.Interval) {
		m := &r.Metrics
		in.Running, in.Waiting, in.KVUse, in.Preemptions = m.Running, m.Waiting, m.KVUsage, m.Preemptions
		if now := s.Present().Telemetry.Server; now != nil {
			in.HitRate = now.Window.HitRate
			drafting(&in, s.Stages)
		}
	}
	return in
}

// drafting compares how speculative decoding goes in the present stage with the latest before it that tells enough.
func drafting(in *advice.Input, stages []snapshot.StageRow) {
	of := func(r *snapshot.StageRow) advice.Drafting {
		if r.Telemetry.Server == nil {
			return advice.Drafting{}
		}
		spec := &r.Telemetry.Server.Window.Speculation
		return advice.Drafting{Stage: r.Number, Tokens: spec.Drafted, Rate: spec.Rate}
	}
	last := len(stages) - 1
	in.Drafting = of(&stages[last])
	for i := last - 1; i >= 0; i-- {
		if before := of(&stages[i]); before.Enough() {
			in.DraftingBefore, in.Turned = before, changeLabel(stages[i].Knobs, stages[last].Knobs)
			return
		}
	}
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
