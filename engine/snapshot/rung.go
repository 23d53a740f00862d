// This file is the levels that an autopilot has visited, as they stand now.

package snapshot

import (
	"fmt"

	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/engine/units"
)

// Rung is a rung of the autopilot as it stands now. Once it is over, its verdict is that of its level, as the curve has it:
// more of its requests may have ended since the autopilot went on, or the level was looked at again, or the SLO is another.
// Where that changes the verdict, Note says so: "missed since: 98.7 % of 1,204". What the autopilot decided stays.
func (s *Snapshot) Rung(r stage.Rung) stage.Rung {
	switch r.State {
	case stage.Held, stage.Missed, stage.Unknown:
	default:
		return r
	}
	p := s.levelOf(&r)
	if p == nil {
		return r
	}
	j := s.Verdict(p.Summary)
	if j.Verdict == slo.NoVerdict || r.Stuck && j.Verdict == slo.Unknown {
		return r
	}
	verdict := j.Verdict
	for _, g := range r.Goals {
		if g.Objective { // the curve knows nothing of those
			verdict = slo.All(verdict, g.Decide(0).Verdict)
		}
	}
	if stage.State(verdict) == r.State {
		return r
	}
	r.State, r.Binding, r.Stuck = stage.State(verdict), "", false
	switch share, _ := j.Share(); verdict {
	case slo.Unknown:
		r.Note = "not known since: " + j.Why
	default:
		r.Note = fmt.Sprintf("%s since: %s of %s", verdict, units.RoundedDown(share), units.Count(j.N))
	}
	return r
}

// levelOf is the point of the curve that a rung is of; nil: it is on none, since the load is along another axis now.
func (s *Snapshot) levelOf(r *stage.Rung) *stage.Point {
	axis := stage.Axis(s.Knobs.Load.Axis())
	if s.Pilot == nil || s.Pilot.Axis != axis {
		return nil
	}
	for i := range s.Curve {
		if p := &s.Curve[i]; axis.Same(p.Level, r.Level) {
			return p
		}
	}
	return nil
}
