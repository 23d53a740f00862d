package source

import (
	"testing"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

func TestADeviceSeenTwiceIsCompleted(t *testing.T) {
	nvml := gpu.Device{UUID: "u", MemUsedMiB: optional.Of(1), SMActive: optional.NA(gpu.ReasonNeedsHopper)}
	exporter := gpu.Device{UUID: "u", MemUsedMiB: optional.Of(2), SMActive: optional.Of(50), ClockReasons: gpu.ClockReasonsKnown, XID: optional.NA(gpu.ReasonBlank)}
	got := completed(nvml, exporter)
	if got.MemUsedMiB != optional.Of(1) || got.SMActive != optional.Of(50) || !got.ClockReasons.Known() || got.XID.OK() {
		t.Errorf("%+v", got)
	}
	if nvml.SMActive.OK() {
		t.Error("the original has changed")
	}
}
