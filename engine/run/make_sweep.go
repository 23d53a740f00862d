// This file says in a report what an autopilot found.

package run

import (
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
)

// newSweep is nil where the run had no autopilot from its beginning.
func newSweep(from *snapshot.Snapshot) *Sweep {
	v := from.Pilot
	if v == nil || !v.Whole {
		return nil
	}
	s := &Sweep{
		Kind: string(v.Kind), Axis: string(v.Axis), Rungs: []Rung{}, Done: v.Finished, remark: v.Remark,
		Judged: from.Knobs.SLO.Active() || from.Knobs.Objectives.Len() > 0,
	}
	for _, r := range v.Progress.Rungs {
		decided := newRung(r)
		if now := from.Rung(r); now.State != r.State {
			decided.Note = now.Note
		}
		s.Rungs = append(s.Rungs, decided)
	}
	if !v.Finished {
		s.Sentence = v.Why
		return s
	}
	r := &v.Result
	s.Found, s.Samples, s.Doubtful, s.Plateau, s.Sentence = r.Found, r.Samples, r.Doubtful, r.Plateau, r.Sentence
	if share, ok := r.Judged.Share(); ok {
		s.Attainment, s.Interval = &share, interval(&r.Judged)
	}
	if r.Found {
		s.Level = &r.Level
	}
	if r.Missed > 0 {
		s.Missed = &r.Missed
	}
	if r.Binding != "" {
		s.Binding = &r.Binding
	}
	return s
}

func newRung(r stage.Rung) Rung {
	out := Rung{Level: r.Level, State: string(r.State), N: r.N, Looks: r.Looks, Few: r.Few, Note: r.Note}
	if r.Stage > 0 {
		out.Stage = &r.Stage
	}
	if r.N > 0 {
		out.Output = rate(r.Output)
	}
	if r.Judged.Verdict != slo.NoVerdict {
		out.Needed = &r.Judged.Needed
	}
	if r.Judged.N > 0 || r.Stuck {
		out.Share = &r.Share
	}
	if r.Binding != "" {
		out.Binding = &r.Binding
	}
	return out
}
