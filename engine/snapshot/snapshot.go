// This file is the snapshot.

package snapshot

import (
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
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
	Begun   record.Instant // when the load began; 0 while probing
	Elapsed time.Duration  // since then; 0 while probing
	Budget  load.Budget    // ends the run cleanly when it is spent
	Enough  time.Duration  // from then on the run ends as soon as nothing is awaited; 0: only its budget ends it
	Err     error          // why the run ended early; nil otherwise

	Started time.Time // when the load began, by the wall clock; zero while probing
	Host    Host      // that makes the load
	Seed    uint64    // of prompts, lengths and arrivals

	Endpoint  endpoint.Profile
	Endpoints []EndpointLine // of several, the figures of each; nil: there is one
	Simulated bool           // the figures come from the embedded simulator
	Insecure  bool           // TLS certificates are not checked
	// Knobs are those in force. After a change of the SLO, it and its target are the ones before until the figures are scored
	// by the new ones: every figure is by what stands here.
	Knobs Knobs

	Counts     stats.Counts   // of the whole run
	Tokens     stats.Tokens   // of every request of the run that completed
	Spent      optional.Value // money, by the run so far, at the prices given
	Health     Health         // of the last ten seconds
	Client     Client         // of the whole run
	Stood      time.Duration  // how long the process was suspended or starved: what ran then is in no figure
	Retried    int            // requests that took several attempts
	Unspoken   int            // answers amid conversations that had no text, but reasoning or a tool call alone
	Again      endpoint.Again // attempts that were refused and sent again, and requests that wait to be
	Problems   []stats.Problem
	Outage     Outage // whether requests do nothing but fail
	Malformed  string // how much of the answers could not be understood, in a sentence; "": all of it could
	InFlight   stats.InFlight
	Thinking   int             // conversations in a slot whose next turn is not due yet
	Prompts    PromptLengths   // whether prompts are as long as was asked for
	Answers    AnswerLengths   // whether answers are
	Backlog    int             // open loop: arrivals that wait for a slot
	Dropped    int             // open loop: arrivals that were never started, because the load ended or changed its mode
	Shed       int             // open loop: arrivals that were left out while nothing succeeded
	Abandoned  int             // of Dropped, those that an autopilot dropped to let an overload end
	Live       stats.Summary   // over Knobs.Window; see stats.Collector.Live
	Stage      stats.Summary   // the current stage's steady part, or all of it while it settles
	Objectives []slo.Standing  // how each stands, in the order of Knobs.Objectives
	Pilot      *PilotView      // nil: the load has been in nobody's hands but the person's
	Curve      stage.Curve     // the levels of the present mode and shape, pooled, ascending: the settled and the present
	Stages     []StageRow      // those in which something happened, and the current one, which is the last
	History    []stats.Point   // a point a second, of long ago one for several; oldest first
	Marks      []Mark          // in order
	Events     []Event         // what happened, in order
	Advice     []advice.Advice // what the figures mean, the most important first

	GPU           *gpu.Reading    // nil: no source, or nothing read yet
	GPUNote       string          // why there is no source, in a sentence
	GPUElsewhere  bool            // the accelerators are this machine's, and not known to be behind the endpoint
	GPUHistory    []GPUPoint      // likewise
	Server        *server.Reading // nil: no source, or nothing read yet
	ServerHistory []ServerPoint   // likewise
	Telemetry     Telemetry       // of the whole run

	Speculation server.Speculation // speculative decoding over Knobs.Window
	Canary      *Canary            // nil: there is none, and was none

	Kept   Kept    // the file that the run is kept in
	Replay *Replay // nil: the run is live
	Duel   *Duel   // nil: the run is alone

	Workers *Workers // that make the load; nil: this process does
}

// Unlimited reports whether requests to any of the endpoints go without a limit on the length of their answers.
func (s *Snapshot) Unlimited() bool {
	for i := range s.Endpoints {
		if s.Endpoints[i].Profile.Unlimited {
			return true
		}
	}
	return s.Endpoint.Unlimited
}

// Host is the machine that makes the load. The zero Host is unknown.
type Host struct {
	OS, Arch string // as Go calls them: "linux", "amd64"
	Cores    int    // that Go may use
}

// Health says whether the load generator itself can be trusted, recently.
type Health struct {
	Verdict health.Verdict // Unknown: nothing measured yet
	Reason  string         // "" unless the verdict is other than OK
	health.Figures
}

// Client is the load generator over the whole run, without the rush of its first requests.
type Client struct {
	Health            // Unknown where nothing was measured
	Stamps     string // how arrivals are stamped: "kernel", or "read", when the read returned
	Reconnects int64  // stale connections replaced, whether or not anything else was measured
	Closed     int64  // connections that the server closed right after an answer, before it was believed to do so always
}

// EndpointLine is one endpoint of several, over the present stage, its settling included.
type EndpointLine struct {
	Profile         endpoint.Profile
	InFlight        int
	OK, Failed      int
	TTFT, TPOT      stats.Distribution // of the completed ones
	E2EL            stats.Distribution
	OutputPerSecond float64 // output tokens of the completed ones, by the stage's time; 0 also where the server does not count
}

// Since is the time from when the load began to an instant, which is what clocks on the screen show; 0 of what was before.
func (s *Snapshot) Since(at record.Instant) time.Duration {
	if s.Begun == 0 || at < s.Begun {
		return 0
	}
	return time.Duration(at - s.Begun)
}
