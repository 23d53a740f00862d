// This file is the settings of the objectives: all of them together, and the elements of the first.

package presets

import (
	"errors"
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

func objectivesSetting() *Setting {
	return &Setting{
		Name: "objectives", Short: "obj", Title: "objectives", Example: "ttft p99 <= 500ms over 1m for 99%", Words: []string{"off"},
		Says:  "what the percentiles of many requests are held against, second by second",
		Takes: "`objectives` such as 'ttft p99 <= 500ms over 5m for 99.9%', several parted by semicolons, or off for none",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			k.Objectives, err = slo.ParseObjectives(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string {
			if k.Objectives.Len() == 0 {
				return "off"
			}
			return k.Objectives.String()
		},
	}
}

// objectiveSettings are the elements of the first objective: parts of the setting objectives. Without one they are off,
// and to set the first is to set an objective.
func objectiveSettings() []*Setting {
	limit := &Setting{
		Name: "objective", Title: "objective", Example: "300ms", Words: []string{"off"},
		Says:  "limit of the first objective",
		Takes: "a `limit` such as 300ms, or an objective such as ttft p99 <= 500ms over 1m for 99%, or off for none",
		set:   setObjective,
		print: ofObjective(func(o slo.Objective) string {
			if o.Metric == slo.ErrorRate {
				return o.Metric.String() + " " + units.ShareApart(o.MaxErrors)
			}
			return o.Metric.String() + " " + units.TimeApart(o.Limit)
		}),
		note: func(_ snapshot.Knobs, s *snapshot.Snapshot) string {
			if len(s.Objectives) == 0 {
				return ""
			}
			share, ok := s.Objectives[0].Attainment()
			if !ok {
				return "n/a"
			}
			return units.RoundedDown(share) + " of seconds"
		},
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return changeObjective(k, func(o *slo.Objective) {
				if o.Metric != slo.ErrorRate {
					o.Limit = scale.FromMilliseconds(scale.Limit(scale.Milliseconds(o.Limit), up))
					return
				}
				o.MaxErrors = scale.Percent([]float64{0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50}, o.MaxErrors, up)
			})
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			const mostErrors = 0.5
			return changeObjective(k, func(o *slo.Objective) {
				o.Limit = scale.FromMilliseconds(scale.Milliseconds(o.Limit) * factor)
				o.MaxErrors = min(o.MaxErrors*factor, max(mostErrors, o.MaxErrors))
			})
		},
	}
	percentile := objectiveShare(Setting{
		Name: "percentile", Title: "percentile", Example: "p99",
		Says: "percentile of the first objective", Takes: "a `percentile` such as p95 or p99.9", is: "a percentile",
	}, []float64{50, 75, 90, 95, 98, 99, 99.5, 99.9}, func(o *slo.Objective) *float64 { return &o.Percentile })
	percentile.print = ofObjective(func(o slo.Objective) string {
		if o.Metric == slo.ErrorRate {
			return "none"
		}
		return "p" + strings.TrimSuffix(units.Share(o.Percentile), "%")
	})
	target := objectiveShare(Setting{
		Name: "objective_target", Title: "objective for", Example: "99.9%",
		Says: "in how many of the seconds the first objective has to hold", Takes: "a `share` above 0% such as 99.9%", is: "a target",
	}, targets(), func(o *slo.Objective) *float64 { return &o.Target })
	target.print = ofObjective(func(o slo.Objective) string { return units.ShareApart(o.Target) })
	return []*Setting{limit, percentile, target}
}

// objectiveShare completes the setting of a share of the first objective, turned along percentages.
func objectiveShare(s Setting, along []float64, of func(*slo.Objective) *float64) *Setting {
	s.turn = func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
		return changeObjective(k, func(o *slo.Objective) { *of(o) = scale.Percent(along, *of(o), up) })
	}
	s.set = func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
		if s.print(k) == text || k.Objectives.Len() == 0 && units.Off(text) {
			return k, nil
		}
		if k.Objectives.Len() == 0 {
			return k, errors.New("there is no objective; set one with :obj, such as :obj ttft p99 <= 500ms over 1m for 99%")
		}
		if number, marked := strings.CutPrefix(strings.ToLower(text), "p"); marked && !strings.HasSuffix(text, "%") {
			text = number + "%" // p99 says what 99 is of
		}
		share, err := units.ParseShare(text)
		if err != nil {
			return k, err
		}
		next := changeObjective(k, func(o *slo.Objective) { *of(o) = share })
		if *of(first(next)) != share {
			return k, errRefused
		}
		return next, nil
	}
	return &s
}

// first is a copy of the first objective, of which there is one.
func first(k snapshot.Knobs) *slo.Objective {
	o := k.Objectives.At(0)
	return &o
}

// ofObjective writes the first objective; "off" where there is none.
func ofObjective(write func(slo.Objective) string) func(snapshot.Knobs) string {
	return func(k snapshot.Knobs) string {
		if k.Objectives.Len() == 0 {
			return "off"
		}
		return write(k.Objectives.At(0))
	}
}

// changeObjective changes the first objective, if there is one and what comes out is one.
func changeObjective(k snapshot.Knobs, change func(*slo.Objective)) snapshot.Knobs {
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

// setObjective reads the limit of the first objective, as it is typed or shown, or whole objectives in the place of all.
func setObjective(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
	if k.Objectives.Len() == 0 || units.Off(text) || strings.ContainsAny(text, "<=≤") {
		objectives, err := slo.ParseObjectives(text)
		if err == nil {
			k.Objectives = objectives
		}
		return k, err
	}
	o := *first(k)
	limit := strings.TrimPrefix(strings.ToLower(text), o.Metric.String())
	var err error
	if o.Metric == slo.ErrorRate {
		o.MaxErrors, err = units.ParseShare(limit)
	} else {
		o.Limit, err = units.ParseTime(limit, "300ms")
	}
	if err == nil {
		err = o.Validate()
	}
	if err != nil {
		return k, err
	}
	return changeObjective(k, func(first *slo.Objective) { *first = o }), nil
}
