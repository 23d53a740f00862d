//go:build unix

package engine

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used of processors, whatever else runs on the machine.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
