// This file makes one device of several, and puts devices in the order in which they are shown.

package device

import (
	"fmt"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
)

// SecondOf is the whole second of the run at which the first point ends.
func SecondOf(points []snapshot.GPUPoint) int {
	if len(points) == 0 {
		return 0
	}
	return int(points[0].At.Elapsed().Seconds())
}

// Count is how many accelerators are shown.
func Count(s *snapshot.Snapshot) int {
	if s.GPU == nil {
		return 0
	}
	return len(s.GPU.Devices)
}

// EveryDevice is the index of the row that stands for all devices.
const EveryDevice = -1

// Together is all devices as one, for a row.
func Together(devices []gpu.Device) gpu.Device {
	all := gpu.Together(devices)
	all.Index, all.Name = EveryDevice, fmt.Sprintf("all %d", all.GPUs)
	if all.LostGPUs > 0 {
		all.Name = fmt.Sprintf("all, %d lost", all.LostGPUs)
	}
	return all.Device
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
