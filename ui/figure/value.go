// This file writes values that may be unknown, and why they are.

package figure

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// FarRoom is that of a reason which is never cut.
const FarRoom = 1 << 10

// Stated is a fact that is a value: with its unit, or with the whole reason why there is none.
func Stated(th *theme.Theme, name string, value optional.Value, role theme.Role, write func(float64) string, unit string) cell.Fact {
	return cell.Fact{Name: name, Value: Valued(th, value, FarRoom, role, write, unit)}
}

// Limited writes a value against the most that it may be: "612/700 W".
func Limited(th *theme.Theme, value, most optional.Value, role theme.Role, unit string) []cell.Piece {
	if value.OK() && most.OK() {
		return []cell.Piece{cell.In(role, cell.Whole(value.V)+"/"+cell.Whole(most.V)), cell.Muted(" " + unit)}
	}
	return Valued(th, value, FarRoom, role, cell.Whole, " "+unit)
}

// Watts writes power, that of a machine with many GPUs in kilowatts.
func Watts(th *theme.Theme, value optional.Value, room int, role theme.Role) []cell.Piece {
	const kilo = 9999.5
	if value.OK() && value.V >= kilo {
		return Valued(th, optional.Of(value.V/1000), room, role, cell.Digits, " kW")
	}
	return Valued(th, value, room, role, cell.Whole, " W")
}

// Valued writes a value, or why there is none as far as that fits into the room.
func Valued(th *theme.Theme, value optional.Value, room int, role theme.Role, write func(float64) string, unit string) []cell.Piece {
	if !value.OK() {
		return []cell.Piece{Excuse(th, value, room)}
	}
	out := []cell.Piece{cell.In(role, write(value.V))}
	if unit != "" {
		out = append(out, cell.Muted(cell.FitGlyphs(unit, &th.Glyphs)))
	}
	return out
}

// Excuse is why a value is unknown, cut to the room; "n/a…" where too little of the reason would be left.
func Excuse(th *theme.Theme, value optional.Value, room int) cell.Piece {
	const legible = 10
	g := &th.Glyphs
	p := cell.Muted(cell.Sanitise(value.Why(), g))
	if value.NA == optional.ReasonLost {
		p.Role = theme.Bad
	}
	switch {
	case cell.Width(p.Text) <= room:
	case room < legible && strings.HasPrefix(p.Text, cell.Unknown):
		p.Text = ansi.Truncate(cell.Unknown+g.Ellipsis, room, "")
	default:
		p.Text = ansi.Truncate(p.Text, room, g.Ellipsis)
	}
	return p
}

// Memory is "71.2/80.0 GiB".
func Memory(used, total optional.Value) string {
	gib := func(v optional.Value) string {
		if !v.OK() {
			return cell.Unknown
		}
		return cell.Gibibytes(v.V)
	}
	return gib(used) + "/" + gib(total) + " GiB"
}
