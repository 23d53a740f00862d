// Package gpu knows accelerators: what can be read from them, and from where.
//
// It knows no terminal and no load. A Source reads devices; whoever holds the source polls it and keeps the latest
// reading. What is not known is a Value with a reason, never a zero.
package gpu

import (
	"context"
	"time"
)

// Value is a reading, or the reason why there is none. The zero Value is a valid 0; use NA for an unknown one.
type Value struct {
	V  float64
	NA string // "" : V is valid; else the reason, such as "n/a" or "permission"
}

// Of returns the valid value v.
func Of(v float64) Value { return Value{V: v} }

// NA returns an unknown value with its reason.
func NA(reason string) Value { return Value{NA: reason} }

// OK reports whether the value is valid.
func (v Value) OK() bool { return v.NA == "" }

// Device is one accelerator at one moment.
type Device struct {
	Index       int
	UUID        string
	Name        string
	MemUsedMiB  Value
	MemTotalMiB Value
	UtilPercent Value // share of the sample period in which any kernel ran; not SM activity
	SMActive    Value // SM activity, percent
	DRAMActive  Value // memory bandwidth activity, percent
	PowerW      Value
	PowerLimitW Value
	TempC       Value
	EnergyJ     Value // counter since some earlier moment
}

// Reading is what a source said at one moment.
type Reading struct {
	At        time.Time
	Source    string // the source's name, as shown: "nvml", "smi", "sim"
	Simulated bool
	Devices   []Device
	Err       error // why there are no devices, in a sentence
}

// Source reads accelerators. Read may block for long in a driver, so it is called from a goroutine of its own, by one
// caller at a time; it honours ctx where it can. Close releases what the source holds, after the last Read returned.
type Source interface {
	Name() string
	Simulated() bool
	Read(ctx context.Context) ([]Device, error)
	Close() error
}
