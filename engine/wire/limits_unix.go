// The limits that Unix systems set.

//go:build unix

package wire

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func raiseFileLimit() (uint64, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("the limit of open files is not known: %w", err)
	}
	soft := limit.Cur
	if soft >= limit.Max {
		return uint64(soft), nil
	}
	limit.Cur = limit.Max
	switch err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); {
	case errors.Is(err, unix.EINVAL):
		return uint64(soft), nil // macOS: unlimited by name only
	case err != nil:
		return uint64(soft), fmt.Errorf("the limit of open files stays at %d: %w", soft, err)
	}
	return uint64(limit.Cur), nil
}

// fileLimit returns the soft limit of open files, 0 if it is not known, and how many are open.
func fileLimit() (soft uint64, open int) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, 0
	}
	if info, err := os.Stat("/proc/self/fd"); err == nil && info.Size() > 0 {
		open = int(info.Size()) // Linux from 6.2 on
	} else if names, err := os.ReadDir("/dev/fd"); err == nil {
		open = len(names)
	}
	return uint64(limit.Cur), open
}

// localPorts returns how many ports connections to one address can have; 0 if that is not known.
func localPorts() int {
	text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range") // holds for IPv6 too
	if err != nil {
		return 0
	}
	return portsOf(string(text))
}

// portsOf counts the ports of a range as Linux writes it.
func portsOf(text string) int {
	var first, last int
	if _, err := fmt.Sscan(strings.TrimSpace(text), &first, &last); err != nil || last < first {
		return 0
	}
	return last - first + 1
}
