// This file reads the process's processor time on Windows.

package health

import (
	"syscall"
	"time"
)

// processTime is the processor time that the process has used, in user and kernel mode.
func processTime() (time.Duration, bool) {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, false
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	return ticks(kernel) + ticks(user), true
}

// ticks reads a duration in units of 100 ns. Filetime.Nanoseconds would take it for a date.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
