// This file is a reading, and the source that it comes from.

package gpu

import (
	"context"
	"time"
)

// Reading is what a source said at one moment. It is handed on and never changed.
type Reading struct {
	At        time.Time // when the devices were read
	Source    string    // the source's name, as shown: "nvml", "smi", "sim"
	Simulated bool
	Devices   []Device
	Stale     time.Duration // for how long the source has not answered, if that is too long; the devices are its last word
	Err       error         // why there are no devices, in a sentence
	Partial   error         // what is missing beside these devices, in a sentence
}

// Source reads accelerators.
type Source interface {
	// Name is what the source is called on a page, such as "nvml".
	Name() string

	// Simulated reports whether the accelerators are not real.
	Simulated() bool

	// Read returns the devices as they are now, in an order that stays. It is called from a goroutine of its own, by
	// one caller at a time, may block for long or for good in a driver, and honours ctx where it can. Devices with an
	// error are those that could be read although others could not. The caller may keep them, and the source does not
	// change them.
	Read(ctx context.Context) ([]Device, error)

	// Close releases what the source holds. It may be called while a Read hangs: then it leaves what that Read uses.
	Close() error
}
