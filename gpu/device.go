// This file is one accelerator as it is read.

package gpu

import (
	"strings"
	"time"

	"tokdyno/gpu/optional"
)

// Device is one accelerator, or one MIG instance of it, at one moment. It is a plain comparable value: what it points to
// is shared and never changed.
type Device struct {
	Index int    `json:"index"` // the source's own order, which need not be CUDA's; of an instance: the parent's
	UUID  string `json:"uuid"`  // "" : not told
	Name  string `json:"name"`
	Host  string `json:"host,omitempty"` // where it is, if the source says or there are several

	Parent   string `json:"parent,omitempty"`   // of a MIG instance: the UUID of the GPU that it is part of
	Instance string `json:"instance,omitempty"` // of a MIG instance: "GI/CI", its GPU and compute instance

	Unified   bool          `json:"unified,omitempty"`   // memory is the host's own; what is used is the sum over processes
	Lost      bool          `json:"lost,omitempty"`      // it fell off the bus: values are NA(ReasonLost), Last has the last ones
	Restarted bool          `json:"restarted,omitempty"` // a counter fell since the reading before: it counts anew
	Age       time.Duration `json:"-"`                   // how old the values are, if the source tells and it is over 3 s
	Note      string        `json:"note,omitempty"`      // what a person should know or do about the values, such as "30 s old: …"

	MemUsedMiB     optional.Value `json:"mem_used_mib"`
	MemTotalMiB    optional.Value `json:"mem_total_mib"`
	MemReservedMiB optional.Value `json:"mem_reserved_mib"` // by driver and firmware

	UtilPercent  optional.Value `json:"util_percent"`          // share of the sample period in which any kernel ran; not SM activity
	MemCopyUtil  optional.Value `json:"mem_copy_util_percent"` // share of it in which memory was read or written: bandwidth activity
	SMActive     optional.Value `json:"sm_active_percent"`     // SM activity
	SMOccupancy  optional.Value `json:"sm_occupancy_percent"`  // warps resident, of the most possible; higher is not better
	TensorActive optional.Value `json:"tensor_active_percent"` // time in which any tensor pipe worked
	DRAMActive   optional.Value `json:"dram_active_percent"`   // memory bandwidth, of the most possible

	PowerW      optional.Value `json:"power_w"`
	PowerLimitW optional.Value `json:"power_limit_w"` // the one enforced
	EnergyJ     optional.Value `json:"energy_j"`      // counter since some earlier moment
	TempC       optional.Value `json:"temp_c"`

	SMClockMHz    optional.Value `json:"sm_clock_mhz"`
	SMClockMaxMHz optional.Value `json:"sm_clock_max_mhz"`
	MemClockMHz   optional.Value `json:"mem_clock_mhz"`
	ClockReasons  ClockReasons   `json:"clock_reasons"`

	// Traffic, MiB per second, as the device sees it: TX leaves it, RX comes in.
	PCIeTXMiBs   optional.Value `json:"pcie_tx_mib_per_s"`
	PCIeRXMiBs   optional.Value `json:"pcie_rx_mib_per_s"`
	NVLinkTXMiBs optional.Value `json:"nvlink_tx_mib_per_s"`
	NVLinkRXMiBs optional.Value `json:"nvlink_rx_mib_per_s"`

	XID optional.Value `json:"xid"` // the last error that the driver logged; 0: none

	Processes *Processes `json:"processes,omitempty"` // nil: not known
	Last      *Device    `json:"last,omitempty"`      // of a lost device: what it last showed; nil: nothing
}

// Processes is what ran on a device at one moment.
type Processes struct {
	At   time.Time `json:"at"`
	List []Process `json:"list"`
}

// Process is one process on a device.
type Process struct {
	PID        int            `json:"pid"`
	Name       string         `json:"name,omitempty"` // the program's file name; "" : not told
	MemUsedMiB optional.Value `json:"mem_used_mib"`
}

// Part reports whether the device is a MIG instance, whose memory is also counted by its parent.
func (d Device) Part() bool { return d.Parent != "" }

func (d Device) identity() (uuid, parent string) { return d.UUID, d.Parent }

// Values are all the values of a device, so that something can be done with each.
func (d *Device) Values() [21]*optional.Value {
	return [...]*optional.Value{
		&d.MemUsedMiB, &d.MemTotalMiB, &d.MemReservedMiB,
		&d.UtilPercent, &d.MemCopyUtil, &d.SMActive, &d.SMOccupancy, &d.TensorActive, &d.DRAMActive,
		&d.PowerW, &d.PowerLimitW, &d.EnergyJ, &d.TempC,
		&d.SMClockMHz, &d.SMClockMaxMHz, &d.MemClockMHz,
		&d.PCIeTXMiBs, &d.PCIeRXMiBs, &d.NVLinkTXMiBs, &d.NVLinkRXMiBs,
		&d.XID,
	}
}

// Key tells devices of one reading apart, and finds the same one in another reading. NVIDIA's UUIDs are unique in the world,
// so that a GPU of which two sources tell is one, whatever they call its host; others, such as serial numbers, only there.
func (d *Device) Key() Key {
	switch {
	case strings.HasPrefix(d.UUID, "GPU-") || strings.HasPrefix(d.UUID, "MIG-"):
		return Key{uuid: d.UUID}
	case d.UUID != "":
		return Key{uuid: d.UUID, host: d.Host}
	}
	return Key{host: d.Host, index: d.Index, instance: d.Instance}
}

// Key is what tells a device from others. It is only to be compared.
type Key struct {
	uuid, host, instance string
	index                int
}
