// This file writes numbers the way people read them. Every figure on the screen goes through here.

package ui

import (
	"math"
	"strconv"
	"time"

	"tokdyno/engine/stats"
)

// unknown stands for a figure that nobody knows. It is never 0.
const unknown = "n/a"

// figure is a number and its unit, apart, so that numbers line up and units can be muted.
type figure struct{ number, unit string }

// String joins number and unit with a space.
func (f figure) String() string {
	if f.unit == "" {
		return f.number
	}
	return f.number + " " + f.unit
}

// known reports whether there is a number at all.
func (f figure) known() bool { return f.number != unknown }

// latency writes a duration with three digits, in ms below a second and in seconds above: 0.43 ms, 287 ms, 1.24 s.
func latency(d time.Duration) figure {
	if unit := latencyUnit(d); unit == "s" {
		return figure{seconds(d), unit}
	}
	return figure{millis(d), "ms"}
}

// latencyUnit is the unit in which a latency is best read.
func latencyUnit(d time.Duration) string {
	if d >= 999500*time.Microsecond {
		return "s"
	}
	return "ms"
}

// latencyIn writes a duration in the given unit, for columns that share one.
func latencyIn(unit string, d time.Duration) string {
	if unit == "s" {
		return seconds(d)
	}
	return millis(d)
}

func millis(d time.Duration) string  { return digits(float64(d) / float64(time.Millisecond)) }
func seconds(d time.Duration) string { return digits(d.Seconds()) }

// limit writes a threshold as it was set, without rounding: 300 ms, 1.5 s. Zero is "off".
func limit(d time.Duration) string {
	switch {
	case d <= 0:
		return "off"
	case d < time.Second:
		return exactly(float64(d)/float64(time.Millisecond)) + " ms"
	}
	return exactly(d.Seconds()) + " s"
}

// axisTime writes a chart's label of so many milliseconds, as short as it goes: 350ms, 1.5s.
func axisTime(ms float64) string {
	switch {
	case ms == 0:
		return "0"
	case ms < 1000:
		return exactly(ms) + "ms"
	}
	return exactly(ms/1000) + "s"
}

// axisCount writes a chart's label of a number: 500, 1.5k, 20k.
func axisCount(v float64) string {
	switch {
	case v >= 1e6:
		return exactly(v/1e6) + "M"
	case v >= 10_000:
		return exactly(v/1000) + "k"
	case v >= 1000:
		return grouped(int64(math.Round(v)))
	}
	return exactly(v)
}

// axisPercent writes a chart's label of a share; an axis may reach further than a share can, and says nothing there.
func axisPercent(v float64) string {
	if v > 100 {
		return ""
	}
	return exactly(v) + "%"
}

// rate writes a number per second with three digits, or all of them above a thousand: 0.42, 12.3, 3,914, 1.24M.
func rate(perSecond float64) string {
	switch {
	case math.IsNaN(perSecond), math.IsInf(perSecond, 0), perSecond < 0:
		return unknown
	case perSecond == 0:
		return "0"
	case perSecond >= 999_999.5:
		return digits(perSecond/1e6) + "M"
	}
	return digits(perSecond)
}

// digits writes a non-negative number with three significant digits, or all of them before the point.
func digits(v float64) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		return unknown
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return grouped(int64(math.Round(v)))
}

// exactly writes a number with as many digits as it has, six at most.
func exactly(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// grouped writes an integer with a comma before every three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := len(s) % 3
	if n < 0 {
		start = 1 + (len(s)-1)%3
	}
	if len(s) <= 3 || n < 0 && len(s) <= 4 {
		return s
	}
	out := append(make([]byte, 0, len(s)+len(s)/3), s[:start]...)
	for i := start; i < len(s); i += 3 {
		if i > 0 && s[i-1] != '-' {
			out = append(out, ',')
		}
		out = append(out, s[i:i+3]...)
	}
	return string(out)
}

// held writes a share of good ones in percent, rounded down: only all of them is 100 %, and only none of them 0 %.
func held(fraction float64) figure {
	thousandths := math.Floor(fraction*1000 + 1e-9)
	if fraction > 0 {
		thousandths = max(thousandths, 1)
	}
	return percent(thousandths)
}

// lost writes a share of bad ones in percent, rounded up: only none of them is 0 %, and only all of them 100 %.
func lost(fraction float64) figure {
	thousandths := math.Ceil(fraction*1000 - 1e-9)
	if fraction < 1 {
		thousandths = min(thousandths, 999)
	}
	return percent(thousandths)
}

// percent writes so many thousandths.
func percent(thousandths float64) figure {
	switch {
	case math.IsNaN(thousandths), math.IsInf(thousandths, 0):
		return figure{number: unknown}
	case thousandths == 0 || thousandths == 1000:
		return figure{strconv.Itoa(int(thousandths) / 10), "%"}
	}
	return figure{strconv.FormatFloat(thousandths/10, 'f', 1, 64), "%"}
}

// clock writes a stretch of the run: 02:41, 1:02:41.
func clock(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	two := func(n int) string {
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	if s < 3600 {
		return two(s/60) + ":" + two(s%60)
	}
	return strconv.Itoa(s/3600) + ":" + two(s/60%60) + ":" + two(s%60)
}

// windowName is a window as it stands beside figures: 30 s, 5 min, stage, run.
func windowName(w stats.Window) string {
	if d := w.Duration(); d > 0 {
		return span(d)
	}
	return w.String()
}

// span writes a window's length in its largest whole unit: 60 s, 5 min, 1 h.
func span(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	case d >= 2*time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d/time.Second)) + " s"
}
