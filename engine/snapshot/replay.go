// This file is what a snapshot says of the recording that it comes from.

package snapshot

import "time"

// Replay is where a recording that is being looked at stands.
type Replay struct {
	At, Length time.Duration // since the load began
	Playing    bool
	Speed      float64 // recorded seconds in a second
	// Seeking says that the moment Target is on its way, and Progress how much of the way is done, 0…1. Until it is there, the
	// moment before the seek is shown.
	Seeking  bool
	Target   time.Duration // since the load began
	Progress float64
	Note     string // why it ends before the run did, in a sentence; "": it does not, or that is not known so far
}

// Over reports whether nothing can be done to the run any more. A recording can always be scored anew.
func (s *Snapshot) Over() bool { return s.State == Ended && s.Replay == nil }

// The speeds at which a recording can be played.
const (
	SlowestReplay = 0.5
	FastestReplay = 60
)
