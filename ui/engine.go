// Package ui is the console: it turns an engine's knobs and draws its snapshots.
//
// One tea.Model holds the state of the screen; everything that is drawn is a pure function of a snapshot, a size and a
// theme. What is printed without a terminal lives here too.
package ui

import "tokdyno/engine"

// Engine is what the console needs of a run; *engine.Engine is one.
type Engine interface {
	// Snapshot returns the latest moment of the run. It never blocks and is never nil.
	Snapshot() *engine.Snapshot
	// Apply turns knobs. The next Snapshot shows the new setting.
	Apply(engine.Knobs) error
	// Drain ends the run when the running requests have ended.
	Drain()
	// Stop ends the run now: running requests are cancelled.
	Stop()
}
