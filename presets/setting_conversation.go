// This file is the settings of conversations: how many turns they have, and how long a person thinks between two.

package presets

import (
	"time"

	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

func conversationSettings() []*Setting { return []*Setting{turnsSetting(), thinkSetting()} }

// turnsSetting is how many turns a conversation has. Off are single requests.
func turnsSetting() *Setting {
	set := func(k snapshot.Knobs, turns shape.Length) snapshot.Knobs {
		if k.Shape.Turns = turns; turns == shape.Fixed(1) { // as where nothing is said, so that equal shapes are equal
			k.Shape.Turns = shape.Length{}
		}
		return k
	}
	change := func(k snapshot.Knobs, by func(shape.Length) shape.Length, up bool) snapshot.Knobs {
		switch {
		case k.Shape.Turns != shape.Length{}:
			return set(k, by(k.Shape.Turns))
		case up:
			return set(k, shape.Fixed(2))
		}
		return k
	}
	return &Setting{
		Name: "turns", Short: "turns", Title: "turns", Example: "4", Unit: "turns", Words: []string{"off"},
		Says:  "turns of a conversation",
		Takes: "a `number` up to 1,000 such as 4 or 2-8, or off for single requests",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			var turns shape.Length
			var err error
			if !units.Off(text) {
				if turns, err = shape.ParseLength(text); err != nil {
					return k, err
				}
			}
			next := set(k, turns)
			return next, next.Shape.ValidateTurns()
		},
		print: func(k snapshot.Knobs) string {
			if !k.Shape.Converses() {
				return "off"
			}
			return k.Shape.Turns.String()
		},
		note: func(k snapshot.Knobs, _ *snapshot.Snapshot) string {
			if !k.Shape.Converses() {
				return "single requests"
			}
			return "per conversation"
		},
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, func(l shape.Length) shape.Length { return l.Adjust(direction(up)) }, up)
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, func(l shape.Length) shape.Length { return l.Scale(factor) }, factor > 1)
		},
	}
}

// thinkSetting is the time that a person takes between an answer and the next turn.
func thinkSetting() *Setting {
	const lowest, first = 100 * time.Millisecond, time.Second
	change := func(k snapshot.Knobs, to time.Duration, up bool) snapshot.Knobs {
		if k.Shape.Think == 0 {
			to = 0
			if up {
				to = first
			}
		}
		if to < lowest {
			to = 0
		}
		k.Shape.Think = min(to, shape.MaxThink)
		return k
	}
	return &Setting{
		Name: "think", Short: "think", Title: "think time", Example: "5s", Words: []string{"off"}, Needs: []string{"turns", "data"},
		Says:  "mean time between an answer and the next turn",
		Takes: "a `time` up to 24h such as 5s or 500ms, or off for none", is: "a think time",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			if k.Shape.Think = 0; units.Off(text) {
				return k, nil
			}
			if k.Shape.Think, err = units.ParseTime(text, "5s"); err == nil && k.Shape.Think > shape.MaxThink {
				err = errRefused
			}
			return k, err
		},
		print: func(k snapshot.Knobs) string { return units.TimeApart(k.Shape.Think) },
		idle:  func(k snapshot.Knobs) string { return unless(k.Shape.MayConverse(), "counts between turns") },
		note:  func(snapshot.Knobs, *snapshot.Snapshot) string { return "mean, between turns" },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, scale.Time(k.Shape.Think, up), up)
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, time.Duration(float64(k.Shape.Think)*factor), factor > 1)
		},
	}
}
