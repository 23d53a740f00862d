// This file reads devices off an exporter's page.

package gpu

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// exporterTable finds a metric by its name.
type exporterTable struct {
	exporters []exporter
	byName    map[string]exporterEntry
}

type exporterEntry struct {
	exporter int // its index in the table
	metric   exported
}

func newExporterTable() exporterTable {
	t := exporterTable{exporters: exporters(), byName: make(map[string]exporterEntry)}
	for i, e := range t.exporters {
		for _, m := range e.metrics {
			for _, name := range m.names {
				t.byName[name] = exporterEntry{i, m}
			}
		}
	}
	return t
}

// devices are what the page shows, in its order, as the exporter shows it of which most is there; exporter is its name, ""
// if there is none. Ages are as of at.
func (t exporterTable) devices(page promtext.Page, at time.Time) (devices []Device, exporter string) {
	found := make([]int, len(t.exporters))
	for _, s := range page.Samples {
		if entry, ok := t.byName[s.Name]; ok {
			found[entry.exporter]++
		}
	}
	best := 0
	for i, n := range found {
		if n > found[best] {
			best = i
		}
	}
	if found[best] == 0 {
		return nil, ""
	}
	e := &t.exporters[best]
	for i, s := range t.collect(e, best, page) {
		if len(e.index) == 0 {
			s.Index = i
		}
		devices = append(devices, s.finish(e, at))
	}
	if len(devices) == 0 { // its names are there, but on nothing that is a device
		return nil, ""
	}
	return devices, e.name
}

// collect sorts the samples of one exporter by device.
func (t exporterTable) collect(e *exporter, number int, page promtext.Page) []*seen {
	var order []*seen
	byKey := make(map[deviceKey]*seen)
	for _, s := range page.Samples {
		entry, ok := t.byName[s.Name]
		if !ok || entry.exporter != number || !entry.metric.applies(s) {
			continue
		}
		identity := e.identify(s.Labels)
		key := identity.key()
		device := byKey[key]
		if device == nil {
			device = &seen{Device: identity}
			byKey[key] = device
			order = append(order, device)
		}
		v := reported(s.Value, entry.metric.unit)
		if old := entry.metric.value(device); v.OK() || !old.OK() {
			*old = v
		}
		device.newestMS = max(device.newestMS, s.TimestampMS)
	}
	return order
}

func (m exported) applies(s promtext.Sample) bool {
	label, value := m.where[0], m.where[1]
	return label == "" || s.Labels[label] == "" || s.Labels[label] == value
}

// identify tells which device the labels are of.
func (e *exporter) identify(labels map[string]string) Device {
	first := func(names []string) string {
		for _, n := range names {
			if v := labels[n]; v != "" {
				return v
			}
		}
		return ""
	}
	d := Device{UUID: nvidiaUUID(first(e.uuid)), Name: first(e.model), Host: first(e.host)}
	if i, err := strconv.ParseUint(first(e.index), 10, 16); err == nil {
		d.Index = int(i)
	}
	if instance := labels["GPU_I_ID"]; instance != "" { // dcgm-exporter, of a MIG instance
		d.Parent, d.Instance = d.UUID, instance
		d.UUID += "/" + instance
		if profile := labels["GPU_I_PROFILE"]; profile != "" {
			d.Name = strings.TrimSpace(d.Name + " MIG " + profile)
		}
	}
	return d
}

// reported makes a value of what stands on a page: NaN and DCGM's blanks are none.
func reported(v, unit float64) optional.Value {
	const (
		blankInt   = 9.2e18          // DCGM_INT64_BLANK and its kin: 0x7ffffffffffffff0 and the next few
		blankFloat = 140737488355328 // DCGM_FP64_BLANK, 2^47, and the next few
		blanks     = 4
	)
	if math.Abs(v) >= blankInt && !math.IsInf(v, 0) || v >= blankFloat && v < blankFloat+blanks {
		return optional.NA(ReasonBlank)
	}
	return optional.Of(v * unit)
}

// finish computes what the page does not say outright.
func (s *seen) finish(e *exporter, at time.Time) Device {
	if s.number.OK() && s.number.V >= 0 && s.number.V < 1<<16 {
		s.Index = int(s.number.V)
	}
	if s.Name == "" {
		s.Name = "GPU " + strconv.Itoa(s.Index)
	}
	if !s.MemTotalMiB.OK() && s.MemUsedMiB.OK() && s.freeMiB.OK() {
		s.MemTotalMiB = optional.Of(s.MemUsedMiB.V + s.freeMiB.V + s.MemReservedMiB.V) // an unknown value's V is 0
	}
	if s.reasons.OK() && s.reasons.V >= 0 && s.reasons.V < 1<<53 {
		s.ClockReasons = ClockReasons(s.reasons.V) | ClockReasonsKnown
	}
	for _, v := range []*optional.Value{&s.UtilPercent, &s.MemCopyUtil, &s.SMActive, &s.SMOccupancy, &s.TensorActive, &s.DRAMActive} {
		if v.OK() && (v.V < 0 || v.V > 101) {
			*v = optional.NA(ReasonOutOfRange)
		}
	}
	for _, m := range e.metrics {
		if v := m.value(s); !v.OK() && v.NA == "" && m.missing != "" {
			*v = optional.NA(m.missing)
		}
	}
	s.because(ReasonNotExported)
	if s.newestMS > 0 {
		s.Age = max(at.Sub(time.UnixMilli(s.newestMS)), 0)
	}
	return s.Device
}
