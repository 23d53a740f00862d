// This file is what output costs: in accelerators, in energy and in money.

package machine

import (
	"strconv"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// costRows is the height of the panel's contents.
const costRows = 4

// costFigure is one of the figures of efficiency, and how it is written everywhere.
type costFigure struct {
	name, unit string
	energy     bool // it rests on energy, which may be an estimate
	write      func(float64) string
	of         func(*snapshot.Efficiency) optional.Value
}

func costFigures() [costRows]costFigure {
	return [...]costFigure{
		{"output per GPU", " tok/s", false, cell.Rate, func(e *snapshot.Efficiency) optional.Value { return e.OutputPerGPU }},
		{"per joule", " tok/J", true, cell.Digits, func(e *snapshot.Efficiency) optional.Value { return e.TokensPerJoule }},
		{"per kilowatt", " tok/s", true, cell.Rate, func(e *snapshot.Efficiency) optional.Value { return e.OutputPerKW }},
		{"cost per million", "", false, cell.Digits, func(e *snapshot.Efficiency) optional.Value { return e.CostPerMillion }},
	}
}

// costPanel shows them for the current stage.
func costPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("Efficiency of output")
	row := device.StageRow(v.Shown)
	if row == nil {
		p.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, "no stage yet") }
		return p
	}
	p.Aside = []cell.Piece{cell.Muted("stage " + strconv.Itoa(row.Number))}
	why := row.Efficiency.OutputPerGPU // the reason that most of them share
	if why.OK() {
		why = row.Efficiency.TokensPerJoule
	}
	switch {
	case !why.OK() && why.NA != "":
		p.Foot = []cell.Piece{cell.Muted(cell.Sanitise(why.NA, &v.Theme.Glyphs))}
	case row.Efficiency.Estimated:
		p.Foot = []cell.Piece{cell.Warn("~ energy from power readings")}
	}
	p.Body = func(w, h int) []string {
		const name = cell.Inset + 18
		var lines []string
		for _, f := range costFigures() {
			value, mark := f.of(&row.Efficiency), ""
			if figure.Estimated(v.Shown) || f.energy && row.Efficiency.Estimated {
				mark = "~"
			}
			l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, f.name).To(name)
			shown := figure.Valued(v.Theme, value, w-name, theme.Title, func(x float64) string { return mark + f.write(x) }, f.unit)
			if !value.OK() && value.NA == why.NA {
				shown = cell.NA()
			}
			lines = append(lines, l.Pieces(shown).String())
		}
		return lines
	}
	return p
}
