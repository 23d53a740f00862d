// This file is the accelerators on the Live page: the table, the trends, and the lines of a small screen.

package live

import (
	"fmt"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/ui/cell"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// gpuPanel shows the accelerators, and beneath them the inference server in a line.
func gpuPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("GPU")
	p.Aside = device.Source(v)
	p.Body = func(w, h int) []string {
		foot := device.ServerLine(v, w)
		h -= len(foot)
		var lines []string
		if why := device.Elsewhere(v); why != "" {
			lines = cell.Centred(v.Theme, w, h, why)
		} else {
			lines = gpuLines(v, w, h)
		}
		return append(cell.Fitted(lines, w, h), foot...)
	}
	return p
}

// gpuLines is the table of devices, and their trends where there is room.
func gpuLines(v *page.Frame, w, h int) []string {
	const trendRows = 3
	devices := v.Shown.GPU.Devices
	table := h
	if h >= 2+min(len(devices), 4)+trendRows {
		table -= trendRows
	}
	lines := device.Lines(v, v.Shown.GPU, device.Choice{Row: -1}, w, table)
	if rest := h - len(lines); rest >= trendRows {
		lines = append(lines, gpuTrends(v, w, rest)...)
	}
	return lines
}

// gpuTrends draws the last minutes of all devices' mean, a line per figure.
func gpuTrends(v *page.Frame, w, h int) []string {
	const name = cell.Inset + 8
	points := cell.Last(v.Shown.GPUHistory, figure.SparkReach)
	trends := []struct {
		name string
		of   func(*snapshot.GPUPoint) float64
	}{{"SM act", device.SMActive}, {"util", device.GPUUtil}, {"memory", device.MemoryUsed}}
	lines := cell.Fitted(nil, w, h-len(trends))
	for _, t := range trends {
		n := w - name - 1
		values := figure.Squeezed(figure.Series(points, t.of), device.SecondOf(points), 2*figure.SparkSeconds, n)
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, t.name).To(name)
		lines = append(lines, l.Painted(figure.Spark(values, n, 100, theme.Series1, v.Theme), n).String())
	}
	return lines
}

// gpuLine is the accelerators' activity in one line of the compact screen; their memory too where it has no line of its
// own.
func gpuLine(v *page.Frame, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(1)
	if v.Shown.GPUElsewhere {
		l.Put(theme.Warn, "local ") // not known to be behind the endpoint
	}
	l.Put(theme.Text, "GPU")
	r := v.Shown.GPU
	if why := device.NoDevices(v); why != "" {
		return l.To(18).Put(theme.Muted, why).String()
	}
	if n := gpu.Count(r.Devices); n > 1 {
		l.Put(theme.Muted, fmt.Sprintf(" %s%d", v.Theme.Glyphs.Times, n))
	}
	switch {
	case r.Stale > 0:
		l.Skip(1).Put(theme.Warn, fmt.Sprintf("%s %.0fs", v.Theme.Glyphs.Alert, r.Stale.Seconds()))
	case r.Simulated:
		l.Skip(1).Put(theme.Simulated, "SIM")
	}
	all := device.Together(r.Devices)
	row := device.RowOf(v, r, &all, all.MemUsedMiB)
	right := func(end int, value []cell.Piece) { l.To(end - cell.WidthOf(value)).Pieces(value) }
	l.To(15).Put(theme.Muted, "SM act")
	right(27, figure.Valued(v.Theme, all.SMActive, 5, row.Role, cell.Whole, " %"))
	l.To(29).Put(theme.Muted, "util")
	right(39, figure.Valued(v.Theme, all.UtilPercent, 5, row.Role, cell.Whole, " %"))
	if v.Shows(partGaugeMemory) {
		right(47, figure.Watts(v.Theme, all.PowerW, 7, row.Role))
		right(52, figure.Valued(v.Theme, all.TempC, 4, row.Role, cell.Whole, "°"))
	} else {
		l.To(41).Put(row.Role, figure.Memory(all.MemUsedMiB, all.MemTotalMiB))
	}
	return gpuSpark(v, l, device.SMActive)
}

// memoryLine is the accelerators' memory in one line of the compact screen.
func memoryLine(v *page.Frame, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(1).Put(theme.Text, "GPU memory")
	r := v.Shown.GPU
	if device.NoDevices(v) != "" {
		return l.To(18).Put(theme.Muted, cell.Unknown).String()
	}
	all := device.Together(r.Devices)
	row := device.RowOf(v, r, &all, all.MemUsedMiB)
	if share := all.MemUsedShare(); share.OK() {
		l.Flush(27, row.Role, cell.Whole(100*share.V)).Put(theme.Muted, " %")
	}
	l.To(32)
	if all.MemUsedMiB.OK() || all.MemTotalMiB.OK() {
		l.Put(row.Role, figure.Memory(all.MemUsedMiB, all.MemTotalMiB))
	} else {
		l.Pieces([]cell.Piece{figure.Excuse(v.Theme, all.MemUsedMiB, 20)})
	}
	return gpuSpark(v, l, device.MemoryUsed)
}

// gpuSpark ends a line of the compact screen with a trend, in the column in which gauges have theirs.
func gpuSpark(v *page.Frame, l *cell.Line, of func(*snapshot.GPUPoint) float64) string {
	points := cell.Last(v.Shown.GPUHistory, figure.SparkReach)
	if len(points) > 0 && l.Room() > 4 {
		l.To(54)
		n := l.Room() - 1
		values := figure.Squeezed(figure.Series(points, of), device.SecondOf(points), figure.SparkSeconds, n)
		l.Painted(figure.Spark(values, n, 100, theme.Series1, v.Theme), n)
	}
	return l.String()
}
