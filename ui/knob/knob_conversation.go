// This file is the knobs of conversations: how many turns they have, and how long a person thinks between two.

package knob

import (
	"fmt"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/shape"
	"tokdyno/ui/cell"
)

// TurnsKnob turns how many turns a conversation has. Off are single requests.
func TurnsKnob() Knob {
	set := func(k engine.Knobs, turns shape.Length) engine.Knobs {
		if turns == shape.Fixed(1) {
			turns = shape.Length{}
		}
		next := k
		next.Shape.Turns = turns
		if next.Shape.Validate() != nil { // beyond the most there may be
			return k
		}
		return next
	}
	off := func(k engine.Knobs) bool { return k.Shape.Turns == shape.Length{} }
	return Knob{
		Name: named("turns"),
		Value: func(k engine.Knobs) string {
			if off(k) {
				return "off"
			}
			return k.Shape.Turns.String()
		},
		Asks: "turns of a conversation, such as 4 or 2-6; off: single requests",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			if off(k) {
				return "single requests"
			}
			return "per conversation"
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			switch {
			case off(k) && up:
				return set(k, shape.Fixed(2))
			case off(k):
				return k
			case up:
				return set(k, k.Shape.Turns.Adjust(1))
			}
			return set(k, k.Shape.Turns.Adjust(-1))
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			switch {
			case off(k) && factor > 1:
				return set(k, shape.Fixed(2))
			case off(k):
				return k
			}
			return set(k, k.Shape.Turns.Scale(factor))
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if IsOff(text) {
				return set(k, shape.Length{}), nil
			}
			turns, err := shape.ParseLength(text)
			if err == nil {
				k.Shape.Turns = turns
			}
			return k, err
		},
	}
}

// ThinkKnob turns the time that a person takes between an answer and the next turn.
func ThinkKnob() Knob {
	const lowest, first = 100 * time.Millisecond, time.Second
	set := func(k engine.Knobs, d time.Duration) engine.Knobs {
		if d < lowest {
			d = 0
		}
		k.Shape.Think = min(d, shape.MaxThink)
		return k
	}
	return Knob{
		Name:  named("think time"),
		Value: func(k engine.Knobs) string { return cell.Limit(k.Shape.Think) },
		Asks:  "mean time between an answer and the next turn, such as 5s; off: none",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			if !k.Shape.MayConverse() {
				return "counts between turns"
			}
			return "mean, between turns"
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			switch {
			case k.Shape.Think > 0:
				return set(k, stepTime(k.Shape.Think, up))
			case up:
				return set(k, first)
			}
			return k
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			switch {
			case k.Shape.Think > 0:
				return set(k, time.Duration(float64(k.Shape.Think)*factor))
			case factor > 1:
				return set(k, first)
			}
			return k
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if IsOff(text) {
				return set(k, 0), nil
			}
			d, err := time.ParseDuration(strings.ToLower(strings.ReplaceAll(text, " ", "")))
			if err != nil || d < 0 || d > shape.MaxThink {
				return k, fmt.Errorf("%q is not a think time; write one up to 24h, such as 5s or 500ms, or off", text)
			}
			k.Shape.Think = d
			return k, nil
		},
	}
}
