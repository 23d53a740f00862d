// This file is the canary's line: what light requests beside the load are answered, apart from all figures of the load.

package live

import (
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// canaryRows is how many lines the canary gets.
func (a *layout) canaryRows() int {
	if a.Shown.Canary == nil {
		return 0
	}
	return 1
}

// canaryLine has the most important first; what does not fit is left out.
func canaryLine(v *page.Frame, w int) []string {
	f := &v.Shown.Canary.Live
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Title, "canary")
	for _, group := range canaryGroups(v, f) {
		if l.Room() < 2+cell.WidthOf(group) {
			break
		}
		l.Skip(2).Pieces(group)
	}
	return []string{l.String()}
}

func canaryGroups(v *page.Frame, f *snapshot.CanaryFigures) [][]cell.Piece {
	const late = 10 * time.Millisecond // then the time before the request was sent is worth a word
	groups := [][]cell.Piece{canaryLatency(v.Theme, "TTFT", &f.TTFT), canaryLatency(v.Theme, "E2EL", &f.E2EL)}
	add := func(pieces ...cell.Piece) { groups = append(groups, pieces) }
	add(cell.Muted("n="), cell.Text(cell.Grouped(int64(f.OK))))
	if f.Failed > 0 {
		add(cell.Bad(v.Theme.Glyphs.Cross + " " + cell.Grouped(int64(f.Failed)) + " failed"))
	} else {
		add(cell.Muted("0 failed"))
	}
	if f.Skipped > 0 {
		add(cell.Warn(cell.Grouped(int64(f.Skipped)) + " skipped"))
	}
	if lag := f.DispatchLag.P99; lag > late {
		add(cell.Warn("sent " + cell.Latency(lag).String() + " late"))
	}
	rate := "off"
	if v.Shown.Knobs.Canary > 0 {
		rate = cell.Exactly(v.Shown.Knobs.Canary) + "/s"
	}
	add(cell.Muted(cell.WindowName(v.Shown.Knobs.Window) + "  " + rate))
	if f.Problem != "" {
		add(cell.Muted(cell.Sanitise(f.Problem, &v.Theme.Glyphs)))
	}
	return groups
}

// canaryLatency is the median and the 99th percentile: "TTFT p50 41.2 p99 88.0* ms".
func canaryLatency(th *theme.Theme, name string, d *stats.Distribution) []cell.Piece {
	if d.N == 0 {
		return []cell.Piece{cell.Muted(name + " "), cell.Muted(cell.Unknown)}
	}
	unit := cell.LatencyUnit(d.P50)
	out := []cell.Piece{
		cell.Muted(name + " p50 "), cell.Text(cell.LatencyIn(unit, d.P50)), cell.Muted(" p99 "), cell.Text(cell.LatencyIn(unit, d.P99)),
	}
	if stats.Few(d.N, 0.99) {
		out = append(out, cell.Warn("*"))
	}
	return append(out, cell.Muted(" "+cell.FitGlyphs(unit, &th.Glyphs)))
}
