//go:build !linux

// This file is the choice of an alarm on platforms without a timerfd.

package load

import "tokdyno/engine/record"

// newAlarm returns the most exact alarm that the system grants.
func newAlarm(clock record.Clock) alarm { return newTimerAlarm(clock) }
