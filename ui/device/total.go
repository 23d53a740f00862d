// This file makes one device of several, and puts devices in the order in which they are shown.

package device

import (
	"fmt"

	"tokdyno/engine"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// SecondOf is the whole second of the run at which the first point ends.
func SecondOf(points []engine.GPUPoint) int {
	if len(points) == 0 {
		return 0
	}
	return int(points[0].At.Elapsed().Seconds())
}

// Count is how many accelerators are shown.
func Count(s *engine.Snapshot) int {
	if s.GPU == nil {
		return 0
	}
	return len(s.GPU.Devices)
}

// EveryDevice is the index of the row that stands for all devices.
const EveryDevice = -1

// Together is all devices as one: means of shares, sums of memory and power, the highest temperature; of those that
// say. What a MIG instance has of memory and power is its GPU's already.
func Together(devices []gpu.Device) gpu.Device {
	over := func(of func(*gpu.Device) optional.Value, whole bool, with func(sum, v float64) float64) (out optional.Value, n float64) {
		out = optional.NA(optional.ReasonNone)
		for i := range devices {
			d := &devices[i]
			if whole && d.Part() {
				continue
			}
			value := of(d)
			switch {
			case !value.OK():
				if n == 0 {
					out = value // the reason of the last that has none
				}
				continue
			case n == 0:
				out = value
			default:
				out.V = with(out.V, value.V)
			}
			n++
		}
		return out, n
	}
	add := func(a, b float64) float64 { return a + b }
	sum := func(of func(*gpu.Device) optional.Value) optional.Value {
		out, _ := over(of, true, add)
		return out
	}
	mean := func(of func(*gpu.Device) optional.Value) optional.Value {
		out, n := over(of, false, add)
		out.V /= max(n, 1)
		return out
	}
	hottest, _ := over(func(d *gpu.Device) optional.Value { return d.TempC }, false, func(a, b float64) float64 { return max(a, b) })
	all := gpu.Device{
		Index:        EveryDevice,
		Name:         togetherName(devices),
		SMActive:     mean(func(d *gpu.Device) optional.Value { return d.SMActive }),
		SMOccupancy:  mean(func(d *gpu.Device) optional.Value { return d.SMOccupancy }),
		TensorActive: mean(func(d *gpu.Device) optional.Value { return d.TensorActive }),
		DRAMActive:   mean(func(d *gpu.Device) optional.Value { return d.DRAMActive }),
		UtilPercent:  mean(func(d *gpu.Device) optional.Value { return d.UtilPercent }),
		MemUsedMiB:   sum(func(d *gpu.Device) optional.Value { return d.MemUsedMiB }),
		MemTotalMiB:  sum(func(d *gpu.Device) optional.Value { return d.MemTotalMiB }),
		PowerW:       sum(func(d *gpu.Device) optional.Value { return d.PowerW }),
		PowerLimitW:  sum(func(d *gpu.Device) optional.Value { return d.PowerLimitW }),
		SMClockMHz:   mean(func(d *gpu.Device) optional.Value { return d.SMClockMHz }),
		TempC:        hottest,
	}
	for i := range devices {
		all.ClockReasons |= devices[i].ClockReasons
	}
	return all
}

// togetherName counts whole GPUs, and those of them that were lost.
func togetherName(devices []gpu.Device) string {
	lost := 0
	for i := range devices {
		if devices[i].Lost && !devices[i].Part() {
			lost++
		}
	}
	n := WholeCount(devices)
	if n == 0 {
		n = len(devices)
	}
	if lost > 0 {
		return fmt.Sprintf("all, %d lost", lost)
	}
	return fmt.Sprintf("all %d", n)
}

// WholeCount is how many GPUs there are, however they are divided.
func WholeCount(devices []gpu.Device) int {
	n := 0
	for i := range devices {
		if !devices[i].Part() {
			n++
		}
	}
	return n
}

// deviceOrder is the order in which devices are shown: MIG instances beneath the GPU that they are part of.
func deviceOrder(devices []gpu.Device) []int {
	order := make([]int, 0, len(devices))
	placed := make([]bool, len(devices))
	place := func(i int) {
		order, placed[i] = append(order, i), true
	}
	for i := range devices {
		if devices[i].Part() {
			continue
		}
		place(i)
		for j := range devices {
			if d := &devices[j]; !placed[j] && d.Part() && d.Parent == devices[i].UUID && d.Host == devices[i].Host {
				place(j)
			}
		}
	}
	for i := range devices { // instances whose GPU does not show
		if !placed[i] {
			place(i)
		}
	}
	return order
}

// memoryPeaks are the most that devices held over the run so far, in their order: by stages, and now. A device that has
// no UUID is found by its place among as many of the same name.
func memoryPeaks(s *engine.Snapshot, devices []gpu.Device) []optional.Value {
	peaks := make([]optional.Value, len(devices))
	raise := func(i int, v optional.Value) {
		if v.OK() && (!peaks[i].OK() || v.V > peaks[i].V) {
			peaks[i] = v
		}
	}
	for i := range devices {
		peaks[i] = devices[i].MemUsedMiB
		if last := devices[i].Last; last != nil {
			peaks[i] = last.MemUsedMiB
		}
	}
	for r := range s.Stages {
		totals := s.Stages[r].Telemetry.GPUs
		for j := range totals {
			t := &totals[j]
			for i := range devices {
				d := &devices[i]
				same := d.UUID == t.UUID
				if t.UUID == "" {
					same = i == j && len(totals) == len(devices) && d.Name == t.Name
				}
				if same {
					raise(i, t.MemPeakMiB)
				}
			}
		}
	}
	return peaks
}
