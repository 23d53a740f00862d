// This file names what holds a device's clocks back.

package gpu

import (
	"strings"

	"tokdyno/gpu/optional"
)

// ClockReasons is the set of reasons why a device's clocks are not higher: the bits as NVML and nvidia-smi give them, and
// ClockReasonsKnown. The zero set is unknown; a known set without reasons is ClockReasonsKnown alone.
type ClockReasons uint64

// The reasons, at NVML's bits (nvml.h: nvmlClocksEventReason…).
const (
	ClockIdle        ClockReasons = 0x1   // nothing runs
	ClockApplication ClockReasons = 0x2   // clocks were set by hand
	ClockPowerCap    ClockReasons = 0x4   // the power limit
	ClockHWSlowdown  ClockReasons = 0x8   // hardware slowdown: heat, power brake or power draw
	ClockSyncBoost   ClockReasons = 0x10  // held to the slowest of a group
	ClockSWThermal   ClockReasons = 0x20  // the driver, because of heat
	ClockHWThermal   ClockReasons = 0x40  // the hardware, because of heat
	ClockPowerBrake  ClockReasons = 0x80  // the hardware, by an outside signal such as a power supply's
	ClockDisplay     ClockReasons = 0x100 // the display's setting

	// ClockReasonsKnown says that the driver answered.
	ClockReasonsKnown ClockReasons = 1 << 63
)

// clockNames are the reasons' names, in the order in which they are written.
var clockNames = [...]struct {
	bit  ClockReasons
	name string
}{
	{ClockPowerCap, "power cap"},
	{ClockHWSlowdown, "HW slowdown"},
	{ClockHWThermal, "HW thermal"},
	{ClockPowerBrake, "power brake"},
	{ClockSWThermal, "SW thermal"},
	{ClockSyncBoost, "sync boost"},
	{ClockApplication, "application clocks"},
	{ClockDisplay, "display clocks"},
	{ClockIdle, "idle"},
}

// Known reports whether the driver answered.
func (c ClockReasons) Known() bool { return c&ClockReasonsKnown != 0 }

// Has reports whether all of those reasons hold.
func (c ClockReasons) Has(reasons ClockReasons) bool { return c.Known() && c&reasons == reasons }

// Names returns the reasons by name, those that cost most first: empty if there are none, nil if they are unknown. What
// has no name here is called "other".
func (c ClockReasons) Names() []string {
	if !c.Known() {
		return nil
	}
	names := []string{}
	rest := c &^ ClockReasonsKnown
	for _, n := range clockNames {
		if rest&n.bit != 0 {
			names = append(names, n.name)
			rest &^= n.bit
		}
	}
	if rest != 0 {
		names = append(names, "other")
	}
	return names
}

// String returns the names, separated by ", "; "none", or "n/a" if they are unknown.
func (c ClockReasons) String() string {
	switch names := c.Names(); {
	case names == nil:
		return optional.ReasonNone
	case len(names) == 0:
		return "none"
	default:
		return strings.Join(names, ", ")
	}
}
