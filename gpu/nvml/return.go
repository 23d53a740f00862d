// This file names what the library's functions return.

package nvml

import "fmt"

// Return is nvmlReturn_t.
type Return int32

// The return codes that callers tell apart (nvml.h: nvmlReturn_enum).
const (
	Success          Return = 0
	Uninitialized    Return = 1
	InvalidArgument  Return = 2
	NotSupported     Return = 3
	NoPermission     Return = 4
	NotFound         Return = 6
	InsufficientSize Return = 7
	DriverNotLoaded  Return = 9
	LibraryNotFound  Return = 12
	FunctionNotFound Return = 13
	GPUIsLost        Return = 15
	ResetRequired    Return = 16
	OperatingSystem  Return = 17 // the system keeps the device away, such as a container's device rules
	VersionMismatch  Return = 18 // of the library and the loaded kernel module
	ArgumentVersion  Return = 25 // the library does not know this version of a struct
	UnknownError     Return = 999
)

// String returns the code's name in lower-case words, or "error N".
func (r Return) String() string {
	name, ok := map[Return]string{
		Success:          "success",
		Uninitialized:    "uninitialised",
		InvalidArgument:  "invalid argument",
		NotSupported:     "not supported",
		NoPermission:     "no permission",
		NotFound:         "not found",
		InsufficientSize: "insufficient size",
		DriverNotLoaded:  "driver not loaded",
		LibraryNotFound:  "library not found",
		FunctionNotFound: "function not found",
		GPUIsLost:        "GPU is lost",
		ResetRequired:    "reset required",
		OperatingSystem:  "blocked by the operating system",
		VersionMismatch:  "library and driver differ",
		ArgumentVersion:  "unknown struct version",
		UnknownError:     "unknown error",
	}[r]
	if !ok {
		return fmt.Sprintf("error %d", int32(r))
	}
	return name
}
