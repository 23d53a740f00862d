// This file writes numbers the way people read them. Every figure on the screen goes through here.

package cell

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/stats"
)

// Unknown stands for a figure that nobody knows. It is never 0.
const Unknown = "n/a"

// Figure is a number and its unit, apart, so that numbers line up and units can be muted.
type Figure struct{ Number, Unit string }

// String joins number and unit with a space.
func (f Figure) String() string {
	if f.Unit == "" {
		return f.Number
	}
	return f.Number + " " + f.Unit
}

// Known reports whether there is a number at all.
func (f Figure) Known() bool { return f.Number != Unknown }

// Latency writes a duration with three digits, in ms below a second and in seconds above: 0.43 ms, 287 ms, 1.24 s.
func Latency(d time.Duration) Figure {
	if unit := LatencyUnit(d); unit == "s" {
		return Figure{seconds(d), unit}
	}
	return Figure{Millis(d), "ms"}
}

// LatencyUnit is the unit in which a latency is best read.
func LatencyUnit(d time.Duration) string {
	if d >= 999500*time.Microsecond {
		return "s"
	}
	return "ms"
}

// LatencyIn writes a duration in the given unit, for columns that share one.
func LatencyIn(unit string, d time.Duration) string {
	if unit == "s" {
		return seconds(d)
	}
	return Millis(d)
}

// Millis writes a duration in milliseconds.
func Millis(d time.Duration) string  { return Digits(float64(d) / float64(time.Millisecond)) }
func seconds(d time.Duration) string { return Digits(d.Seconds()) }

// Limit writes a threshold as it was set, without rounding: 300 ms, 1.5 s. Zero is "off".
func Limit(d time.Duration) string {
	switch {
	case d <= 0:
		return "off"
	case d < time.Second:
		return Exactly(float64(d)/float64(time.Millisecond)) + " ms"
	}
	return Exactly(d.Seconds()) + " s"
}

// AxisTime writes a chart's label of so many milliseconds, as short as it goes: 350ms, 1.5s.
func AxisTime(ms float64) string {
	switch {
	case ms == 0:
		return "0"
	case ms < 1000:
		return Exactly(ms) + "ms"
	}
	return Exactly(ms/1000) + "s"
}

// AxisCount writes a chart's label of a number: 500, 1.5k, 20k.
func AxisCount(v float64) string {
	switch {
	case v >= 1e6:
		return Exactly(v/1e6) + "M"
	case v >= 10_000:
		return Exactly(v/1000) + "k"
	case v >= 1000:
		return Grouped(int64(math.Round(v)))
	}
	return Exactly(v)
}

// AxisPercent writes a chart's label of a share; an axis may reach further than a share can, and says nothing there.
func AxisPercent(v float64) string {
	if v > 100 {
		return ""
	}
	return Exactly(v) + "%"
}

// Rate writes a number per second with three digits, or all of them above a thousand: 0.42, 12.3, 3,914, 1.24M.
func Rate(perSecond float64) string {
	switch {
	case math.IsNaN(perSecond), math.IsInf(perSecond, 0), perSecond < 0:
		return Unknown
	case perSecond == 0:
		return "0"
	case perSecond >= 999_999.5:
		return Digits(perSecond/1e6) + "M"
	}
	return Digits(perSecond)
}

// Digits writes a non-negative number with three significant digits, or all of them before the point.
func Digits(v float64) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		return Unknown
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return Grouped(int64(math.Round(v)))
}

// Exactly writes a number with as many digits as it has, six at most.
func Exactly(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// Grouped writes an integer with a comma before every three digits.
func Grouped(n int64) string {
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

// RoundDown writes a share of good ones in percent, rounded down: only all of them is 100 %, and only none of them 0 %.
func RoundDown(fraction float64) Figure {
	thousandths := math.Floor(fraction*1000 + 1e-9)
	if fraction > 0 {
		thousandths = max(thousandths, 1)
	}
	return percent(thousandths)
}

// RoundUp writes a share of bad ones in percent, rounded up: only none of them is 0 %, and only all of them 100 %.
func RoundUp(fraction float64) Figure {
	thousandths := math.Ceil(fraction*1000 - 1e-9)
	if fraction < 1 {
		thousandths = min(thousandths, 999)
	}
	return percent(thousandths)
}

// percent writes so many thousandths.
func percent(thousandths float64) Figure {
	switch {
	case math.IsNaN(thousandths), math.IsInf(thousandths, 0):
		return Figure{Number: Unknown}
	case thousandths == 0 || thousandths == 1000:
		return Figure{strconv.Itoa(int(thousandths) / 10), "%"}
	}
	return Figure{strconv.FormatFloat(thousandths/10, 'f', 1, 64), "%"}
}

// Clock writes a stretch of the run: 02:41, 1:02:41.
func Clock(d time.Duration) string {
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

// WindowName is a window as it stands beside figures: 30 s, 5 min, stage, run.
func WindowName(w stats.Window) string {
	if d := w.Duration(); d > 0 {
		return Span(d)
	}
	return w.String()
}

// Span writes a window's length in its largest whole unit: 60 s, 5 min, 1 h.
func Span(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	case d >= 2*time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d/time.Second)) + " s"
}

// Age writes how long something lasts or lies back, in its largest unit, rounded down: 9 s, 3 min, 2 h.
func Age(d time.Duration) string {
	switch d = max(d, 0); {
	case d >= 2*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	case d >= 2*time.Minute:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d/time.Second)) + " s"
}

// PercentExactly writes a share in percent, without rounding.
func PercentExactly(fraction float64) string { return Exactly(100*fraction) + " %" }

// Whole writes a number without decimals; none of those written here is ever negative.
func Whole(x float64) string { return Grouped(int64(max(x, 0) + 0.5)) }

// Gibibytes writes MiB as GiB with three digits.
func Gibibytes(mib float64) string {
	decimals := 1
	if mib >= 99.95*1024 {
		decimals = 0
	}
	return strconv.FormatFloat(mib/1024, 'f', decimals, 64)
}

// Hundredths writes a share of 0 to 1 in percent.
func Hundredths(x float64) string { return Whole(100 * x) }

// Tenths is the same to a tenth, for shares that mean something even where they are small.
func Tenths(x float64) string { return Exactly(math.Round(1000*x) / 10) }

// Shares writes several as percentages, in their order: "87 72 54".
func Shares(list []float64) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = Hundredths(x)
	}
	return strings.Join(words, " ")
}

// Milliseconds converts for the scale of limits and back.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// FromMilliseconds is the duration of so many.
func FromMilliseconds(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}
