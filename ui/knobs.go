// This file is the knobs: what each one shows, how it turns, and what may be typed into it.

package ui

import (
	"slices"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/slo"
)

// knob is one setting that a person turns. Its functions take Knobs and return changed ones; they touch nothing else.
type knob struct {
	name  func(engine.Knobs) string
	value func(engine.Knobs) string
	asks  string // what may be typed
	// note says in a few words what the knob, as applied, does at present; nil: nothing.
	note func(k engine.Knobs, s *engine.Snapshot) string
	// turn goes one step. The snapshot tells where to start from when a knob comes out of "off".
	turn func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs
	// scale multiplies.
	scale func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs
	// parse sets what was typed.
	parse func(k engine.Knobs, text string) (engine.Knobs, error)
}

// allKnobs returns the knobs of the Live page, the most important first: where room is short, the others are scrolled to.
func allKnobs() []knob {
	return slices.Concat([]knob{
		concurrencyKnob(),
		rateKnob(),
		promptKnob(),
		outputKnob(),
		limitKnob(slo.TTFT, "TTFT SLO"),
		limitKnob(slo.TPOT, "TPOT SLO"),
		limitKnob(slo.E2EL, "E2E SLO"),
		overlapKnob(),
		arrivalKnob(),
		targetKnob(),
		turnsKnob(),
		thinkKnob(),
		prefixesKnob(),
		rampKnob(),
	}, objectiveKnobs())
}

func named(name string) func(engine.Knobs) string { return func(engine.Knobs) string { return name } }

// Words that switch a knob off.
func isOff(text string) bool {
	switch strings.ToLower(text) {
	case "off", "none", "no", "0", "no cap", "-":
		return true
	}
	return false
}
