// This file changes devices: values that are unknown, devices that are lost or silent, what two sources know of one.

package source

import (
	"fmt"
	"strings"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// explain gives every value that is unknown without a reason this one.
func explain(d *gpu.Device, reason string) {
	for _, v := range d.Values() {
		if !v.OK() && v.NA == "" {
			*v = optional.NA(reason)
		}
	}
}

// withdrawn is the device without any value, for a reason.
func withdrawn(d gpu.Device, reason string) gpu.Device {
	for _, v := range d.Values() {
		*v = optional.NA(reason)
	}
	d.ClockReasons, d.Processes, d.Age, d.Restarted = 0, nil, 0, false
	return d
}

// lost is the device after it fell off the bus. last is what it showed before, if anything.
func lost(d gpu.Device, last *gpu.Device) gpu.Device {
	d = withdrawn(d, optional.ReasonLost)
	d.Lost, d.Last = true, last
	return d
}

// silent is the device when its source has told nothing of it for so long.
func silent(d gpu.Device, age time.Duration) gpu.Device {
	d = withdrawn(d, gpu.ReasonSilent)
	d.Age, d.Note = age, fmt.Sprintf("nothing heard for %.0f s", age.Seconds())
	return d
}

// completed takes from other what is unknown here. Both are the same device, seen by two sources.
func completed(d, other gpu.Device) gpu.Device {
	theirs := other.Values()
	for i, v := range d.Values() {
		if !v.OK() && theirs[i].OK() {
			*v = *theirs[i]
		}
	}
	if !d.ClockReasons.Known() {
		d.ClockReasons = other.ClockReasons
	}
	if d.Processes == nil {
		d.Processes = other.Processes
	}
	return d
}

// remark adds to what a person should know, once.
func remark(d *gpu.Device, text string) {
	switch {
	case d.Note == "":
		d.Note = text
	case !strings.Contains(d.Note, text):
		d.Note += "; " + text
	}
}

// properUUID returns "" for what drivers and exporters write where they know no UUID: zeros, "N/A" and the like.
func properUUID(uuid string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(strings.ToLower(uuid), "gpu-"), "0x-")
	switch strings.Trim(rest, "[] ") {
	case "", "n/a", "na", "none", "null", "unknown", "not supported":
		return ""
	}
	return nvidiaUUID(uuid)
}

// nvidiaUUID adds the "GPU-" that some sources leave away, so that one GPU has one name.
func nvidiaUUID(uuid string) string {
	const hex = "0123456789abcdefABCDEF-"
	if len(uuid) == 36 && strings.Count(uuid, "-") == 4 && strings.Trim(uuid, hex) == "" {
		return "GPU-" + uuid
	}
	return uuid
}
