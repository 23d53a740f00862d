// This file reads SM activity and its kin from samples of the driver's performance counters.

package source

import (
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/nvml"
	"tokdyno/gpu/optional"
)

// gpmSpacing is how far apart two samples have to be: closer ones give figures that mean nothing.
const gpmSpacing = 100 * time.Millisecond

// gpmAsked are the metrics, in the order of gpmValues.
var gpmAsked = [...]nvml.Metric{
	nvml.MetricSMUtil, nvml.MetricSMOccupancy, nvml.MetricAnyTensorUtil, nvml.MetricDRAMBandwidth,
	nvml.MetricPCIeTX, nvml.MetricPCIeRX, nvml.MetricNVLinkTX, nvml.MetricNVLinkRX,
}

// gpmValues are the values that the counters give.
func gpmValues(d *gpu.Device) [len(gpmAsked)]*optional.Value {
	return [...]*optional.Value{
		&d.SMActive, &d.SMOccupancy, &d.TensorActive, &d.DRAMActive,
		&d.PCIeTXMiBs, &d.PCIeRXMiBs, &d.NVLinkTXMiBs, &d.NVLinkRXMiBs,
	}
}

// gpmMeter takes samples in turn into two buffers: figures are over the time from one reading to the next.
type gpmMeter struct {
	asked   bool   // whether the device can be monitored at all
	never   string // why it cannot
	buffers [2]nvml.Sample
	newest  int // of the buffers
	taken   time.Time
	figures [len(gpmAsked)]optional.Value // the latest
}

// read fills in the device's values. whole is the GPU, take takes a sample of the device.
func (m *gpmMeter) read(s *nvmlSource, d *gpu.Device, now time.Time, q *question, whole nvml.Device, take func(nvml.Sample) nvml.Return) {
	m.measure(s, now, q, whole, take)
	for i, v := range gpmValues(d) {
		*v = m.figures[i]
	}
}

func (m *gpmMeter) measure(s *nvmlSource, now time.Time, q *question, whole nvml.Device, take func(nvml.Sample) nvml.Return) {
	if !m.asked {
		m.asked, m.never = m.ask(s.lib, whole, q)
	}
	if m.never != "" {
		m.fail(m.never)
		return
	}
	if !m.taken.IsZero() && now.Sub(m.taken) <= gpmSpacing {
		return
	}
	next := 1 - m.newest
	if r := take(m.buffers[next]); r != nvml.Success {
		q.note(r)
		m.forget()
		m.fail(because(r))
		return
	}
	first := m.taken.IsZero()
	before := m.buffers[m.newest]
	m.newest, m.taken = next, now
	if first {
		m.fail(optional.ReasonFirstSample)
		return
	}
	if r := s.lib.Measure(&s.metrics, before, m.buffers[next], gpmAsked[:]...); r != nvml.Success {
		q.note(r)
		m.fail(because(r))
		return
	}
	for i := range m.figures {
		m.figures[i] = answered[float64](q, 1)(s.metrics.At(i))
	}
}

// ask finds out whether a GPU can be monitored, and if not why; not settled if the answer may change.
func (m *gpmMeter) ask(lib *nvml.Library, whole nvml.Device, q *question) (settled bool, never string) {
	if !lib.HasGPM() {
		return true, gpu.ReasonOldDriver
	}
	supported, r := lib.GPMSupported(whole)
	switch q.note(r); {
	case r == nvml.NotSupported || r == nvml.Success && !supported:
		return true, gpu.ReasonNeedsHopper
	case r != nvml.Success:
		return false, because(r)
	}
	for i := range m.buffers {
		if m.buffers[i] != 0 {
			continue
		}
		if m.buffers[i], r = lib.NewSample(); r != nvml.Success {
			m.buffers[i] = 0
			return false, because(r)
		}
	}
	return true, ""
}

// fail makes every figure unknown.
func (m *gpmMeter) fail(reason string) {
	for i := range m.figures {
		m.figures[i] = optional.NA(reason)
	}
}

// forget begins anew: the next sample is a first one.
func (m *gpmMeter) forget() { m.taken = time.Time{} }

// free gives the buffers back.
func (m *gpmMeter) free(lib *nvml.Library) {
	for i, b := range m.buffers {
		if b != 0 {
			lib.FreeSample(b)
			m.buffers[i] = 0
		}
	}
	m.asked = false
	m.forget()
}
