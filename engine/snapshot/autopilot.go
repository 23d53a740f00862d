// This file is what an autopilot can be asked to do.

package snapshot

import (
	"errors"
	"fmt"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/units"
)

// AutopilotRun is what a pilot is to do.
type AutopilotRun struct {
	Kind   PilotKind
	Levels load.Levels  // of a ladder and of steps; none, for a ladder: 1, 2, 4, 8 …
	Effort stage.Effort // how long a level is measured
}

// Remark says in a clause that levels are measured for longer than is asked for, since a verdict takes more requests; "" where
// they are not.
func (f *AutopilotRun) Remark(k *Knobs) string {
	goals := make([]stage.Goal, 0, 1+k.Objectives.Len())
	if g, ok := stage.CriteriaGoal(slo.Tally{}, k.SLO, k.Target); ok {
		goals = append(goals, g)
	}
	for _, o := range k.Objectives.All() {
		goals = append(goals, stage.ObjectiveGoal(o, 0, 0))
	}
	asked := f.Effort.WithDefaults().Requests
	if needed := stage.Needed(goals); needed > asked && f.Kind != Steps {
		return fmt.Sprintf("a verdict needs %s requests at each level, not %s", units.Count(needed), units.Count(asked))
	}
	return ""
}

// NewPilot makes a pilot for an autopilot run, for what the knobs are at. A search begins with what is known. Errors are
// sentences.
func NewPilot(f AutopilotRun, k Knobs, known ...stage.Known) (stage.Pilot, error) {
	axis := stage.Axis(k.Load.Axis())
	if k.Load.Mode == load.Replay && !k.Load.Loop {
		return nil, errors.New("an autopilot needs a load that goes on; let the replay begin again when it is over (--loop)")
	}
	switch f.Kind {
	case Search:
		if !k.SLO.Active() && k.Objectives.Len() == 0 {
			return nil, errors.New("a search needs an SLO to hold, such as ttft=500ms; without one, walk a ladder")
		}
		within := stage.Range{First: k.Load.Level()}
		if axis == stage.Concurrency {
			within.First = min(within.First, stage.SearchFirst)
		}
		return stage.NewSearch(axis, within, f.Effort, known...)
	case Steps, Ladder:
		if f.Kind == Steps && (f.Levels.Dwell <= 0 || len(f.Levels.Values) == 0) {
			return nil, errors.New("steps are levels and a time for each, such as 1,2,4,8@30s")
		}
		return stage.NewLadder(stage.Plan{Axis: axis, Levels: f.Levels.Values, Dwell: f.Levels.Dwell, Effort: f.Effort})
	}
	return nil, fmt.Errorf("there is no autopilot %q; there are ladder, search and steps", f.Kind)
}
