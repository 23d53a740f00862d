// This file is the knobs: what each one shows, how it turns, and what may be typed into it.

package knob

import (
	"slices"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/slo"
)

// Knob is one setting that a person turns. Its functions take Knobs and return changed ones; they touch nothing else.
type Knob struct {
	Name  func(engine.Knobs) string
	Value func(engine.Knobs) string
	Asks  string // what may be typed
	// note says in a few words what the knob, as applied, does at present; nil: nothing.
	note func(k engine.Knobs, s *engine.Snapshot) string
	// turn goes one step. The snapshot tells where to start from when a knob comes out of "off".
	turn func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs
	// scale multiplies.
	scale func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs
	// Parse sets what was typed.
	Parse func(k engine.Knobs, text string) (engine.Knobs, error)
}

// All returns the knobs of the Live page, the most important first: where room is short, the others are scrolled to.
func All() []Knob {
	return slices.Concat([]Knob{
		concurrencyKnob(),
		RateKnob(),
		PromptKnob(),
		OutputKnob(),
		limitKnob(slo.TTFT, "TTFT SLO"),
		limitKnob(slo.TPOT, "TPOT SLO"),
		limitKnob(slo.E2EL, "E2E SLO"),
		OverlapKnob(),
		ArrivalKnob(),
		TargetKnob(),
		TurnsKnob(),
		ThinkKnob(),
		PrefixesKnob(),
		RampKnob(),
	}, objectiveKnobs())
}

func named(name string) func(engine.Knobs) string { return func(engine.Knobs) string { return name } }

// Words that switch a knob off.
func IsOff(text string) bool {
	switch strings.ToLower(text) {
	case "off", "none", "no", "0", "no cap", "-":
		return true
	}
	return false
}
