// This file holds the sentences on a source as a whole.

package source

import "errors"

// Why a source cannot be used, for a person.
const (
	textNoLibrary  = "no NVIDIA driver here"
	textNoDriver   = "driver not loaded"
	textMismatch   = "driver was updated: reboot or reload"
	textNotInBuild = "no local NVML in this build; use --gpu URL or --gpu ssh:HOST"
	textNoDevices  = "the driver is here, but no GPU"
	textSilent     = "the driver does not answer"
	textDCGMSlow   = "set DCGM_EXPORTER_INTERVAL=1000"
)

var errClosed = errors.New("the source is closed")
