// This file reads the simulator's accelerator like a real one.

package engine

import (
	"context"

	"tokdyno/engine/sim"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// SimulatedGPU returns a source of the accelerator of a simulated server. Its first reading covers the time since this call.
func SimulatedGPU(server *sim.Server) gpu.Source { return simulatedGPU{server.AllSensors()} }

type simulatedGPU struct{ sensors []*sim.Sensors }

// Name implements gpu.Source.
func (simulatedGPU) Name() string { return "sim" }

// Simulated implements gpu.Source: always true.
func (simulatedGPU) Simulated() bool { return true }

// Close implements gpu.Source; there is nothing to release.
func (simulatedGPU) Close() error { return nil }

// Read implements gpu.Source.
func (s simulatedGPU) Read(ctx context.Context) ([]gpu.Device, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var devices []gpu.Device
	for i, sensors := range s.sensors {
		d := simulatedDevice(sensors.Read())
		d.Index = i
		devices = append(devices, d)
	}
	return devices, nil
}

func simulatedDevice(a sim.Accelerator) gpu.Device {
	mean := func(v float64) optional.Value {
		if a.Over == 0 {
			return optional.NA(optional.ReasonFirstSample)
		}
		return optional.Of(v)
	}
	return gpu.Device{
		UUID: a.UUID, Name: a.Name,
		MemUsedMiB: optional.Of(a.MemUsedMiB), MemTotalMiB: optional.Of(a.MemTotalMiB), TempC: optional.Of(a.TempC),
		EnergyJ: optional.Of(a.EnergyJ), PowerLimitW: optional.Of(a.PowerLimitW), PowerW: mean(a.PowerW),
		UtilPercent: mean(a.UtilPercent), SMActive: mean(a.SMActive), DRAMActive: mean(a.DRAMActive),
	}
}
