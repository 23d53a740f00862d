// This file is what output costs: in accelerators, in energy and in money.

package ui

import (
	"strconv"

	"tokdyno/engine"
	"tokdyno/gpu/optional"
	"tokdyno/ui/theme"
)

// costRows is the height of the panel's contents.
const costRows = 4

// costFigure is one of the figures of efficiency, and how it is written everywhere.
type costFigure struct {
	name, unit string
	energy     bool // it rests on energy, which may be an estimate
	write      func(float64) string
	of         func(*engine.Efficiency) optional.Value
}

func costFigures() [costRows]costFigure {
	return [...]costFigure{
		{"output per GPU", " tok/s", false, rate, func(e *engine.Efficiency) optional.Value { return e.OutputPerGPU }},
		{"per joule", " tok/J", true, digits, func(e *engine.Efficiency) optional.Value { return e.TokensPerJoule }},
		{"per kilowatt", " tok/s", true, rate, func(e *engine.Efficiency) optional.Value { return e.OutputPerKW }},
		{"cost per million", "", false, digits, func(e *engine.Efficiency) optional.Value { return e.CostPerMillion }},
	}
}

// costPanel shows them for the current stage.
func costPanel(v *Frame) panel {
	p := titled("Efficiency of output")
	row := stageRow(v.shown)
	if row == nil {
		p.body = func(w, h int) []string { return centred(v.th, w, h, "no stage yet") }
		return p
	}
	p.aside = []piece{{theme.Muted, "stage " + strconv.Itoa(row.Number)}}
	why := row.Efficiency.OutputPerGPU // the reason that most of them share
	if why.OK() {
		why = row.Efficiency.TokensPerJoule
	}
	switch {
	case !why.OK() && why.NA != "":
		p.foot = []piece{{theme.Muted, foreign(why.NA, &v.th.Glyphs)}}
	case row.Efficiency.Estimated:
		p.foot = []piece{{theme.Warn, "~ energy from power readings"}}
	}
	p.body = func(w, h int) []string {
		const name = inset + 18
		var lines []string
		for _, f := range costFigures() {
			value, mark := f.of(&row.Efficiency), ""
			if estimated(v.shown) || f.energy && row.Efficiency.Estimated {
				mark = "~"
			}
			l := newLine(v.th, w).skip(inset).put(theme.Muted, f.name).to(name)
			shown := valued(v.th, value, w-name, theme.Title, func(x float64) string { return mark + f.write(x) }, f.unit)
			if !value.OK() && value.NA == why.NA {
				shown = unknownCell()
			}
			lines = append(lines, l.pieces(shown).String())
		}
		return lines
	}
	return p
}
