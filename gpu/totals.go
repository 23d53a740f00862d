// This file sums up what devices showed over a run.

package gpu

// Total is one device over a run. A value that was never valid is NA.
type Total struct {
	UUID, Name   string
	MemPeakMiB   Value
	UtilMean     Value
	SMActiveMean Value
	PowerMeanW   Value
	EnergyJ      Value // used since the first reading, by the device's own counter
}

// Totals sums up readings. The zero Totals has seen none.
type Totals struct {
	Source    string
	Simulated bool
	order     []string // UUIDs, as they first appeared
	devices   map[string]*totalling
}

type totalling struct {
	name                  string
	memPeak               Value
	util, smActive, power mean
	counter, used         Value // energy: the last reading of the counter, and what it has grown by
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
		return NA("n/a")
	}
	return Of(m.sum / float64(m.n))
}

// Add takes in a reading.
func (t *Totals) Add(r Reading) {
	t.Source, t.Simulated = r.Source, r.Simulated
	if t.devices == nil {
		t.devices = make(map[string]*totalling)
	}
	for _, d := range r.Devices {
		sum := t.devices[d.UUID]
		if sum == nil {
			sum = &totalling{memPeak: NA("n/a"), counter: NA("n/a"), used: NA("n/a")}
			t.devices[d.UUID] = sum
			t.order = append(t.order, d.UUID)
		}
		sum.add(d)
	}
}

func (t *totalling) add(d Device) {
	t.name = d.Name
	if d.MemUsedMiB.OK() && (!t.memPeak.OK() || d.MemUsedMiB.V > t.memPeak.V) {
		t.memPeak = d.MemUsedMiB
	}
	t.util.add(d.UtilPercent)
	t.smActive.add(d.SMActive)
	t.power.add(d.PowerW)
	if !d.EnergyJ.OK() {
		return
	}
	switch {
	case !t.counter.OK():
		t.used = Of(0)
	case d.EnergyJ.V >= t.counter.V: // a counter that falls has started anew, somewhere between the two readings
		t.used.V += d.EnergyJ.V - t.counter.V
	}
	t.counter = d.EnergyJ
}

// Devices returns the sums, in the order in which the devices first appeared.
func (t *Totals) Devices() []Total {
	totals := make([]Total, 0, len(t.order))
	for _, uuid := range t.order {
		sum := t.devices[uuid]
		totals = append(totals, Total{
			UUID: uuid, Name: sum.name, MemPeakMiB: sum.memPeak,
			UtilMean: sum.util.value(), SMActiveMean: sum.smActive.value(), PowerMeanW: sum.power.value(), EnergyJ: sum.used,
		})
	}
	return totals
}
