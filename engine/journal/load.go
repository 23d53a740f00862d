// This file is what happened to the run, its load, its stages and its verdicts.

package journal

import (
	"slices"
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
)

// states tells how the run begins, pauses and ends.
func states(t *teller) {
	if before, after := t.a.Stood, t.b.Stood; after > before {
		t.say(snapshot.Caution, "the process stood still for %.1f s: what ran then is in no figure", (after - before).Seconds())
	}
	if t.b.Kept.Problem != "" && t.a.Kept.Problem != t.b.Kept.Problem {
		t.say(snapshot.Bad, "%s", t.b.Kept.Problem)
	}
	if t.a.State == t.b.State {
		return
	}
	switch t.b.State {
	case snapshot.Running:
		if t.a.State == snapshot.Paused {
			t.say(snapshot.Neutral, "the load goes on")
		} else {
			t.say(snapshot.Neutral, "the load begins: %s", inWords(t.b.Knobs.LoadString()))
		}
	case snapshot.Paused:
		t.say(snapshot.Neutral, "paused: no new requests start")
	case snapshot.Draining:
		t.say(snapshot.Neutral, "no new requests start; %s in flight end the run", units.Count(t.b.InFlight.Total))
	case snapshot.Ended:
		if t.b.Err != nil {
			t.say(snapshot.Bad, "the run ended early: %v", t.b.Err)
			return
		}
		t.say(snapshot.Neutral, "the run has ended: %s requests completed, %s failed", units.Count(t.b.Counts.OK), units.Count(t.b.Counts.Failed))
	}
}

// loads tells how the load was changed.
func loads(t *teller) {
	a, b := &t.a.Knobs, &t.b.Knobs
	if t.a.State == snapshot.Probing || a.SameLoad(*b) {
		return
	}
	if before, after := a.Load.String(), b.Load.String(); before != after {
		t.say(snapshot.Neutral, "load: %s → %s", before, after)
	}
	if before, after := a.ShapeString(), b.ShapeString(); before != after {
		t.say(snapshot.Neutral, "requests: %s → %s", inWords(before), inWords(after))
	}
}

// limits tells how the SLO was changed.
func limits(t *teller) {
	a, b := &t.a.Knobs, &t.b.Knobs
	if a.SLO != b.SLO {
		t.say(snapshot.Neutral, "SLO: %s → %s", orNone(a.SLO.String()), orNone(b.SLO.String()))
	}
	if a.Target != b.Target {
		t.say(snapshot.Neutral, "SLO target: %s → %s", units.ShareApart(a.Target), units.ShareApart(b.Target))
	}
	if a.Objectives != b.Objectives {
		t.say(snapshot.Neutral, "objectives: %s → %s", listed(a.Objectives), listed(b.Objectives))
	}
}

// inWords puts commas where a line of the screen has columns.
func inWords(columns string) string { return strings.ReplaceAll(columns, "  ", ", ") }

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func listed(all slo.Objectives) string {
	var list []string
	for _, o := range all.All() {
		list = append(list, o.String())
	}
	return orNone(strings.Join(list, ", "))
}

// stages tells when a stage begins, and when it is measured.
func stages(t *teller) {
	row, before := t.b.Present(), t.a.Present()
	if row == nil {
		return
	}
	if before != nil && before.Number != row.Number {
		t.say(snapshot.Neutral, "stage %d begins: %s", row.Number, inWords(row.Knobs.LoadString()))
	}
	if a, b := &t.a.Stage, &t.b.Stage; a.Stage == b.Stage && a.Settling && !b.Settling && b.Stage == row.Number {
		age, _ := t.b.At.Since(row.Opened)
		t.say(snapshot.Neutral, "stage %d has settled after %.1f s: it is measured from here on", row.Number, age.Seconds())
	}
}

// verdicts tells when the present stage is known to hold the SLO or to miss it, and when that turns.
func verdicts(t *teller) {
	j := t.b.Verdict(&t.b.Stage)
	before := t.a.Verdict(&t.a.Stage)
	if j.Verdict == before.Verdict && t.a.Stage.Stage == t.b.Stage.Stage {
		return
	}
	weight, verb := snapshot.Good, "holds"
	switch j.Verdict {
	case slo.Held:
	case slo.Missed:
		weight, verb = snapshot.Bad, "misses"
	default:
		return
	}
	share, _ := j.Share()
	if weight == t.lastVerdict(t.b.Stage.Stage) {
		return // it was not known for a while
	}
	t.say(weight, "stage %d %s the SLO: %s of %s requests", t.b.Stage.Stage, verb, units.RoundedDown(share), units.Count(j.N))
}

// lastVerdict is that which was told last of a stage; Neutral: none was.
func (t *teller) lastVerdict(stage int) snapshot.Weight {
	row := t.b.Present()
	begun := row != nil && row.Number == stage
	for _, e := range slices.Backward(t.a.Events) {
		if begun && e.At < row.Opened {
			break
		}
		if e.Topic == snapshot.OfVerdict {
			return e.Weight
		}
	}
	return snapshot.Neutral
}
