// This file is the accelerators: activity, memory, power; every figure under its own name.

package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tokdyno/engine"
	"tokdyno/gpu"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

const noSource = "no GPU source yet"

func (v *view) gpuPanel() panel {
	p := titled("GPU")
	p.focused = v.focus == partGPU
	r := v.shown.GPU
	if r == nil {
		p.body = func(w, h int) []string { return v.centred(w, h, noSource) }
		return p
	}
	p.aside = []piece{{theme.Muted, foreign(r.Source, &v.th.Glyphs)}}
	if r.Simulated {
		p.aside = []piece{{theme.Simulated, "SIMULATED"}}
	}
	p.body = v.gpuLines
	if r.Err != nil {
		why := foreign(r.Err.Error(), &v.th.Glyphs)
		p.body = func(w, h int) []string { return v.centred(w, h, why) }
	}
	return p
}

// The widths of the device table's columns. The name takes what it likes of the room, the memory bar the rest.
const (
	gpuLeastName = 11
	gpuMostName  = 26
	gpuShare     = 7  // "SM act", "util"
	gpuMemory    = 15 // " 71.2/80.0 GiB"
	gpuPower     = 8
	gpuTemp      = 6
	gpuLeastBar  = 7
)

// gpuColumns is where the columns of the table end, or begin where they are called so.
type gpuColumns struct{ name, sm, util, barAt, bar, memory, power, temp int }

func gpuTable(w int) gpuColumns {
	const fixed = 2*gpuShare + 2 + gpuMemory + gpuPower + gpuTemp
	var c gpuColumns
	c.name = min(max(w-fixed-4*gpuLeastBar, gpuLeastName), gpuMostName)
	c.sm = c.name + gpuShare
	c.util = c.sm + gpuShare
	c.barAt = c.util + 2
	c.bar = max(w-fixed-c.name, 0)
	c.temp = w - 1
	c.power = w - gpuTemp
	c.memory = c.power - gpuPower
	return c
}

func (v *view) gpuLines(w, h int) []string {
	devices := v.shown.GPU.Devices
	if len(devices) == 0 {
		return v.centred(w, h, "no devices")
	}
	c := gpuTable(w)
	head := newLine(v.th, w)
	head.flush(c.sm, theme.Muted, "SM act").flush(c.util, theme.Muted, "util").to(c.barAt)
	head.put(theme.Muted, "memory").flush(c.power, theme.Muted, "power").flush(c.temp, theme.Muted, "temp")
	lines := []string{head.String()}

	const trendRows = 3
	rows := h - 1
	if rows >= min(len(devices), 4)+trendRows {
		rows -= trendRows
	}
	for i := range devices {
		if len(lines)-1 == rows-1 && len(devices)-i > 1 {
			more := fmt.Sprintf("+%d more", len(devices)-i)
			lines = append(lines, newLine(v.th, w).skip(2).put(theme.Muted, more).String())
			break
		}
		lines = append(lines, v.deviceLine(&devices[i], c, w))
	}
	if h-len(lines) >= trendRows {
		lines = append(lines, v.gpuTrends(w, h-len(lines))...)
	}
	return lines
}

func (v *view) deviceLine(d *gpu.Device, c gpuColumns, w int) string {
	l := newLine(v.th, w)
	name := strings.TrimPrefix(foreign(d.Name, &v.th.Glyphs), "NVIDIA ")
	l.put(theme.Muted, strconv.Itoa(d.Index)+" ")
	within := newLine(v.th, c.name-l.at).put(theme.Title, name)
	l.painted(within.String(), within.width)
	v.reading(l, c.sm, d.SMActive, "%.0f", " %")
	v.reading(l, c.util, d.UtilPercent, "%.0f", " %")
	l.to(c.barAt)
	if d.MemUsedMiB.OK() && d.MemTotalMiB.OK() && d.MemTotalMiB.V > 0 {
		l.painted(chart.Bar(d.MemUsedMiB.V/d.MemTotalMiB.V, c.bar, theme.Series1, *v.th), c.bar)
	}
	l.flush(c.memory, theme.Text, memory(d.MemUsedMiB, d.MemTotalMiB))
	v.reading(l, c.power, d.PowerW, "%.0f", " W")
	v.reading(l, c.temp, d.TempC, "%.0f", v.th.Glyphs.Degree)
	return l.String()
}

// reading writes a value so that it ends in a column, or why there is none.
func (v *view) reading(l *line, end int, value gpu.Value, format, unit string) {
	if !valid(value) {
		l.flush(end, theme.Muted, unknown)
		return
	}
	l.flush(end-cells(unit), theme.Text, fmt.Sprintf(format, value.V)).put(theme.Muted, unit)
}

// valid reports whether a value is a number that can be shown.
func valid(v gpu.Value) bool { return v.OK() && !math.IsNaN(v.V) && !math.IsInf(v.V, 0) }

// memory is "71.2/80.0 GiB".
func memory(used, total gpu.Value) string {
	gib := func(v gpu.Value) string {
		if !valid(v) {
			return unknown
		}
		return gibibytes(v.V)
	}
	if !valid(used) && !valid(total) {
		return unknown
	}
	return gib(used) + "/" + gib(total) + " GiB"
}

// gibibytes writes MiB as GiB with three digits.
func gibibytes(mib float64) string {
	decimals := 1
	if mib >= 99.95*1024 {
		decimals = 0
	}
	return strconv.FormatFloat(mib/1024, 'f', decimals, 64)
}

// gpuTrends draws the last minutes of all devices' mean, a line per figure.
func (v *view) gpuTrends(w, h int) []string {
	points := last(v.shown.GPUHistory, sparkReach)
	first := 0
	if len(points) > 0 {
		first = int(points[0].At.Elapsed().Seconds())
	}
	const name = 8
	trends := []struct {
		name string
		of   func(*engine.GPUPoint) float64
		top  float64
	}{
		{"SM act", func(p *engine.GPUPoint) float64 { return p.SMActivePercent }, 100},
		{"util", func(p *engine.GPUPoint) float64 { return p.UtilPercent }, 100},
		{"memory", func(p *engine.GPUPoint) float64 { return p.MemUsedFraction }, 1},
	}
	lines := fitted(nil, w, h-len(trends))
	for _, t := range trends {
		n := w - name - 1
		values := squeezed(series(points, t.of), first, 2*sparkSeconds, n)
		l := newLine(v.th, w).put(theme.Muted, t.name).to(name)
		lines = append(lines, l.painted(chart.Spark(values, n, t.top, theme.Series1, *v.th), n).String())
	}
	return lines
}

// gpuLine is the accelerators in one line of the compact screen: the busiest means of all devices.
func (v *view) gpuLine(w int) string {
	l := newLine(v.th, w).skip(1).put(theme.Text, "GPU")
	r := v.shown.GPU
	switch {
	case r == nil:
		return l.to(18).put(theme.Muted, noSource).String()
	case len(r.Devices) == 0:
		why := "no devices"
		if r.Err != nil {
			why = foreign(r.Err.Error(), &v.th.Glyphs)
		}
		return l.to(18).put(theme.Muted, why).String()
	}
	if n := len(r.Devices); n > 1 {
		l.put(theme.Muted, fmt.Sprintf(" %s%d", v.th.Glyphs.Times, n))
	}
	if r.Simulated {
		l.skip(1).put(theme.Simulated, "SIM")
	}
	total := func(of func(*gpu.Device) gpu.Value) (sum gpu.Value) {
		for i := range r.Devices {
			value := of(&r.Devices[i])
			if !valid(value) {
				return gpu.NA(unknown)
			}
			sum.V += value.V
		}
		return sum
	}
	share := func(of func(*gpu.Device) gpu.Value) string {
		sum := total(of)
		if !valid(sum) {
			return unknown
		}
		return fmt.Sprintf("%.0f %%", sum.V/float64(len(r.Devices)))
	}
	sm := share(func(d *gpu.Device) gpu.Value { return d.SMActive })
	util := share(func(d *gpu.Device) gpu.Value { return d.UtilPercent })
	l.to(14).put(theme.Muted, "SM act").flush(26, theme.Title, sm)
	l.to(28).put(theme.Muted, "util").flush(38, theme.Text, util)
	l.to(40).put(theme.Text, memory(
		total(func(d *gpu.Device) gpu.Value { return d.MemUsedMiB }),
		total(func(d *gpu.Device) gpu.Value { return d.MemTotalMiB })))
	points := last(v.shown.GPUHistory, sparkReach)
	if len(points) > 0 && l.room() > 4 {
		l.to(54)
		n := l.room() - 1
		values := series(points, func(p *engine.GPUPoint) float64 { return p.SMActivePercent })
		first := int(points[0].At.Elapsed().Seconds())
		l.painted(chart.Spark(squeezed(values, first, sparkSeconds, n), n, 100, theme.Series1, *v.th), n)
	}
	return l.String()
}
