package gpu

import (
	"testing"

	"tokdyno/gpu/optional"
)

// expect compares the values of a device that are named.
func expect(t *testing.T, d Device, want map[string]optional.Value) {
	t.Helper()
	got := named(&d)
	for name, v := range want {
		if g, ok := got[name]; !ok || *g != v {
			t.Errorf("%s: %s is %+v, want %+v", d.UUID, name, *g, v)
		}
	}
}

// named are all values of a device.
func named(d *Device) map[string]*optional.Value {
	return map[string]*optional.Value{
		"mem_used": &d.MemUsedMiB, "mem_total": &d.MemTotalMiB, "mem_reserved": &d.MemReservedMiB, "util": &d.UtilPercent,
		"mem_copy": &d.MemCopyUtil, "sm": &d.SMActive, "occupancy": &d.SMOccupancy, "tensor": &d.TensorActive,
		"dram": &d.DRAMActive, "power": &d.PowerW, "limit": &d.PowerLimitW, "energy": &d.EnergyJ, "temp": &d.TempC,
		"clock": &d.SMClockMHz, "clock_max": &d.SMClockMaxMHz, "mem_clock": &d.MemClockMHz, "pcie_tx": &d.PCIeTXMiBs,
		"pcie_rx": &d.PCIeRXMiBs, "nvlink_tx": &d.NVLinkTXMiBs, "nvlink_rx": &d.NVLinkRXMiBs, "xid": &d.XID,
	}
}

func TestEveryValueHasItsPlace(t *testing.T) {
	var d Device
	places := map[*optional.Value]bool{}
	for _, v := range d.values() {
		places[v] = true
	}
	for name, v := range named(&d) {
		if !places[v] {
			t.Errorf("%s is forgotten when something is done with each value", name)
		}
		delete(places, v)
	}
	if len(places) > 0 {
		t.Errorf("%d values are not tested", len(places))
	}
}
