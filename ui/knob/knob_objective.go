// This file is the knobs of the first objective: its limit, its percentile and its target. The command line sets others.

package knob

import (
	"fmt"
	"slices"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
)

// objectiveKnobs turn the first objective. Without one, they say so, and typing one into the limit sets it.
func objectiveKnobs() []Knob {
	return []Knob{
		{
			Name:  named("objective"),
			Value: ofObjective(objectiveLimit),
			Asks:  "its limit, or an objective such as ttft p99 <= 500ms over 1m for 99%; off: none",
			note:  objectiveNote,
			turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
				return changeObjective(k, func(o *slo.Objective) { turnLimit(o, up) })
			},
			scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
				return changeObjective(k, func(o *slo.Objective) {
					o.Limit = cell.FromMilliseconds(cell.Milliseconds(o.Limit) * factor)
					o.MaxErrors = min(o.MaxErrors*factor, mostErrors)
				})
			},
			Parse: parseObjective,
		},
		objectiveShareKnob("percentile", "a percentile such as 95 or 99.9", percentiles(),
			func(o *slo.Objective) *float64 { return &o.Percentile }, func(o slo.Objective) string {
				if o.Metric == slo.ErrorRate {
					return "none"
				}
				return "p" + strings.TrimSuffix(cell.PercentExactly(o.Percentile), " %")
			}),
		objectiveShareKnob("its target", "share of seconds in which it has to hold, such as 99.9%", targets(),
			func(o *slo.Objective) *float64 { return &o.Target },
			func(o slo.Objective) string { return cell.PercentExactly(o.Target) }),
	}
}

// objectiveShareKnob turns a share of the first objective along a scale of percentages.
func objectiveShareKnob(
	name, asks string, scale []float64, of func(*slo.Objective) *float64, write func(slo.Objective) string,
) Knob {
	turn := func(k engine.Knobs, up bool) engine.Knobs {
		return changeObjective(k, func(o *slo.Objective) { *of(o) = nextOf(scale, *of(o), up) })
	}
	return Knob{
		Name:  named(name),
		Value: ofObjective(write),
		Asks:  asks,
		turn:  func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs { return turn(k, up) },
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs { return turn(k, factor > 1) },
		Parse: parseShareOf(strings.TrimPrefix(name, "its "), of),
	}
}

// percentiles are those that objectives usually have, in percent.
func percentiles() []float64 { return []float64{50, 75, 90, 95, 98, 99, 99.5, 99.9} }

// mostErrors is as far as the limit of an error rate is turned.
const mostErrors = 0.5

// ofObjective writes the first objective; "off" where there is none.
func ofObjective(write func(slo.Objective) string) func(engine.Knobs) string {
	return func(k engine.Knobs) string {
		if k.Objectives.Len() == 0 {
			return "off"
		}
		return write(k.Objectives.At(0))
	}
}

func objectiveLimit(o slo.Objective) string {
	if o.Metric == slo.ErrorRate {
		return "errors " + cell.PercentExactly(o.MaxErrors)
	}
	return o.Metric.String() + " " + cell.Limit(o.Limit)
}

// objectiveNote says how the first objective stands.
func objectiveNote(_ engine.Knobs, s *engine.Snapshot) string {
	if len(s.Objectives) == 0 {
		return ""
	}
	share, ok := s.Objectives[0].Attainment()
	if !ok {
		return cell.Unknown
	}
	return cell.RoundDown(share).String() + " of seconds"
}

// changeObjective changes the first objective, if there is one and what comes out is one.
func changeObjective(k engine.Knobs, change func(*slo.Objective)) engine.Knobs {
	var list []slo.Objective
	for _, o := range k.Objectives.All() {
		list = append(list, o)
	}
	if len(list) == 0 {
		return k
	}
	change(&list[0])
	if changed, err := slo.NewObjectives(list...); err == nil {
		k.Objectives = changed
	}
	return k
}

func turnLimit(o *slo.Objective, up bool) {
	if o.Metric != slo.ErrorRate {
		o.Limit = cell.FromMilliseconds(stepLimit(cell.Milliseconds(o.Limit), up))
		return
	}
	o.MaxErrors = nextOf([]float64{0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50}, o.MaxErrors, up)
}

// nextOf is the next of ascending percentages above or below a share; the share itself at the end.
func nextOf(percents []float64, share float64, up bool) float64 {
	const hair = 1e-9
	all := slices.Clone(percents)
	if !up {
		slices.Reverse(all)
	}
	for _, next := range all {
		if up && next > 100*share+hair || !up && next < 100*share-hair {
			return shareOf(next)
		}
	}
	return share
}

// parseObjective reads the limit of the first objective, or a whole one in its place.
func parseObjective(k engine.Knobs, text string) (engine.Knobs, error) {
	if IsOff(text) {
		k.Objectives = slo.Objectives{}
		return k, nil
	}
	if d, err := parseTime(text); err == nil && k.Objectives.Len() > 0 && k.Objectives.At(0).Metric != slo.ErrorRate {
		return changeObjective(k, func(o *slo.Objective) { o.Limit = d }), nil
	}
	objectives, err := slo.ParseObjectives(text)
	if err == nil {
		k.Objectives = objectives
	}
	return k, err
}

// parseShareOf reads a percentage into the first objective.
func parseShareOf(what string, of func(*slo.Objective) *float64) func(engine.Knobs, string) (engine.Knobs, error) {
	return func(k engine.Knobs, text string) (engine.Knobs, error) {
		if k.Objectives.Len() == 0 && IsOff(text) {
			return k, nil
		}
		if k.Objectives.Len() == 0 {
			return k, fmt.Errorf("there is no objective; set one with :obj, such as :obj ttft p99 <= 500ms over 1m for 99%%")
		}
		v, err := parsePercent(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "p"))
		if err != nil || !(v > 0 && v <= 100) {
			return k, fmt.Errorf("%q is not a %s; write a percentage above 0 and up to 100, such as 99", text, what)
		}
		return changeObjective(k, func(o *slo.Objective) { *of(o) = shareOf(v) }), nil
	}
}

// ParseObjectives reads objectives into the knobs.
func ParseObjectives(k engine.Knobs, text string) (engine.Knobs, error) {
	if IsOff(text) {
		k.Objectives = slo.Objectives{}
		return k, nil
	}
	all, err := slo.ParseObjectives(text)
	if err != nil {
		return k, err
	}
	k.Objectives = all
	return k, nil
}
