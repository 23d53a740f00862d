// Platforms on which a thread cannot sleep until an instant.

//go:build !linux

package load

import "time"

func threadLateness(int, float64) []time.Duration { return nil }
