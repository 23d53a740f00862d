// This file is what happened in a run, in sentences.

package snapshot

import "tokdyno/engine/record"

// Topic is what an event is about.
type Topic string

// The topics. A recording has these names, so they stay.
const (
	OfRun       Topic = "run"
	OfLoad      Topic = "load"
	OfSLO       Topic = "slo"
	OfStage     Topic = "stage"
	OfVerdict   Topic = "verdict"
	OfFailure   Topic = "failure"
	OfEndpoint  Topic = "endpoint"
	OfClient    Topic = "client"
	OfAutopilot Topic = "autopilot"
	OfAdvice    Topic = "advice"
	OfGPU       Topic = "gpu"
	OfServer    Topic = "server"
	OfMark      Topic = "mark" // a note that a person made
)

// Topics returns all of them.
func Topics() []Topic {
	return []Topic{
		OfRun, OfLoad, OfSLO, OfStage, OfVerdict, OfFailure, OfEndpoint, OfClient, OfAutopilot, OfAdvice, OfGPU, OfServer, OfMark,
	}
}

// Weight is how an event is to be taken.
type Weight string

// The weights. The zero Weight is neither good nor bad.
const (
	Neutral Weight = ""
	Good    Weight = "good"
	Caution Weight = "caution"
	Bad     Weight = "bad"
)

// Event is something that happened in a run.
type Event struct {
	At     record.Instant
	Topic  Topic
	Weight Weight `json:",omitempty"`
	Text   string // a sentence; what a server said is in it as it came
}
