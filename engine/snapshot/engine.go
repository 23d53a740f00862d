// This file is what can be asked of a run and done to it, be it live, a recording, or a duel.

package snapshot

import (
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
)

// Engine is a run as a console and a duel have it in hand: *engine.Engine is one, *engine.Player, and *duel.Duel. It stands
// here so that the console need not know the network. Its methods may be called from anywhere at any time.
type Engine interface {
	// Snapshot returns the latest moment of the run. It never blocks and is never nil.
	Snapshot() *Snapshot
	// Apply turns knobs. The next Snapshot shows the new setting; a new SLO shows once all stored requests are scored by it.
	Apply(Knobs) error
	// NewStage opens a stage with the same load: what is measured begins anew.
	NewStage()
	// StartAutopilot hands the load over to an autopilot, in the place of one that is at work. A hand on a knob takes it
	// back. The next Snapshot shows it. Its errors are sentences.
	StartAutopilot(AutopilotRun) error
	// StopAutopilot takes the load back from the autopilot; it stays where it is. The next Snapshot shows it.
	StopAutopilot()
	// Mark puts a named mark on the time axis. The next Snapshot has it.
	Mark(label string)
	// StageValues returns a latency of every completed request of stage n that has one; none where there is no such stage.
	// The slice is the caller's. It may take a while, so it is not called in Update.
	StageValues(n int, m slo.Metric) []time.Duration
	// Source answers what is asked of single requests.
	query.Source
	// StageSeries returns what was measured of stage n once it had settled; nil where it has not, or there is none. It may
	// take a while too.
	StageSeries(n int) *compare.Series
	// Drain ends the run when the running requests have ended.
	Drain()
	// Stop ends the run now: running requests are cancelled.
	Stop()
}
