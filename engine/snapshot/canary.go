// This file is the canary: one light request at a time beside the load, which shows what a small user feels.

package snapshot

import (
	"fmt"

	"tokdyno/engine/stats"
)

// What the canary asks for, in tokens: little prefill, and enough output to see the pace.
const (
	CanaryPrompt = 32
	CanaryOutput = 16
)

// The rates that a canary may have, requests a second: more would be a load of its own.
const (
	MinCanary = 0.01
	MaxCanary = 10.0
)

// Canary is what light requests beside the load were answered. They are in no other figure of the run, neither its counts nor
// its latencies; what the server and the accelerators tell of themselves has them, as it has everybody's.
type Canary struct {
	Live CanaryFigures // over Knobs.Window
	Run  CanaryFigures // over the run; its distributions are of the last 10,000 answers
}

// CanaryFigures are those of a stretch of time, each request at its end.
type CanaryFigures struct {
	OK, Failed int
	// Skipped requests were due while the one before was still on its way to the same endpoint, and were not sent.
	Skipped     int
	TTFT, E2EL  stats.Distribution // of those that completed
	DispatchLag stats.Distribution // due → sent, a new connection included: what passed in this process and before the request
	Problem     string             // why the latest failed, in a sentence; "": none did
}

// Of is how many requests were due.
func (f *CanaryFigures) Of() int { return f.OK + f.Failed + f.Skipped }

// validCanary says why there is no such rate.
func validCanary(rate float64) error {
	if rate == 0 || rate >= MinCanary && rate <= MaxCanary {
		return nil
	}
	return fmt.Errorf("a canary of %g requests a second is out of range; give %g to %g, or 0 for none", rate, MinCanary, MaxCanary)
}
