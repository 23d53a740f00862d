// This file is the knobs of the load's shape: what every request asks for.

package knob

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/shape"
	"tokdyno/ui/cell"
)

// PromptKnob turns the length of the prompts, unless they come from a file.
func PromptKnob() Knob {
	k := lengthKnob("prompt tokens", func(s *shape.Shape) *shape.Length { return &s.Prompt })
	value, turn, scale := k.Value, k.turn, k.scale
	k.Value = func(k engine.Knobs) string {
		if k.Shape.Data != nil {
			return "from data"
		}
		return value(k)
	}
	k.turn = func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
		if k.Shape.Data != nil {
			return k
		}
		return turn(k, s, up)
	}
	k.scale = func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
		if k.Shape.Data != nil {
			return k
		}
		return scale(k, s, factor)
	}
	k.note = func(k engine.Knobs, _ *engine.Snapshot) string {
		switch {
		case k.Shape.Data != nil:
			return k.Shape.Data.Name()
		case k.Shape.PrefixOverlap > 0:
			return cell.RoundDown(k.Shape.PrefixOverlap).String() + " common"
		}
		return ""
	}
	return k
}

// OutputKnob turns the length of the answers.
func OutputKnob() Knob {
	return lengthKnob("output tokens", func(s *shape.Shape) *shape.Length { return &s.Output })
}

// lengthKnob turns a length in tokens.
func lengthKnob(name string, of func(*shape.Shape) *shape.Length) Knob {
	return Knob{
		Name:  named(name),
		Value: func(k engine.Knobs) string { return of(&k.Shape).String() },
		Asks:  "512, a range 128-1024, or mean and spread 512±128",
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			steps := -1
			if up {
				steps = 1
			}
			l := of(&k.Shape)
			*l = l.Adjust(steps)
			return k
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			l := of(&k.Shape)
			*l = l.Scale(factor)
			return k
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			l, err := shape.ParseLength(text)
			if err == nil {
				*of(&k.Shape) = l
			}
			return k, err
		},
	}
}

// OverlapKnob turns the share of the prompt that requests have in common, in steps of ten percent.
func OverlapKnob() Knob {
	set := func(k engine.Knobs, percent float64) engine.Knobs {
		k.Shape.PrefixOverlap = min(max(math.Round(percent), 0), 100) / 100
		return k
	}
	return Knob{
		Name: named("common prefix"),
		Value: func(k engine.Knobs) string {
			if k.Shape.PrefixOverlap == 0 {
				return "off"
			}
			return cell.PercentExactly(k.Shape.PrefixOverlap)
		},
		Asks: "share of the prompt that requests have in common, 0 to 100 %",
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			const step, hair = 10, 1e-6
			tens := 100 * k.Shape.PrefixOverlap / step
			if up {
				return set(k, step*(math.Floor(tens+hair)+1))
			}
			return set(k, step*(math.Ceil(tens-hair)-1))
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			return set(k, 100*k.Shape.PrefixOverlap*factor)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if IsOff(text) {
				return set(k, 0), nil
			}
			v, err := parsePercent(text)
			if err != nil || !(v >= 0 && v <= 100) {
				return k, fmt.Errorf("%q is not a share; write a percentage from 0 to 100, such as 30%%", text)
			}
			k.Shape.PrefixOverlap = shareOf(v)
			return k, nil
		},
	}
}

// PrefixesKnob turns how many common prefixes there are, of which each prompt has one.
func PrefixesKnob() Knob {
	set := func(k engine.Knobs, v float64) engine.Knobs {
		k.Shape.Prefixes = int(min(max(v, 1), shape.MaxPrefixes))
		return k
	}
	count := func(k engine.Knobs) float64 { return float64(max(k.Shape.Prefixes, 1)) }
	return Knob{
		Name:  named("prefixes"),
		Value: func(k engine.Knobs) string { return cell.Grouped(int64(max(k.Shape.Prefixes, 1))) },
		Asks:  "common prefixes that prompts choose from, from 1 on",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			if k.Shape.PrefixOverlap == 0 {
				return "counts with a common prefix"
			}
			return ""
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			return set(k, math.Floor(stepCount(count(k), up)))
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			return set(k, count(k)*factor)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err != nil || n < 1 || n > shape.MaxPrefixes {
				return k, fmt.Errorf("%q is not a number of prefixes; write one from 1 to %s", text, cell.Grouped(shape.MaxPrefixes))
			}
			k.Shape.Prefixes = n
			return k, nil
		},
	}
}
