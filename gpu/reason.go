// This file holds the words for what cannot be read, which stand in the place of a value.

package gpu

// Reasons why a Value is unknown.
const (
	ReasonPermission   = "permission"    // the driver keeps it from this user
	ReasonNotSupported = "not supported" // by this device
	ReasonNeedsHopper  = "needs Hopper+" // SM activity and its kin, from the driver itself
	ReasonOldDriver    = "old driver"    // its library lacks the function
	ReasonMIG          = "MIG"           // the device is divided: its instances have the value, or only the whole has
	ReasonPartition    = "partition"     // of the whole GPU, and told with another of its partitions
	ReasonUnified      = "unified"       // memory is the host's own
	ReasonSuspect      = "suspect 0"     // a zero that cannot be true, as integrated devices give it
	ReasonReset        = "needs a reset"
	ReasonDriverError  = "driver error"
	ReasonBlank        = "blank"        // the source's own mark for no value
	ReasonNotExported  = "not exported" // the exporter's page has no such metric
	ReasonOffByDefault = "off in dcgm"  // dcgm-exporter exports it only when told to
	ReasonNotInSource  = "not in nvml"  // the driver's library does not tell
	ReasonNotInSMI     = "not in smi"   // nvidia-smi does not tell
	ReasonSilent       = "silent"       // the source has stopped telling of this device
	ReasonOutOfRange   = "out of range" // a share above one: not in the unit that it ought to be in
	ReasonUnreadable   = "unreadable"   // something stands there that is no number
	ReasonBlocked      = "blocked"      // the system, such as a container's device rules, keeps the device away
)

// Sentences on devices and on where they are, for a person.
const (
	TextElsewhere = "this machine, not the server"
	TextUnified   = "unified"
	TextRestarted = "restarted"
)
