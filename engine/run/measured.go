// This file is a run as it goes into a comparison.

package run

import (
	"slices"
	"strconv"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/engine/units"
)

// NewMeasured is a run as it goes into a comparison: its report, what it is called, what was measured of its stages, and of a
// duel which side it was. Where each side had its turns, all turns of a load count, also those that differ from the others: to
// leave such out would make a side look steadier than it is, and be a choice by what was found.
func NewMeasured(r *Report, name string, seriesOf func(stage int) *compare.Series, side compare.Side) *compare.Measured {
	m := &compare.Measured{
		Duel: side,
		Run: compare.Run{
			Name: name, URL: r.Endpoint.URL, Model: r.Endpoint.Model, Server: r.Endpoint.Server, Started: r.Started,
			Load: r.Load.Text, ShapeHash: r.Load.ShapeHash, Simulated: r.Simulated,
		},
		Asks:  asks(&r.Load.Shape),
		Doubt: r.Distrust(),
	}
	for i := range r.Levels {
		l := &r.Levels[i]
		var stages []*compare.Series
		numbers := l.Stages
		if side.Turns {
			numbers = slices.Concat(l.Apart, l.Stages)
		}
		for _, n := range numbers {
			stages = append(stages, seriesOf(n))
		}
		m.Levels = append(m.Levels, compare.MeasuredLevel{
			Name: l.Name, Axis: l.Load.Mode, Level: l.Level, Series: compare.Join(stages),
		})
	}
	if level, rest, ok := strings.Cut(m.Load, "  "); ok && len(m.Levels) > 1 && level != "" {
		m.Load = m.LevelNames() + "  " + rest // not only the last
	}
	return m
}

// asks is what makes up the shape of a run's requests.
func asks(s *Shape) []compare.Fact {
	text := func(of *string) string {
		if of == nil {
			return "none"
		}
		return *of
	}
	return []compare.Fact{
		{Name: "prompt tokens", Value: s.PromptTokens},
		{Name: "output tokens", Value: s.OutputTokens},
		{Name: "prefix overlap", Value: units.Share(s.PrefixOverlap)},
		{Name: "prefixes", Value: strconv.Itoa(s.Prefixes)},
		{Name: "text", Value: s.Text},
		{Name: "turns", Value: text(s.Turns)},
		{Name: "think time", Value: units.Number(s.ThinkS) + " s"},
		{Name: "data set", Value: text(s.Data)},
	}
}
