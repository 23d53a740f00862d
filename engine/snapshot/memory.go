// This file is the most memory that accelerators have held.

package snapshot

import "tokdyno/gpu/optional"

// MemoryPeaks are the most that the devices of the latest reading held over the run so far, in MiB and in their order: by
// stages, and now. A device that has no UUID is found by its place among as many of the same name. nil: none was read.
func (s *Snapshot) MemoryPeaks() []optional.Value {
	if s.GPU == nil {
		return nil
	}
	devices := s.GPU.Devices
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
