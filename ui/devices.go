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
	gpuLeastName = inset + 11
	gpuMostName  = 26
	gpuShare     = 7  // "SM act", "util"
	gpuMemory    = 14 // " 71.2/80.0 GiB"
	gpuPower     = 8
	gpuTemp      = 6
	gpuLeastBar  = 7
	gpuReason    = 4 // cells of a reason that stands in place of a value, such as "…"
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
	room := h - 1
	if len(devices) > 1 {
		whole := together(devices)
		lines = append(lines, v.deviceLine(&whole, c, w))
		room--
	}
	if room >= min(len(devices), 4)+trendRows {
		room -= trendRows
	}
	for i := range devices {
		if left := len(devices) - i; room == 1 && left > 1 {
			more := fmt.Sprintf("+%d more", left)
			lines = append(lines, newLine(v.th, w).skip(inset+2).put(theme.Muted, more).String())
			break
		}
		lines = append(lines, v.deviceLine(&devices[i], c, w))
		room--
	}
	if h-len(lines) >= trendRows {
		lines = append(lines, v.gpuTrends(w, h-len(lines))...)
	}
	return lines
}

// everyDevice is the index of the row that stands for all devices.
const everyDevice = -1

// together is all devices as one: means of shares, sums of memory and power, the highest temperature; of those that
// say.
func together(devices []gpu.Device) gpu.Device {
	over := func(of func(*gpu.Device) gpu.Value, with func(sum, v float64) float64) (out gpu.Value, n float64) {
		out = gpu.NA(unknown)
		for i := range devices {
			value := of(&devices[i])
			if !valid(value) {
				continue
			}
			if n++; n == 1 {
				out = value
			} else {
				out.V = with(out.V, value.V)
			}
		}
		return out, n
	}
	add := func(a, b float64) float64 { return a + b }
	sum := func(of func(*gpu.Device) gpu.Value) gpu.Value {
		out, _ := over(of, add)
		return out
	}
	mean := func(of func(*gpu.Device) gpu.Value) gpu.Value {
		out, n := over(of, add)
		out.V /= max(n, 1)
		return out
	}
	hottest, _ := over(func(d *gpu.Device) gpu.Value { return d.TempC }, func(a, b float64) float64 { return max(a, b) })
	return gpu.Device{
		Index:       everyDevice,
		Name:        fmt.Sprintf("all %d", len(devices)),
		SMActive:    mean(func(d *gpu.Device) gpu.Value { return d.SMActive }),
		UtilPercent: mean(func(d *gpu.Device) gpu.Value { return d.UtilPercent }),
		MemUsedMiB:  sum(func(d *gpu.Device) gpu.Value { return d.MemUsedMiB }),
		MemTotalMiB: sum(func(d *gpu.Device) gpu.Value { return d.MemTotalMiB }),
		PowerW:      sum(func(d *gpu.Device) gpu.Value { return d.PowerW }),
		TempC:       hottest,
	}
}

func (v *view) deviceLine(d *gpu.Device, c gpuColumns, w int) string {
	l := newLine(v.th, w).skip(inset)
	name := strings.TrimPrefix(foreign(d.Name, &v.th.Glyphs), "NVIDIA ")
	if d.Index != everyDevice {
		l.put(theme.Muted, strconv.Itoa(d.Index)+" ")
	}
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

// reading writes a value so that it ends in a column, or why there is none as far as that fits.
func (v *view) reading(l *line, end int, value gpu.Value, format, unit string) {
	if valid(value) {
		l.flush(end-cells(unit), theme.Text, fmt.Sprintf(format, value.V)).put(theme.Muted, unit)
		return
	}
	reason, role := foreign(value.NA, &v.th.Glyphs), theme.Muted
	if reason == "" || cells(reason) > gpuReason {
		reason = unknown
	}
	if strings.EqualFold(reason, "lost") {
		reason, role = "LOST", theme.Bad
	}
	l.flush(end, role, reason)
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
	const name = inset + 8
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
		l := newLine(v.th, w).skip(inset).put(theme.Muted, t.name).to(name)
		lines = append(lines, l.painted(spark(values, n, t.top, theme.Series1, v.th), n).String())
	}
	return lines
}

// gpuLine is the accelerators in one line of the compact screen.
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
	whole := together(r.Devices)
	l.to(14).put(theme.Muted, "SM act")
	v.reading(l, 26, whole.SMActive, "%.0f", " %")
	l.to(28).put(theme.Muted, "util")
	v.reading(l, 38, whole.UtilPercent, "%.0f", " %")
	l.to(40).put(theme.Text, memory(whole.MemUsedMiB, whole.MemTotalMiB))
	points := last(v.shown.GPUHistory, sparkReach)
	if len(points) > 0 && l.room() > 4 {
		l.to(54)
		n := l.room() - 1
		values := series(points, func(p *engine.GPUPoint) float64 { return p.SMActivePercent })
		first := int(points[0].At.Elapsed().Seconds())
		l.painted(spark(squeezed(values, first, sparkSeconds, n), n, 100, theme.Series1, v.th), n)
	}
	return l.String()
}
