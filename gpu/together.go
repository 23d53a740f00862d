// This file puts what several devices say together: how many they are, sums, means and power.

package gpu

import (
	"time"

	"tokdyno/gpu/optional"
)

// The rule for GPUs that are divided (MIG), which everything in this file keeps:
//
//   - An instance's activity is its own, and a divided GPU tells none. Shares are averaged over all devices that tell
//     them, instances like whole GPUs.
//   - An instance's memory is a part of its GPU's, and its power is its GPU's, which all instances share. Both are added
//     up over whole GPUs only; of instances that are listed without their GPU they are unknown.
//   - What is counted is GPUs: instances that are listed without their GPU make one.

// put is what can be put together: a device of a reading, or of a run.
type put interface {
	Device | Total
	Part() bool
	identity() (uuid, parent string)
}

// Count returns the number of GPUs, however they are divided.
func Count[D put](devices []D) int {
	gpus := make(map[string]bool)
	n := 0
	for _, d := range devices {
		switch uuid, parent := d.identity(); {
		case parent != "":
			gpus[parent] = true
		case uuid != "":
			gpus[uuid] = true
		default:
			n++ // a source that tells no identity lists every GPU once
		}
	}
	return n + len(gpus)
}

// Mean averages a share over the devices that tell it. If none does, it is unknown for the last one's reason.
func Mean[D put](devices []D, of func(*D) optional.Value) optional.Value {
	sum, n, _ := fold(devices, true, of, plus)
	sum.V /= float64(max(n, 1))
	return sum
}

// Sum adds up memory or power over the GPUs that tell it. If none does, it is unknown for the last one's reason.
func Sum[D put](devices []D, of func(*D) optional.Value) optional.Value {
	sum, _, _ := fold(devices, false, of, plus)
	return sum
}

// Complete is like Sum, but unknown, for a reason, as soon as one GPU does not tell. A partition whose GPU tells with
// another partition is not missing.
func Complete[D put](devices []D, of func(*D) optional.Value) optional.Value {
	sum, _, missing := fold(devices, false, of, plus)
	if missing != nil {
		return *missing
	}
	return sum
}

func plus(a, b float64) float64 { return a + b }

// fold combines the values of the n devices that have one; instances are left out unless parts is set. missing is the
// last value that is unknown, nil: there is none.
func fold[D put](devices []D, parts bool, of func(*D) optional.Value, with func(a, b float64) float64) (
	out optional.Value, n int, missing *optional.Value,
) {
	out = optional.NA(optional.ReasonNone)
	for i := range devices {
		if !parts && devices[i].Part() {
			continue
		}
		switch v := of(&devices[i]); {
		case v.NA == ReasonPartition:
			continue
		case !v.OK():
			missing = &v
			continue
		case n == 0:
			out = v
		default:
			out = optional.Of(with(out.V, v.V))
		}
		n++
	}
	if n == 0 && missing != nil {
		out = *missing
	}
	return out, n, missing
}

// leastCovered is the share of the time between the first and the last reading that a device's energy has to be of.
const leastCovered = 0.9

// MeanPower is the mean power of all GPUs over a span of time between two readings, in watts: Σ E/t, with E the joules that
// a GPU took between its first and its last reading, by its counter where it has one and else its power summed over time,
// and t the seconds in between that E is of. It is unknown where one of them has none, or has it of less than
// leastCovered of the span. estimated: one of them has no counter.
func MeanPower(devices []Total, span time.Duration) (watts optional.Value, estimated bool) {
	watts = Complete(devices, func(d *Total) optional.Value {
		if d.EnergyJ.NA == ReasonPartition {
			return d.EnergyJ
		}
		if !d.EnergyJ.OK() || d.Covered <= 0 || float64(d.Covered) < leastCovered*float64(span) {
			return optional.NA(optional.ReasonNone)
		}
		estimated = estimated || d.Estimated
		return optional.Of(d.EnergyJ.V / d.Covered.Seconds())
	})
	return watts, estimated && watts.OK()
}

// All is the devices of a reading as one.
type All struct {
	Device
	GPUs, LostGPUs int
}

// Together makes all devices of a reading one: means of shares and clocks, sums of memory and power, the highest
// temperature, all that holds clocks back. The memory is that of the GPUs that tell both its use and its size, so that
// one is a share of the other; where none tells both, of those that tell either.
func Together(devices []Device) All {
	all := All{GPUs: Count(devices), Device: Device{
		SMActive:     Mean(devices, func(d *Device) optional.Value { return d.SMActive }),
		SMOccupancy:  Mean(devices, func(d *Device) optional.Value { return d.SMOccupancy }),
		TensorActive: Mean(devices, func(d *Device) optional.Value { return d.TensorActive }),
		DRAMActive:   Mean(devices, func(d *Device) optional.Value { return d.DRAMActive }),
		UtilPercent:  Mean(devices, func(d *Device) optional.Value { return d.UtilPercent }),
		SMClockMHz:   Mean(devices, func(d *Device) optional.Value { return d.SMClockMHz }),
		PowerW:       Sum(devices, func(d *Device) optional.Value { return d.PowerW }),
		PowerLimitW:  Sum(devices, func(d *Device) optional.Value { return d.PowerLimitW }),
	}}
	all.TempC, _, _ = fold(devices, true, func(d *Device) optional.Value { return d.TempC }, func(a, b float64) float64 { return max(a, b) })
	sized := func(of func(*Device) optional.Value) optional.Value {
		both := Sum(devices, func(d *Device) optional.Value {
			if !d.MemUsedMiB.OK() || !d.MemTotalMiB.OK() {
				return optional.NA(optional.ReasonNone)
			}
			return of(d)
		})
		if both.OK() {
			return both
		}
		return Sum(devices, of)
	}
	all.MemUsedMiB = sized(func(d *Device) optional.Value { return d.MemUsedMiB })
	all.MemTotalMiB = sized(func(d *Device) optional.Value { return d.MemTotalMiB })
	for i := range devices {
		d := &devices[i]
		if d.Lost && !d.Part() {
			all.LostGPUs++
		}
		all.ClockReasons |= d.ClockReasons
	}
	return all
}

// MemUsedShare is how much of the memory is in use, 0–1.
func (d *Device) MemUsedShare() optional.Value {
	switch {
	case !d.MemUsedMiB.OK():
		return d.MemUsedMiB
	case !d.MemTotalMiB.OK():
		return d.MemTotalMiB
	case d.MemTotalMiB.V <= 0:
		return optional.NA(ReasonOutOfRange)
	}
	return optional.Of(d.MemUsedMiB.V / d.MemTotalMiB.V)
}
