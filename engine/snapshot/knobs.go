// This file holds what can be changed while a run goes on.

package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Knobs is everything that can be turned mid-run. It is a value: take the present ones from a Snapshot, change a copy,
// hand it to Apply.
type Knobs struct {
	Load   load.Setting
	Shape  shape.Shape
	Trace  trace.Reading // how a replay's recording is read, where it was told; it has what it was opened with
	SLO    slo.Criteria
	Target float64 // attainment that the SLO asks for, 0…1
	// Objectives are judged second by second, beside the SLO for single requests.
	Objectives slo.Objectives
	Paused     bool
	Canary     float64      // light requests a second beside the load, in no figure but their own; 0: none
	Window     stats.Window // what Snapshot.Live is over; turning it changes nothing of the load
}

// DefaultTarget is the attainment an SLO asks for unless told otherwise.
const DefaultTarget = 0.99

// Validate says in one sentence what can't be done.
func (k Knobs) Validate() error {
	if err := k.Load.Validate(); err != nil {
		return err
	}
	if err := k.Shape.Validate(); err != nil {
		return err
	}
	if !(k.Target > 0 && k.Target <= 1) {
		return fmt.Errorf("SLO target %g%% is out of range; it must be above 0%% and at most 100%%", 100*k.Target)
	}
	if err := validCanary(k.Canary); err != nil {
		return err
	}
	for _, o := range k.Objectives.All() {
		if o.Metric == slo.ITL && o.Window > stats.LongestITLWindow {
			return fmt.Errorf("%q looks back further than ITL is kept; 5m is the most", o)
		}
	}
	if k.Window < stats.Last10s || k.Window > stats.WholeRun {
		return fmt.Errorf("there is no window %d", int(k.Window))
	}
	return nil
}

// SameLoad reports whether two settings put the same load on the endpoint, so that no new stage is due.
func (k Knobs) SameLoad(o Knobs) bool { return k.Load.Same(o.Load) && k.Shape == o.Shape }

// OnCurveOf reports whether two settings differ in nothing but their level, so that what they give lies on one curve.
func (k Knobs) OnCurveOf(o Knobs) bool {
	k.Load = k.Load.AtLevel(o.Load.Level())
	return k.Load.Mode == o.Load.Mode && k.SameLoad(o)
}

// LoadString describes the load and its shape in a few words: "c=32  512 in  128 out".
func (k Knobs) LoadString() string {
	return strings.TrimRight(k.Load.String()+"  "+k.ShapeString(), " ")
}

// ShapeString describes what requests ask for in a few words: "512 in  128 out"; "" where the load is a recording that
// says so itself.
func (k Knobs) ShapeString() string {
	s := &k.Shape
	var parts []string
	switch {
	case s.Data != nil:
		parts = append(parts, s.Data.Name())
		if s.Output != (shape.Length{}) { // that of another tool's run is not known
			parts = append(parts, s.Output.String()+" out")
		}
	case k.Load.Mode != load.Replay:
		parts = append(parts, s.Prompt.String()+" in", s.Output.String()+" out")
	}
	if s.Data == nil {
		if s.Converses() && k.Load.Mode != load.Replay {
			parts = append(parts, s.Turns.String()+" turns")
		}
		if s.Text != shape.Words {
			parts = append(parts, s.Text.String())
		}
		if s.PrefixOverlap > 0 {
			common := fmt.Sprintf("%.0f%% common", 100*s.PrefixOverlap)
			if s.Prefixes > 1 {
				common += fmt.Sprintf(" of %d", s.Prefixes)
			}
			parts = append(parts, common)
		}
	}
	return strings.Join(parts, "  ")
}

// ShapeHash is the hash of what requests ask for: Shape.Hash, or, of a replay, one of the recording and of what of the
// shape counts beside it. Runs with different ones don't compare.
func (k Knobs) ShapeHash() string {
	t, ok := k.Load.Timetable.(interface{ Hash() string })
	if k.Load.Mode != load.Replay || !ok {
		return k.Shape.Hash()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "replay 1\n%s\n%s\n", t.Hash(), k.Shape.Hash()))
	return hex.EncodeToString(sum[:6])
}
