// This file reads devices off an exporter's page.

package source

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"tokdyno/gpu"
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
func (t exporterTable) devices(page promtext.Page, at time.Time) (devices []gpu.Device, exporter string) {
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
	for _, s := range t.collect(e, best, page) {
		devices = append(devices, s.finish(e, at))
	}
	if len(devices) == 0 { // its names are there, but on nothing that is a device
		return nil, ""
	}
	return devices, e.name
}

// collect sorts the samples of one exporter by device, and takes their values from them.
func (t exporterTable) collect(e *exporter, number int, page promtext.Page) []*seen {
	var order []*seen
	byID := make(map[identity]*seen)
	for _, s := range page.Samples {
		entry, ok := t.byName[s.Name]
		if !ok || entry.exporter != number || !entry.metric.applies(s) || e.group != "" && s.Labels[e.group] != "" {
			continue
		}
		id := e.identify(s.Labels)
		device := byID[id]
		if device == nil {
			device = &seen{id: id, samples: make(map[string][]promtext.Sample)}
			byID[id] = device
			order = append(order, device)
		}
		if device.Name == "" {
			device.Name = first(s.Labels, e.model)
		}
		device.samples[s.Name] = append(device.samples[s.Name], s)
		device.newestMS = max(device.newestMS, s.TimestampMS)
	}
	order = united(order)
	for _, d := range order {
		for _, m := range e.metrics {
			d.take(m, e.tile)
		}
		d.settle(e)
	}
	distinct(order)
	shared(order)
	return order
}

func (m exported) applies(s promtext.Sample) bool {
	for _, want := range m.where {
		if v := s.Labels[want.Name]; v != "" && v != want.Value {
			return false
		}
	}
	return true
}

// take sets a value, unless a metric before this one has. What a device says of itself counts, else what its tiles say
// together. Two samples that contradict each other are never mixed up: the first counts, and the device's note says so.
func (s *seen) take(m exported, tile []string) {
	into := m.value(s)
	for _, name := range m.names {
		if into.OK() {
			return
		}
		var whole, tiles []optional.Value
		var from promtext.Sample // whole[0] is of
		for _, sample := range s.samples[name] {
			v := reported(sample.Value, m.unit)
			switch {
			case first(sample.Labels, tile) != "":
				tiles = append(tiles, v)
			case len(whole) > 0 && v.OK() && whole[0].OK() && v != whole[0]:
				remark(&s.Device, contradiction(from, sample))
			case len(whole) == 0 || v.OK() && !whole[0].OK():
				whole, from = []optional.Value{v}, sample
			}
		}
		switch {
		case len(whole) > 0:
			*into = whole[0]
		case len(tiles) > 0:
			*into = s.ofTiles(into, tiles)
		}
	}
}

// ofTiles is what the tiles of a device say together: sums of memory, power and energy, the highest temperature, means of
// all else.
func (s *seen) ofTiles(into *optional.Value, tiles []optional.Value) optional.Value {
	sums := []*optional.Value{&s.MemUsedMiB, &s.MemTotalMiB, &s.MemReservedMiB, &s.freeMiB, &s.PowerW, &s.EnergyJ}
	sum, most, n := 0.0, math.Inf(-1), 0
	for _, v := range tiles {
		if v.OK() {
			sum, most, n = sum+v.V, max(most, v.V), n+1
		}
	}
	switch {
	case n == 0:
		return tiles[0]
	case into == &s.TempC:
		return optional.Of(most)
	case slices.Contains(sums, into):
		return optional.Of(sum)
	}
	return optional.Of(sum / float64(n))
}

// contradiction says that a page has two values of one metric for one device.
func contradiction(a, b promtext.Sample) string {
	for _, name := range slices.Sorted(maps.Keys(b.Labels)) {
		if a.Labels[name] != b.Labels[name] {
			return fmt.Sprintf("%s differs by %s: the first counts", b.Name, name)
		}
	}
	return b.Name + " is there twice: the first counts"
}

// reported makes a value of what stands on a page: NaN and DCGM's blanks are none.
func reported(v, unit float64) optional.Value {
	const (
		blankInt   = 9.2e18          // DCGM_INT64_BLANK and its kin: 0x7ffffffffffffff0 and the next few
		blankFloat = 140737488355328 // DCGM_FP64_BLANK, 2^47, and the next few
		blanks     = 4
	)
	if math.Abs(v) >= blankInt && !math.IsInf(v, 0) || v >= blankFloat && v < blankFloat+blanks {
		return optional.NA(gpu.ReasonBlank)
	}
	return optional.Of(v * unit)
}

// finish computes what the page does not say outright.
func (s *seen) finish(e *exporter, at time.Time) gpu.Device {
	if s.Name == "" {
		s.Name = "GPU " + strconv.Itoa(s.Index)
	}
	if !s.MemTotalMiB.OK() && s.MemUsedMiB.OK() && s.freeMiB.OK() {
		s.MemTotalMiB = optional.Of(s.MemUsedMiB.V + s.freeMiB.V + s.MemReservedMiB.V) // an unknown value's V is 0
	}
	if s.reasons.OK() && s.reasons.V >= 0 && s.reasons.V < 1<<53 {
		s.ClockReasons = gpu.ClockReasons(s.reasons.V) | gpu.ClockReasonsKnown
	}
	for _, v := range []*optional.Value{&s.UtilPercent, &s.MemCopyUtil, &s.SMActive, &s.SMOccupancy, &s.TensorActive, &s.DRAMActive} {
		if v.OK() && (v.V < 0 || v.V > 101) {
			*v = optional.NA(gpu.ReasonOutOfRange)
		}
	}
	for _, m := range e.metrics {
		if v := m.value(s); !v.OK() && v.NA == "" && m.missing != "" {
			*v = optional.NA(m.missing)
		}
	}
	explain(&s.Device, gpu.ReasonNotExported)
	if s.newestMS > 0 {
		s.Age = max(at.Sub(time.UnixMilli(s.newestMS)), 0)
	}
	return s.Device
}
