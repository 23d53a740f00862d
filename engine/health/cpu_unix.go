//go:build unix

// This file reads the process's processor time on Unix.

package health

import (
	"syscall"
	"time"
)

// processTime is the processor time that the process has used, in user and kernel mode.
func processTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
