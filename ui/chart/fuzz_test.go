package chart_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// FuzzRender draws anything at any size: every result is exactly as large as asked for.
func FuzzRender(f *testing.F) {
	bits := func(values ...float64) (data []byte) {
		for _, v := range values {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		return data
	}
	nan, inf := math.NaN(), math.Inf(1)
	f.Add(70, 8, bits(180, 190, 210, 350, 290), 300.0, 0, 0, 2, "c 16→32", false)
	f.Add(0, 10, bits(1, nan, 2), nan, 5, -1, 0, "", false)
	f.Add(10, 1, bits(inf, -inf, 1e308, -1e308), inf, 1, 1<<40, 0, "x", true)
	f.Add(300, 80, bits(5e-324, 0, 1e308), 1e308, 1<<30, math.MinInt, 1<<29, "漢字\x1b[31m\n", false)
	f.Add(9, 3, bits(), 0.0, -3, math.MaxInt, -1, "a long label that is cut", true)

	dark, err := theme.Lookup(theme.Dark)
	if err != nil {
		f.Fatal(err)
	}
	ascii := dark.With(theme.ASCII())
	f.Fuzz(func(t *testing.T, w, h int, data []byte, threshold float64, steps, origin, mark int, label string, plain bool) {
		w, h = min(w, 300), min(h, 80)
		th := dark
		if plain {
			th = ascii
		}
		points := make([]float64, len(data)/8)
		for i := range points {
			points[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		half := points[len(points)/2:]

		c := chart.Chart{
			Series: []chart.Series{
				{Points: points, Role: theme.Series1},
				{Points: half, Role: theme.Series2, Dash: chart.Broken},
			},
			Marks:     []chart.Mark{{Step: 0, Label: label}, {Step: mark, Label: label}},
			Threshold: threshold,
			Steps:     steps,
			Origin:    origin,
			AxisWidth: mark,
		}
		c.Scale = c.Scale.Next(c.Peak(), 0)
		checkSize(t, c.Render(w, h, th), w, h)

		if got := ansi.StringWidth(chart.Spark(points, w, threshold, theme.Series1, th)); got != max(w, 0) {
			t.Errorf("a sparkline of %d cells is %d wide", w, got)
		}
		if got := ansi.StringWidth(chart.Bar(threshold, w, theme.Series1, th)); got != max(w, 0) {
			t.Errorf("a bar of %d cells is %d wide", w, got)
		}
	})
}
