// This file is what a snapshot says of an endpoint at which nothing succeeds.

package snapshot

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// Outage is a stretch in which requests do nothing but fail. The zero Outage is none.
type Outage struct {
	Since record.Instant // when the first of the failures ended; 0: there is no outage now
	Over  record.Instant // when the last outage ended; 0: there was none
	Rest  time.Duration  // how long a slot waits at most before it asks again, or an open loop until it sends what arrives
}

// Down is how long an outage has lasted; false where there is none.
func (s *Snapshot) Down() (time.Duration, bool) { return s.At.Since(s.Outage.Since) }

// recentFailure is how long a failure is worth a line when other requests succeed.
const recentFailure = 10 * time.Second

// Current reports whether failures of a kind are to be told of: they belong to the outage, or happened in the last ten
// seconds and no outage has ended since. When the run is over, all are.
func (s *Snapshot) Current(p *stats.Problem) bool {
	if s.State == Ended {
		return true
	}
	if s.Outage.Since != 0 {
		return p.Last >= s.Outage.Since
	}
	age, _ := s.At.Since(p.Last)
	return p.Last > s.Outage.Over && age < recentFailure
}
