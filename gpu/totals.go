// This file sums up what devices showed over a run.

package gpu

import "time"

// Total is one device over a run. A value that was never valid is NA.
type Total struct {
	UUID, Name    string
	MemPeakMiB    Value
	UtilMean      Value // percent, like the means that follow
	SMActiveMean  Value
	OccupancyMean Value
	TensorMean    Value
	DRAMMean      Value
	PowerMeanW    Value
	EnergyJ       Value // used since the first reading: by the device's own counter, else by its power
	Part          bool  // it is a MIG instance, whose GPU is listed too
	Estimated     bool  // EnergyJ is power integrated over time, to be shown as "~"
}

// Totals sums up readings. The zero Totals has seen none.
type Totals struct {
	Source    string
	Simulated bool
	order     []deviceKey // as the devices first appeared
	devices   map[deviceKey]*totalling
}

type totalling struct {
	uuid, name                              string
	part                                    bool
	memPeak                                 Value
	util, smActive, occupancy, tensor, dram mean
	power                                   mean
	counter, used                           Value // energy: the last reading of the counter, and what it has grown by
	drawn                                   Value // energy: power integrated
	lastPower                               Value
	lastAt                                  time.Time
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v Value) {
	if v.OK() {
		m.sum += v.V
		m.n++
	}
}

func (m mean) value() Value {
	if m.n == 0 {
		return NA(ReasonNone)
	}
	return Of(m.sum / float64(m.n))
}

// Add takes in a reading. A stale one has nothing new.
func (t *Totals) Add(r Reading) {
	t.Source, t.Simulated = r.Source, r.Simulated
	if r.Stale > 0 {
		return
	}
	if t.devices == nil {
		t.devices = make(map[deviceKey]*totalling)
	}
	for i := range r.Devices {
		d := &r.Devices[i]
		sum := t.devices[d.key()]
		if sum == nil {
			none := NA(ReasonNone)
			sum = &totalling{uuid: d.UUID, memPeak: none, counter: none, used: none, drawn: none}
			t.devices[d.key()] = sum
			t.order = append(t.order, d.key())
		}
		sum.add(d, r.At)
	}
}

func (t *totalling) add(d *Device, at time.Time) {
	t.name, t.part = d.Name, d.Part()
	if d.MemUsedMiB.OK() && (!t.memPeak.OK() || d.MemUsedMiB.V > t.memPeak.V) {
		t.memPeak = d.MemUsedMiB
	}
	t.util.add(d.UtilPercent)
	t.smActive.add(d.SMActive)
	t.occupancy.add(d.SMOccupancy)
	t.tensor.add(d.TensorActive)
	t.dram.add(d.DRAMActive)
	t.power.add(d.PowerW)
	t.integrate(d.PowerW, at)
	t.count(d.EnergyJ)
}

// count takes in the device's energy counter.
func (t *totalling) count(energy Value) {
	if !energy.OK() {
		return
	}
	switch {
	case !t.counter.OK():
		t.used = Of(0)
	case energy.V >= t.counter.V: // a counter that falls has started anew, somewhere between the two readings
		t.used.V += energy.V - t.counter.V
	}
	t.counter = energy
}

// longestGap is how far apart two readings of power may be for a line between them to say anything.
const longestGap = 10 * time.Second

// integrate takes in the device's power: energy is the area under the straight lines between its readings.
func (t *totalling) integrate(power Value, at time.Time) {
	gap := at.Sub(t.lastAt)
	if power.OK() && t.lastPower.OK() && gap > 0 && gap <= longestGap {
		if !t.drawn.OK() {
			t.drawn = Of(0)
		}
		t.drawn.V += (power.V + t.lastPower.V) / 2 * gap.Seconds()
	}
	t.lastPower, t.lastAt = power, at
}

// Devices returns the sums, in the order in which the devices first appeared.
func (t *Totals) Devices() []Total {
	totals := make([]Total, 0, len(t.order))
	for _, key := range t.order {
		sum := t.devices[key]
		total := Total{
			UUID: sum.uuid, Name: sum.name, Part: sum.part, MemPeakMiB: sum.memPeak, UtilMean: sum.util.value(),
			SMActiveMean: sum.smActive.value(), OccupancyMean: sum.occupancy.value(), TensorMean: sum.tensor.value(),
			DRAMMean: sum.dram.value(), PowerMeanW: sum.power.value(), EnergyJ: sum.used,
		}
		if !total.EnergyJ.OK() && sum.drawn.OK() {
			total.EnergyJ, total.Estimated = sum.drawn, true
		}
		totals = append(totals, total)
	}
	return totals
}
