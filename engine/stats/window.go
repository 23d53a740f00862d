// This file names the stretches of a run that can be summarised.

package stats

import (
	"fmt"
	"time"
)

// Window is a stretch of the run: the last so many seconds, the current stage, or the whole run.
type Window int

// The windows, shortest first. Last30s is what live panels start with.
const (
	Last10s Window = iota
	Last30s
	Last1m
	Last5m
	ThisStage // the steady part of the current stage; while it settles, all of it
	WholeRun  // the steady parts of all stages, pooled
)

// Duration is how far a sliding window reaches back; 0 for ThisStage and WholeRun.
func (w Window) Duration() time.Duration {
	switch w {
	case Last10s:
		return 10 * time.Second
	case Last30s:
		return 30 * time.Second
	case Last1m:
		return time.Minute
	case Last5m:
		return 5 * time.Minute
	}
	return 0
}

// String returns the window's short name.
func (w Window) String() string {
	switch w {
	case Last10s:
		return "10s"
	case Last30s:
		return "30s"
	case Last1m:
		return "1m"
	case Last5m:
		return "5m"
	case ThisStage:
		return "stage"
	case WholeRun:
		return "run"
	}
	return fmt.Sprintf("window(%d)", int(w))
}

// Longer returns the next longer window, or w itself if there is none.
func (w Window) Longer() Window { return min(w+1, WholeRun) }

// Shorter returns the next shorter window, or w itself if there is none.
func (w Window) Shorter() Window { return max(w-1, Last10s) }
