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
	switch r {
	case Success:
		return "success"
	case Uninitialized:
		return "uninitialised"
	case InvalidArgument:
		return "invalid argument"
	case NotSupported:
		return "not supported"
	case NoPermission:
		return "no permission"
	case NotFound:
		return "not found"
	case InsufficientSize:
		return "insufficient size"
	case DriverNotLoaded:
		return "driver not loaded"
	case LibraryNotFound:
		return "library not found"
	case FunctionNotFound:
		return "function not found"
	case GPUIsLost:
		return "GPU is lost"
	case ResetRequired:
		return "reset required"
	case OperatingSystem:
		return "blocked by the operating system"
	case VersionMismatch:
		return "library and driver differ"
	case ArgumentVersion:
		return "unknown struct version"
	case UnknownError:
		return "unknown error"
	default:
		return fmt.Sprintf("error %d", int32(r))
	}
}
