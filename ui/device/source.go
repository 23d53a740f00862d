// This file says where the accelerators' figures come from, and what is wrong with that.

package device

import (
	"fmt"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The figures of a point of the accelerators' trend, in percent.
func SMActive(p *snapshot.GPUPoint) float64   { return p.SMActivePercent }
func GPUUtil(p *snapshot.GPUPoint) float64    { return p.UtilPercent }
func MemoryUsed(p *snapshot.GPUPoint) float64 { return 100 * p.MemUsedFraction }

// noSource is said until there is a reading, where nobody said why there is none.
const noSource = "no GPU source yet"

// NoDevices says why there is nothing to show of accelerators; "" where there is.
func NoDevices(v *page.Frame) string {
	r := v.Shown.GPU
	switch {
	case r == nil && v.Shown.GPUNote != "":
		return cell.Sanitise(v.Shown.GPUNote, &v.Theme.Glyphs)
	case r == nil:
		return noSource
	case len(r.Devices) == 0 && r.Err != nil:
		return cell.Sanitise(r.Err.Error(), &v.Theme.Glyphs)
	case len(r.Devices) == 0:
		return "no devices"
	}
	return ""
}

// Elsewhere is NoDevices with what to do about it, where none is read: as long as there is room for sentences.
func Elsewhere(v *page.Frame) string {
	why := NoDevices(v)
	if why == "" || v.Shown.GPU != nil || v.Shown.Replay != nil {
		return why
	}
	return why + ". Begin with --gpu ssh:HOST, or with --gpu and the URL of an exporter, to read those of the server."
}

// Source name the source: whether it is simulated, still answers, and is known to be behind the endpoint.
func Source(v *page.Frame) []cell.Piece {
	r, g := v.Shown.GPU, &v.Theme.Glyphs
	if r == nil {
		return nil
	}
	name := cell.Muted(cell.Sanitise(r.Source, g))
	if r.Simulated {
		name = cell.In(theme.Simulated, "SIMULATED")
	}
	out := []cell.Piece{name}
	if v.Shown.GPUElsewhere {
		out = append([]cell.Piece{cell.Warn(g.Alert + " " + gpu.TextElsewhere), cell.Muted("  ")}, out...)
	}
	switch {
	case r.Stale > 0:
		out = append(out, cell.Warn(fmt.Sprintf("  %s stale %.0f s", g.Alert, r.Stale.Seconds())))
	case r.Err != nil:
		out = append(out, cell.Warn("  "+g.Alert+" no answer"))
	}
	return out
}
