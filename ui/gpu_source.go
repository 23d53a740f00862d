// This file says where the accelerators' figures come from, and what is wrong with that.

package ui

import (
	"fmt"

	"tokdyno/gpu"
	"tokdyno/ui/theme"
)

// noSource is said until there is a reading, where nobody said why there is none.
const noSource = "no GPU source yet"

// noDevices says why there is nothing to show of accelerators; "" where there is.
func noDevices(v *Frame) string {
	r := v.shown.GPU
	switch {
	case r == nil && v.shown.GPUNote != "":
		return foreign(v.shown.GPUNote, &v.th.Glyphs)
	case r == nil:
		return noSource
	case len(r.Devices) == 0 && r.Err != nil:
		return foreign(r.Err.Error(), &v.th.Glyphs)
	case len(r.Devices) == 0:
		return "no devices"
	}
	return ""
}

// sourcePieces name the source: whether it is simulated, still answers, and is known to be behind the endpoint.
func sourcePieces(v *Frame) []piece {
	r, g := v.shown.GPU, &v.th.Glyphs
	if r == nil {
		return nil
	}
	name := piece{theme.Muted, foreign(r.Source, g)}
	if r.Simulated {
		name = piece{theme.Simulated, "SIMULATED"}
	}
	out := []piece{name}
	if v.shown.GPUElsewhere {
		out = append([]piece{{theme.Warn, g.Alert + " " + gpu.TextElsewhere}, {theme.Muted, "  "}}, out...)
	}
	switch {
	case r.Stale > 0:
		out = append(out, piece{theme.Warn, fmt.Sprintf("  %s stale %.0f s", g.Alert, r.Stale.Seconds())})
	case r.Err != nil:
		out = append(out, piece{theme.Warn, "  " + g.Alert + " no answer"})
	}
	return out
}
