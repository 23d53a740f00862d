// This file is what is known of a server at one moment.

package server

import "time"

// staleAfter is how many intervals a reading stays good for.
const staleAfter = 3

// Reading is what is known at one moment: the latest metrics, and what the last attempt to read them came to.
type Reading struct {
	At      time.Time // when the attempt ended
	Metrics Metrics   // of the last attempt that succeeded; where none has, their At is zero and nothing in them is known
	Err     error     // why the last attempt failed, in a sentence; nil: it did not
}

// Known reports whether the reading has metrics.
func (r Reading) Known() bool { return !r.Metrics.At.IsZero() }

// Stale reports whether the metrics are too old to be shown as present, at an interval of polling: the server has not
// answered since, or takes too long. Metrics that were never read are stale.
func (r Reading) Stale(now time.Time, every time.Duration) bool {
	return !r.Known() || now.Sub(r.Metrics.At) > staleAfter*every
}

// Unread is what is known before anything was read: nothing.
func Unread() Metrics { return unknown(reasonNoReading) }
