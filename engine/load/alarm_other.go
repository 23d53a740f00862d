// This file chooses the alarm of platforms without a timerfd.

//go:build !linux

package load

import "tokdyno/engine/record"

// newAlarm returns the most exact alarm that the system grants.
func newAlarm(clock record.Clock) alarm { return newTimerAlarm(clock) }
