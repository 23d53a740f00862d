// CPU time where it is not known.

//go:build !unix

package wire

import "time"

func cpuTime() time.Duration { return 0 }
