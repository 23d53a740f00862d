// This file is the accelerators on the Live page: the table, the trends, and the lines of a small screen.

package ui

import (
	"fmt"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// gpuPanel shows the accelerators, and beneath them the inference server in a line.
func gpuPanel(v *Frame) panel {
	p := titled("GPU")
	p.aside = sourcePieces(v)
	p.body = func(w, h int) []string {
		foot := serverLine(v, w)
		h -= len(foot)
		var lines []string
		if why := noDevices(v); why != "" {
			lines = centred(v.th, w, h, why)
		} else {
			lines = gpuLines(v, w, h)
		}
		return append(fitted(lines, w, h), foot...)
	}
	return p
}

// gpuLines is the table of devices, and their trends where there is room.
func gpuLines(v *Frame, w, h int) []string {
	const trendRows = 3
	devices := v.shown.GPU.Devices
	table := h
	if h >= 2+min(len(devices), 4)+trendRows {
		table -= trendRows
	}
	lines := devicesLines(v, v.shown.GPU, -1, w, table)
	if rest := h - len(lines); rest >= trendRows {
		lines = append(lines, gpuTrends(v, w, rest)...)
	}
	return lines
}

// The figures of a point of the accelerators' trend, in percent.
func smActive(p *engine.GPUPoint) float64   { return p.SMActivePercent }
func gpuUtil(p *engine.GPUPoint) float64    { return p.UtilPercent }
func memoryUsed(p *engine.GPUPoint) float64 { return 100 * p.MemUsedFraction }

// gpuTrends draws the last minutes of all devices' mean, a line per figure.
func gpuTrends(v *Frame, w, h int) []string {
	const name = inset + 8
	points := last(v.shown.GPUHistory, sparkReach)
	trends := []struct {
		name string
		of   func(*engine.GPUPoint) float64
	}{{"SM act", smActive}, {"util", gpuUtil}, {"memory", memoryUsed}}
	lines := fitted(nil, w, h-len(trends))
	for _, t := range trends {
		n := w - name - 1
		values := squeezed(series(points, t.of), gpuSecond(points), 2*sparkSeconds, n)
		l := newLine(v.th, w).skip(inset).put(theme.Muted, t.name).to(name)
		lines = append(lines, l.painted(spark(values, n, 100, theme.Series1, v.th), n).String())
	}
	return lines
}

// gpuSecond is the whole second of the run at which the first point ends.
func gpuSecond(points []engine.GPUPoint) int {
	if len(points) == 0 {
		return 0
	}
	return int(points[0].At.Elapsed().Seconds())
}

// gpuLine is the accelerators' activity in one line of the compact screen; their memory too where it has no line of its
// own.
func gpuLine(v *Frame, w int) string {
	l := newLine(v.th, w).skip(1)
	if v.shown.GPUElsewhere {
		l.put(theme.Warn, "local ") // not known to be behind the endpoint
	}
	l.put(theme.Text, "GPU")
	r := v.shown.GPU
	if why := noDevices(v); why != "" {
		return l.to(18).put(theme.Muted, why).String()
	}
	if n := wholeDevices(r.Devices); n > 1 {
		l.put(theme.Muted, fmt.Sprintf(" %s%d", v.th.Glyphs.Times, n))
	}
	switch {
	case r.Stale > 0:
		l.skip(1).put(theme.Warn, fmt.Sprintf("%s %.0fs", v.th.Glyphs.Alert, r.Stale.Seconds()))
	case r.Simulated:
		l.skip(1).put(theme.Simulated, "SIM")
	}
	all := together(r.Devices)
	row := rowOfDevice(v, r, &all, all.MemUsedMiB)
	right := func(end int, value []piece) { l.to(end - pieceCells(value)).pieces(value) }
	l.to(15).put(theme.Muted, "SM act")
	right(27, valued(v.th, all.SMActive, 5, row.role, whole, " %"))
	l.to(29).put(theme.Muted, "util")
	right(39, valued(v.th, all.UtilPercent, 5, row.role, whole, " %"))
	if v.shows(partGaugeMemory) {
		right(47, watts(v.th, all.PowerW, 7, row.role))
		right(52, valued(v.th, all.TempC, 4, row.role, whole, "°"))
	} else {
		l.to(41).put(row.role, memory(all.MemUsedMiB, all.MemTotalMiB))
	}
	return gpuSpark(v, l, smActive)
}

// memoryLine is the accelerators' memory in one line of the compact screen.
func memoryLine(v *Frame, w int) string {
	l := newLine(v.th, w).skip(1).put(theme.Text, "GPU memory")
	r := v.shown.GPU
	if noDevices(v) != "" {
		return l.to(18).put(theme.Muted, unknown).String()
	}
	all := together(r.Devices)
	row := rowOfDevice(v, r, &all, all.MemUsedMiB)
	if all.MemTotalMiB.OK() && all.MemTotalMiB.V > 0 && all.MemUsedMiB.OK() {
		l.flush(27, row.role, whole(100*all.MemUsedMiB.V/all.MemTotalMiB.V)).put(theme.Muted, " %")
	}
	l.to(32)
	if all.MemUsedMiB.OK() || all.MemTotalMiB.OK() {
		l.put(row.role, memory(all.MemUsedMiB, all.MemTotalMiB))
	} else {
		l.pieces([]piece{excuse(v.th, all.MemUsedMiB, 20)})
	}
	return gpuSpark(v, l, memoryUsed)
}

// gpuSpark ends a line of the compact screen with a trend, in the column in which gauges have theirs.
func gpuSpark(v *Frame, l *line, of func(*engine.GPUPoint) float64) string {
	points := last(v.shown.GPUHistory, sparkReach)
	if len(points) > 0 && l.room() > 4 {
		l.to(54)
		n := l.room() - 1
		l.painted(spark(squeezed(series(points, of), gpuSecond(points), sparkSeconds, n), n, 100, theme.Series1, v.th), n)
	}
	return l.String()
}

// deviceCount is how many accelerators are shown.
func deviceCount(s *engine.Snapshot) int {
	if s.GPU == nil {
		return 0
	}
	return len(s.GPU.Devices)
}
