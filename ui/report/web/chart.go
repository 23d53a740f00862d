// This file is a chart as data, which the page's script, its tables and its still pictures are made from.

package web

import (
	"math"
	"strconv"
	"time"

	"tokdyno/ui/cell"
)

// chart is some series over one axis.
type chart struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Over   over     `json:"over"`
	Unit   unit     `json:"unit"`
	Log    bool     `json:"log,omitempty"` // of the x axis
	X      numbers  `json:"x"`
	Series []series `json:"series"`
	Limits []line   `json:"limits,omitempty"` // of the y axis: what was asked for
	Lines  []line   `json:"lines,omitempty"`  // of the x axis
	Note   string   `json:"-"`
	Levels []string `json:"-"` // over levels: their names
}

// over is what the x axis is.
type over string

const (
	overTime   over = "time"   // seconds since the load began
	overLevels over = "levels" // requests in flight, or per second
	overValues over = "values" // milliseconds
)

// unit is that of the y axis.
type unit string

const (
	inMillis  unit = "ms"
	inPercent unit = "%"
	inTokens  unit = "tok/s"
	inRate    unit = "req/s"
	inNumber  unit = ""
	inWatts   unit = "W"
)

// series is one line of a chart. Y has NaN where a value is unknown.
type series struct {
	Name string  `json:"name"`
	Y    numbers `json:"y"`
}

// line stands for one value of an axis.
type line struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// numbers are figures; NaN and infinities are null in JSON. Four digits are more than a chart shows.
type numbers []float64

// MarshalJSON writes them short.
func (n numbers) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 6*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
			continue
		}
		b = appendShort(b, v)
	}
	return append(b, ']'), nil
}

// appendShort writes a number with four digits, or all of those before the point.
func appendShort(b []byte, v float64) []byte {
	if v == 0 || math.Abs(v) < 1e-6 {
		return append(b, '0')
	}
	decimals := max(3-int(math.Floor(math.Log10(math.Abs(v)))), 0)
	scale := math.Pow10(min(decimals, 9))
	return strconv.AppendFloat(b, math.Round(v*scale)/scale, 'f', -1, 64)
}

// known reports whether there is anything to draw.
func (s *series) known() bool {
	for _, v := range s.Y {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// drawn is a chart without the series of which nothing is known; false where none is left.
func (c chart) drawn() (chart, bool) {
	var kept []series
	for _, s := range c.Series {
		if s.known() {
			kept = append(kept, s)
		}
	}
	c.Series = kept
	return c, len(kept) > 0 && len(c.X) > 0
}

// top is the highest value, and that of its limits.
func (c *chart) top() float64 {
	top := 0.0
	for _, s := range c.Series {
		for _, v := range s.Y {
			if !math.IsNaN(v) {
				top = max(top, v)
			}
		}
	}
	for _, l := range c.Limits {
		if l.At <= 3*top { // one far above would flatten what was measured
			top = max(top, l.At)
		}
	}
	if c.Unit == inPercent {
		top = 100
	}
	return top
}

// write is a value of the y axis in words.
func (u unit) write(v float64) string {
	if math.IsNaN(v) {
		return cell.Unknown
	}
	switch u {
	case inMillis:
		return cell.Latency(cell.FromMilliseconds(v)).String()
	case inPercent:
		return cell.Exactly(math.Round(10*v)/10) + " %"
	case inTokens, inRate:
		return cell.Rate(v)
	case inWatts:
		return cell.Whole(v)
	}
	return cell.Exactly(math.Round(10*v) / 10)
}

// axis is a value of the y axis as a label.
func (u unit) axis(v float64) string {
	switch u {
	case inMillis:
		return cell.AxisTime(v)
	case inPercent:
		return cell.AxisPercent(v)
	}
	return cell.AxisCount(v)
}

// writeX is a value of the x axis in words.
func (c *chart) writeX(i int) string {
	switch v := c.X[i]; c.Over {
	case overTime:
		return cell.Clock(time.Duration(v * float64(time.Second)))
	case overLevels:
		return c.Levels[i]
	default:
		return cell.Latency(cell.FromMilliseconds(v)).String()
	}
}

// most is how many rows the table of a chart has.
const most = 60

// XName says what the x axis of a chart is.
func (c chart) XName() string {
	return map[over]string{overTime: "time", overLevels: "level", overValues: "latency"}[c.Over]
}

// Rows are the rows of a table of the chart: the x axis, then a value of each series. Where there are too many, each is the
// mean of some that follow each other; of shares within a value, there are only some of them.
func (c chart) Rows() [][]string {
	group := (len(c.X) + most - 1) / most
	var rows [][]string
	for i := 0; i < len(c.X); i += group {
		row := []string{c.writeX(i)}
		for _, s := range c.Series {
			to := min(i+group, len(s.Y))
			if c.Over == overValues {
				to = i + 1
			}
			row = append(row, c.Unit.write(mean(s.Y[i:to])))
		}
		rows = append(rows, row)
	}
	return rows
}

// mean is that of the numbers among values; NaN if there are none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
