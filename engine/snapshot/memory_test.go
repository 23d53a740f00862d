package snapshot

import (
	"testing"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

func TestMemoryPeaksAreThoseOfTheRun(t *testing.T) {
	stage := func(totals ...gpu.Total) StageRow { return StageRow{Telemetry: Telemetry{GPUs: totals}} }
	total := func(uuid, name string, peak float64) gpu.Total {
		return gpu.Total{UUID: uuid, Name: name, MemPeakMiB: optional.Of(peak)}
	}
	device := func(uuid, name string, used optional.Value) gpu.Device {
		return gpu.Device{UUID: uuid, Name: name, MemUsedMiB: used}
	}
	last := device("", "", optional.Of(9))
	lost := device("c", "", optional.NA(optional.ReasonLost))
	lost.Last = &last
	s := &Snapshot{
		GPU: &gpu.Reading{Devices: []gpu.Device{
			device("a", "", optional.Of(3)), device("b", "", optional.Of(4)), lost, device("d", "", optional.NA("no memory of its own")),
		}},
		Stages: []StageRow{stage(total("b", "", 14), total("a", "", 2)), stage(total("b", "", 7))},
	}
	got := s.MemoryPeaks()
	if len(got) != 4 || got[0] != optional.Of(3) || got[1] != optional.Of(14) || got[2] != optional.Of(9) || got[3].OK() {
		t.Errorf("by UUID: %v", got)
	}
	s.GPU.Devices = []gpu.Device{device("", "x", optional.Of(1)), device("", "x", optional.Of(2))}
	s.Stages = []StageRow{stage(total("", "x", 5), total("", "x", 7)), stage(total("", "x", 99))}
	if got := s.MemoryPeaks(); got[0].V != 5 || got[1].V != 7 {
		t.Errorf("without UUIDs %v, want 5 and 7: two were read then", got)
	}
	if got := new(Snapshot).MemoryPeaks(); got != nil {
		t.Errorf("nobody read %v", got)
	}
}
