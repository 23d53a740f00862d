package engine

import (
	"context"
	"testing"
	"time"

	"tokdyno/engine/sim"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

func TestTheSimulatorsAcceleratorIsReadLikeARealOne(t *testing.T) {
	t.Parallel()
	source := SimulatedGPU(startSim(t))
	defer source.Close()
	devices, err := source.Read(t.Context())
	if err != nil || len(devices) != 1 || !devices[0].MemUsedMiB.OK() || source.Name() != "sim" || !source.Simulated() {
		t.Errorf("%+v, %v", devices, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Read(cancelled); err == nil {
		t.Error("it reads for nobody")
	}

	a := sim.Accelerator{
		UUID: "u", Name: "n", MemUsedMiB: 1, MemTotalMiB: 2, TempC: 3, EnergyJ: 4, PowerLimitW: 5,
		UtilPercent: 6, SMActive: 7, DRAMActive: 8, PowerW: 9,
	}
	first := optional.NA(optional.ReasonFirstSample)
	want := gpu.Device{
		UUID: "u", Name: "n", MemUsedMiB: optional.Of(1), MemTotalMiB: optional.Of(2), TempC: optional.Of(3), EnergyJ: optional.Of(4),
		PowerLimitW: optional.Of(5), UtilPercent: first, SMActive: first, DRAMActive: first, PowerW: first,
	}
	if got := simulatedDevice(a); got != want {
		t.Errorf("of a first reading %+v, want %+v", got, want)
	}
	a.Over = time.Second
	want.UtilPercent, want.SMActive, want.DRAMActive, want.PowerW = optional.Of(6), optional.Of(7), optional.Of(8), optional.Of(9)
	if got := simulatedDevice(a); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
