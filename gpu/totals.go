// This file sums up what devices showed over a run.

package gpu

import (
	"maps"
	"slices"
	"time"

	"tokdyno/gpu/optional"
)

// Total is one device over a run. A value that was never valid is NA.
type Total struct {
	UUID, Name    string
	MemPeakMiB    optional.Value
	UtilMean      optional.Value // percent, like the means that follow
	SMActiveMean  optional.Value
	OccupancyMean optional.Value
	TensorMean    optional.Value
	DRAMMean      optional.Value
	PowerMeanW    optional.Value
	EnergyJ       optional.Value // used while Covered passed: by the device's own counter, else by its power
	// Covered is the time that EnergyJ is of, so that EnergyJ ÷ Covered is the mean power. It is less than the time between
	// the first and the last reading where some of that is not known: the device was lost, its counter started anew, or
	// its power was not read for long. 0: EnergyJ is unknown, or of a moment, and says nothing of power.
	Covered time.Duration
	// Parent is the UUID of the GPU that a MIG instance is part of; "" where the device is no instance. That GPU need not be
	// among the devices: a source may tell of its instances alone, and GPUs are then to be counted by their Parents.
	Parent    string
	Estimated bool // EnergyJ is power integrated over time, to be shown as "~"
}

// Part reports whether the device is a MIG instance.
func (t Total) Part() bool { return t.Parent != "" }

func (t Total) identity() (uuid, parent string) { return t.UUID, t.Parent }

// Totals sums up readings. The zero Totals has seen none.
type Totals struct {
	Source    string
	Simulated bool
	order     []Key // as the devices first appeared
	devices   map[Key]*totalling
}

type totalling struct {
	uuid, name, parent                      string
	memPeak                                 optional.Value
	util, smActive, occupancy, tensor, dram mean
	power                                   mean
	counter                                 optional.Value // of energy, as it was read last
	counterAt                               time.Time
	used                                    energyUse // what the counter has grown by
	lastPower                               optional.Value
	lastAt                                  time.Time
	drawn                                   energyUse // power integrated
}

// energyUse is what is known of a device's use of energy, and the time in which it was used.
type energyUse struct {
	joules optional.Value
	over   time.Duration
}

func (e *energyUse) add(joules float64, over time.Duration) {
	e.joules = optional.Of(e.joules.V + joules) // the V of an unknown value is 0
	e.over += max(over, 0)
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v optional.Value) {
	if v.OK() {
		m.sum += v.V
		m.n++
	}
}

func (m mean) value() optional.Value {
	if m.n == 0 {
		return optional.NA(optional.ReasonNone)
	}
	return optional.Of(m.sum / float64(m.n))
}

// Clone is the same totals, which can go on by itself.
func (t *Totals) Clone() Totals {
	c := *t
	c.order, c.devices = slices.Clone(t.order), maps.Clone(t.devices)
	for key, sum := range c.devices {
		of := *sum
		c.devices[key] = &of
	}
	return c
}

// Add takes in a reading. A stale one has nothing new.
func (t *Totals) Add(r Reading) {
	t.Source, t.Simulated = r.Source, r.Simulated
	if r.Stale > 0 {
		return
	}
	if t.devices == nil {
		t.devices = make(map[Key]*totalling)
	}
	for i := range r.Devices {
		d := &r.Devices[i]
		sum := t.devices[d.Key()]
		if sum == nil {
			none := optional.NA(optional.ReasonNone)
			sum = &totalling{uuid: d.UUID, memPeak: none, used: energyUse{joules: none}, drawn: energyUse{joules: none}}
			t.devices[d.Key()] = sum
			t.order = append(t.order, d.Key())
		}
		sum.add(d, r.At)
	}
}

func (t *totalling) add(d *Device, at time.Time) {
	t.name, t.parent = d.Name, d.Parent
	if d.MemUsedMiB.OK() && (!t.memPeak.OK() || d.MemUsedMiB.V > t.memPeak.V) {
		t.memPeak = d.MemUsedMiB
	}
	t.util.add(d.UtilPercent)
	t.smActive.add(d.SMActive)
	t.occupancy.add(d.SMOccupancy)
	t.tensor.add(d.TensorActive)
	t.dram.add(d.DRAMActive)
	t.power.add(d.PowerW)
	if d.PowerW.NA == ReasonPartition && (d.EnergyJ.NA == ReasonPartition || d.EnergyJ.NA == ReasonNotExported) && t.used.joules.NA != "" {
		t.used.joules = optional.NA(ReasonPartition)
	}
	t.integrate(d.PowerW, at)
	t.count(d.EnergyJ, at)
}

// count takes in the device's energy counter. It counts while nobody reads it, so that gaps are covered.
func (t *totalling) count(counter optional.Value, at time.Time) {
	if !counter.OK() {
		return
	}
	switch {
	case !t.counter.OK():
		t.used.add(0, 0)
	case counter.V >= t.counter.V: // a counter that falls has started anew, somewhere between the two readings
		t.used.add(counter.V-t.counter.V, at.Sub(t.counterAt))
	}
	t.counter, t.counterAt = counter, at
}

// longestGap is how far apart two readings of power may be for a line between them to say anything.
const longestGap = 10 * time.Second

// integrate takes in the device's power: energy is the area under the straight lines between its readings.
func (t *totalling) integrate(power optional.Value, at time.Time) {
	gap := at.Sub(t.lastAt)
	if power.OK() && t.lastPower.OK() && gap > 0 && gap <= longestGap {
		t.drawn.add((power.V+t.lastPower.V)/2*gap.Seconds(), gap)
	}
	t.lastPower, t.lastAt = power, at
}

// Devices returns the sums, in the order in which the devices first appeared.
func (t *Totals) Devices() []Total {
	totals := make([]Total, 0, len(t.order))
	for _, key := range t.order {
		sum := t.devices[key]
		total := Total{
			UUID: sum.uuid, Name: sum.name, Parent: sum.parent, MemPeakMiB: sum.memPeak,
			UtilMean: sum.util.value(), SMActiveMean: sum.smActive.value(), OccupancyMean: sum.occupancy.value(),
			TensorMean: sum.tensor.value(), DRAMMean: sum.dram.value(), PowerMeanW: sum.power.value(),
			EnergyJ: sum.used.joules, Covered: sum.used.over,
		}
		if sum.drawn.over > 0 && sum.used.over == 0 && sum.used.joules.V == 0 { // no counter, or one that was read once
			total.EnergyJ, total.Covered, total.Estimated = sum.drawn.joules, sum.drawn.over, true
		}
		totals = append(totals, total)
	}
	return totals
}
