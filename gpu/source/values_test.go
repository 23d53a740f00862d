package source

import (
	"testing"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// expect compares the values of a device that are named.
func expect(t *testing.T, d gpu.Device, want map[string]optional.Value) {
	t.Helper()
	got := named(&d)
	for name, v := range want {
		if g, ok := got[name]; !ok || *g != v {
			t.Errorf("%s: %s is %+v, want %+v", d.UUID, name, *g, v)
		}
	}
}

// named are all values of a device.
func named(d *gpu.Device) map[string]*optional.Value {
	return map[string]*optional.Value{
		"mem_used": &d.MemUsedMiB, "mem_total": &d.MemTotalMiB, "mem_reserved": &d.MemReservedMiB, "util": &d.UtilPercent,
		"mem_copy": &d.MemCopyUtil, "sm": &d.SMActive, "occupancy": &d.SMOccupancy, "tensor": &d.TensorActive,
		"dram": &d.DRAMActive, "power": &d.PowerW, "limit": &d.PowerLimitW, "energy": &d.EnergyJ, "temp": &d.TempC,
		"clock": &d.SMClockMHz, "clock_max": &d.SMClockMaxMHz, "mem_clock": &d.MemClockMHz, "pcie_tx": &d.PCIeTXMiBs,
		"pcie_rx": &d.PCIeRXMiBs, "nvlink_tx": &d.NVLinkTXMiBs, "nvlink_rx": &d.NVLinkRXMiBs, "xid": &d.XID,
	}
}
