// Tests of the simulated accelerator, in fake time.

package sim

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

func TestLoadGrowsWithTheBatch(t *testing.T) {
	for _, p := range Profiles() {
		at := func(batch, prefill int) gpuLoad {
			plan := stepPlan{batch: batch, kv: 576 * batch, prefill: prefill}
			plan.cost = p.stepCost(plan)
			return loadOf(p, plan)
		}
		one, full := at(1, 0), at(p.MaxNumSeqs, 0)
		if one.sm > 0.5 || one.util < 0.9 {
			t.Errorf("%s: one sequence should look busy (util %.2f) and use few multiprocessors (%.2f)", p.Name, one.util, one.sm)
		}
		if full.sm < 1.5*one.sm {
			t.Errorf("%s: SM activity %.2f with one sequence and %.2f with a full batch", p.Name, one.sm, full.sm)
		}
		if prefill := at(1, 2000); prefill.sm < 0.7 || prefill.dram > one.dram {
			t.Errorf("%s: prefill should be matrix work: %+v", p.Name, prefill)
		}
		if p.power(full) <= p.power(one) || p.power(full) > p.PowerMaxW {
			t.Errorf("%s: %.0f W with one sequence, %.0f W with a full batch", p.Name, p.power(one), p.power(full))
		}
		if idle := loadOf(p, stepPlan{}); idle != (gpuLoad{}) || p.power(idle) != p.PowerIdleW {
			t.Errorf("%s: idle is %+v at %.0f W", p.Name, idle, p.power(idle))
		}
		for _, l := range []gpuLoad{one, full, at(p.MaxNumSeqs, p.MaxBatchedTokens)} {
			if l.util > 1 || l.sm > 1 || l.dram > 1 {
				t.Errorf("%s: a share above one: %+v", p.Name, l)
			}
		}
	}
}

func TestMeterIntegrates(t *testing.T) {
	p := Profile{PowerIdleW: 100, PowerMaxW: 200}
	start := time.Unix(0, 0)
	m := newGPUMeter(p, time.Second, start)
	m.advance(start.Add(2 * time.Second))
	m.load = gpuLoad{util: 1, sm: 1, dram: 1} // above full: power is bounded
	m.advance(start.Add(5 * time.Second))
	m.advance(start.Add(4 * time.Second)) // time does not run back
	if m.sums.joules != 2*100+3*200 || m.sums.util != 3 || m.sums.seconds != 5 {
		t.Errorf("%+v, want 800 J, 3 s busy of 5", m.sums)
	}
	if want := idleC + riseC*(1-math.Exp(-3)); math.Abs(m.tempC-want) > 1e-9 {
		t.Errorf("%.3f °C, want %.3f", m.tempC, want)
	}
}

func TestSensorsAverageOverTheirOwnReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := startEngine(steady(), time.Second)
		defer e.stop()
		s := &Server{engine: e, profile: steady()}
		time.Sleep(time.Hour)
		sensors := s.Sensors()
		if a := sensors.Read(); a.Over != 0 || a.PowerW != 0 || a.MemUsedMiB <= 0 {
			t.Errorf("a reading over no time knows rates: %+v", a)
		}
		time.Sleep(time.Second)
		idle := sensors.Read()
		if idle.Over != time.Second || idle.UtilPercent != 0 || idle.PowerW != steady().PowerIdleW || idle.TempC != idleC {
			t.Errorf("idle: %+v", idle)
		}

		e.submit(order(4, 50), nil) // half a second of work
		time.Sleep(time.Second)
		busy := sensors.Read()
		if got := busy.UtilPercent; math.Abs(got-97.0/2) > 0.01 {
			t.Errorf("util %.2f %% of a second that was half busy", got)
		}
		if busy.EnergyJ <= idle.EnergyJ || busy.PowerW <= idle.PowerW || busy.MemUsedMiB != idle.MemUsedMiB {
			t.Errorf("busy: %+v", busy)
		}
		if again := sensors.Read(); again != busy {
			t.Errorf("read again at once: %+v", again)
		}
	})
}
