// This file is what a snapshot says of the autopilot.

package snapshot

import "tokdyno/engine/stage"

// PilotKind names a way to move the load without a hand on the knobs.
type PilotKind string

// The kinds.
const (
	Ladder PilotKind = "ladder" // walk levels, each until it is measured
	Search PilotKind = "search" // find the highest load that holds what is asked for
	Steps  PilotKind = "steps"  // walk levels, each for a fixed time
)

// PilotView is what a person sees of the autopilot.
type PilotView struct {
	Kind     PilotKind
	Axis     stage.Axis
	Why      string // what it waits for or did last, as a clause
	Remark   string // what else is to be known of what it was asked, as a clause; ""
	Over     bool   // it has finished, or was stopped
	Released bool   // a knob was turned by hand
	Progress stage.Progress
	Result   stage.Result // valid once it has finished
	Finished bool
	Waits    bool // in a duel by turns: it is done with a level, and goes on in its next turn
	Whole    bool // the run began with it, and ends with it
}
