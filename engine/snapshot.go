// This file holds what the rest of the program sees of a run.

package engine

import (
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
)

// State is where a run stands.
type State string

// The states, in order.
const (
	Probing  State = "probing" // finding the model and what the endpoint takes
	Running  State = "running"
	Paused   State = "paused"   // no new requests; running ones go on
	Draining State = "draining" // no new requests; the run ends with the last one
	Ended    State = "ended"
)

// Mark is a change that every chart shows.
type Mark struct {
	At    record.Instant
	Label string // a few characters: "c 16→32"
}

// Snapshot is one moment of a run. Everything in it belongs to that moment, so that no two figures taken from it
// contradict each other. It is never changed after it was published.
type Snapshot struct {
	At      record.Instant // on the run's clock
	State   State
	Elapsed time.Duration // since the load began; 0 while probing
	Budget  load.Budget   // ends the run cleanly when it is spent
	Err     error         // why the run ended early; nil otherwise

	Endpoint  wire.Profile
	Endpoints []EndpointLine // of several, the figures of each; nil: there is one
	Simulated bool           // the figures come from the embedded simulator
	Insecure  bool           // TLS certificates are not checked
	Knobs     Knobs

	Counts     stats.Counts // of the whole run
	Health     Health
	Problems   []stats.Problem
	Malformed  string // how much of the answers could not be understood, in a sentence; "": all of it could
	InFlight   stats.InFlight
	Thinking   int             // conversations in a slot whose next turn is not due yet
	Prompts    PromptLengths   // whether prompts are as long as was asked for
	Backlog    int             // open loop: arrivals that wait for a slot
	Dropped    int             // open loop: arrivals that were never started, because the load ended or changed its mode
	Live       stats.Summary   // over Knobs.Window
	Stage      stats.Summary   // the current stage's steady part, or all of it while it settles
	Objectives []slo.Standing  // how each stands, in the order of Knobs.Objectives
	Pilot      *PilotView      // nil: the load has been in nobody's hands but the person's
	Curve      stage.Curve     // the levels of the present mode and shape, pooled, ascending; those that have settled, and the present one
	Stages     []StageRow      // those in which something happened, and the current one, which is the last
	History    []stats.Point   // a point a second, oldest first
	Marks      []Mark          // in order
	Advice     []advice.Advice // what the figures mean, the most important first

	GPU           *gpu.Reading    // nil: no source, or nothing read yet
	GPUNote       string          // why there is no source, in a sentence
	GPUElsewhere  bool            // the accelerators are this machine's, and not known to be behind the endpoint
	GPUHistory    []GPUPoint      // a point a second, oldest first
	Server        *server.Reading // nil: no source, or nothing read yet
	ServerHistory []ServerPoint   // a point a second, oldest first
}

// Health says whether the load generator itself can be trusted, recently.
type Health struct {
	Verdict health.Verdict // Unknown: nothing measured yet
	Reason  string         // "" unless the verdict is other than OK
	health.Figures
}
