package chart_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/golden"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// saturating is TTFT over concurrency for a server with room for about 24 streams.
func saturating() chart.Plane {
	var p50, p95 []chart.Spot
	var ticks []chart.Tick
	for i, c := range []float64{1, 2, 4, 8, 16, 24, 32, 64} {
		s := chart.Spot{X: c, Y: 60 + c*c/6}
		if i == 1 {
			s.Sign = chart.Hollow
		}
		if c == 64 {
			s.Sign, s.Loose = chart.Live, true
		}
		p50 = append(p50, s)
		s.Y *= 1.5
		p95 = append(p95, s)
		ticks = append(ticks, chart.Tick{At: c, Label: fmt.Sprint(c), Below: fmt.Sprintf("n=%g", 40*c), Chosen: c == 16})
	}
	return chart.Plane{
		Lines: []chart.Line{
			{Name: "p50", Spots: p50, Role: theme.Series1},
			{Name: "p95", Spots: p95, Role: theme.Series2, Dash: chart.Broken},
		},
		Guides:    []chart.Guide{{At: 24, Label: "knee", Role: theme.Muted}},
		Ticks:     ticks,
		LogX:      true,
		Threshold: 300,
		FormatY:   milliseconds,
	}
}

func TestPlane(t *testing.T) {
	linear, alone, trade := saturating(), saturating(), saturating()
	linear.LogX = false
	for i := range alone.Lines {
		alone.Lines[i].Spots = alone.Lines[i].Spots[:1]
	}
	trade.LogX, trade.Ticks, trade.Guides, trade.Threshold = false, nil, nil, 0
	trade.Lines = []chart.Line{{Dash: chart.Dotted, Spots: []chart.Spot{{X: 95, Y: 90}, {X: 60, Y: 2100}, {X: 40, Y: 3800}, {X: 12, Y: 3900}}}}
	empty := saturating()
	empty.Lines = nil
	for _, tt := range []struct {
		name  string
		plane chart.Plane
	}{{"log", saturating()}, {"linear", linear}, {"alone", alone}, {"trade", trade}, {"empty", empty}} {
		for _, size := range [][2]int{{70, 14}, {40, 6}} {
			for _, glyphs := range []string{"unicode", "ascii"} {
				name := fmt.Sprintf("plane-%s-%dx%d-%s", tt.name, size[0], size[1], glyphs)
				t.Run(name, func(t *testing.T) {
					th := look(t, theme.Mono)
					if glyphs == "ascii" {
						th = th.With(theme.ASCII())
					}
					got := tt.plane.Render(size[0], size[1], th)
					checkSize(t, got, size[0], size[1])
					golden.Check(t, name, got)
				})
			}
		}
	}
}

// On a logarithmic axis equal factors are equally far apart; on a linear one equal differences are.
func TestPlaneDistances(t *testing.T) {
	at := func(log bool, levels ...float64) []int {
		p := chart.Plane{LogX: log, Lines: []chart.Line{{Dash: chart.NoLine}}}
		for _, x := range levels {
			p.Lines[0].Spots = append(p.Lines[0].Spots, chart.Spot{X: x, Y: 1})
		}
		var columns []int
		for _, line := range strings.Split(p.Render(103, 2, look(t, theme.Mono)), "\n") {
			for i, r := range []rune(line) {
				if r == '●' {
					columns = append(columns, i)
				}
			}
		}
		return columns
	}
	for _, tt := range []struct {
		log    bool
		levels []float64
	}{{true, []float64{1, 10, 100}}, {true, []float64{2, 4, 8, 16, 32}}, {false, []float64{0, 5, 10, 15, 20}}} {
		columns := at(tt.log, tt.levels...)
		if len(columns) != len(tt.levels) {
			t.Fatalf("%v: signs in columns %v", tt.levels, columns)
		}
		for i := 2; i < len(columns); i++ {
			if d := (columns[i] - columns[i-1]) - (columns[1] - columns[0]); d < -1 || d > 1 {
				t.Errorf("%v, log %v: signs in columns %v are not evenly apart", tt.levels, tt.log, columns)
			}
		}
	}
}

func TestPlanePeakIsThatOfWhatIsDrawn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	p := chart.Plane{Lines: []chart.Line{{Spots: []chart.Spot{{X: 1, Y: 3}, {X: nan, Y: 9}, {X: 2, Y: inf}, {X: -1, Y: 8}, {X: 0, Y: 7}}}}}
	if got := p.Peak(); got != 7 {
		t.Errorf("the peak is %v, want 7", got)
	}
	p.LogX = true // zero has no place there
	if got := p.Peak(); got != 3 {
		t.Errorf("on a logarithmic axis the peak is %v, want 3", got)
	}
	if got := (chart.Plane{}).Peak(); !math.IsNaN(got) {
		t.Errorf("of nothing the peak is %v", got)
	}
}

// The signs of all spots are there, whatever their values, as long as they stand in different cells.
func TestPlaneShowsEverySpot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		p := chart.Plane{LogX: rapid.Bool().Draw(t, "log"), Lines: []chart.Line{{}}}
		x := 1.0
		for range n {
			p.Lines[0].Spots = append(p.Lines[0].Spots, chart.Spot{X: x, Y: rapid.Float64Range(0, 1e300).Draw(t, "y")})
			x += 1 + x/2
		}
		th, err := theme.Lookup(theme.Mono)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(p.Render(160, 12, th), "●"); got != n {
			t.Fatalf("%d of %d spots show", got, n)
		}
	})
}

// FuzzPlane draws anything at any size: every result is exactly as large as asked for.
func FuzzPlane(f *testing.F) {
	bits := func(values ...float64) (data []byte) {
		for _, v := range values {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		return data
	}
	nan, inf := math.NaN(), math.Inf(1)
	f.Add(70, 12, bits(1, 60, 2, 62, 4, 70), 300.0, 2.0, "knee", true, false)
	f.Add(0, 10, bits(1, nan, inf, 2), nan, inf, "", false, false)
	f.Add(10, 2, bits(0, 1, -1, 1, 1e308, 1e308), inf, -1.0, "x", true, true)
	f.Add(300, 80, bits(5e-324, 0, 1e308, 5e-324), 1e308, 1e308, "漢字\x1b[31m\n", true, false)
	f.Add(9, 3, bits(3, 3), 0.0, 3.0, "a long name that is cut", false, true)
	f.Add(40, 9, bits(1, 1, math.Nextafter(1, 2), 2), 0.0, 1.0, "n", true, false)

	dark, err := theme.Lookup(theme.Dark)
	if err != nil {
		f.Fatal(err)
	}
	ascii := dark.With(theme.ASCII())
	f.Fuzz(func(t *testing.T, w, h int, data []byte, threshold, guide float64, label string, log, plain bool) {
		w, h = min(w, 300), min(h, 80)
		th := dark
		if plain {
			th = ascii
		}
		p := chart.Plane{LogX: log, Threshold: threshold, Guides: []chart.Guide{{At: guide, Label: label}}}
		line := chart.Line{Name: label}
		for i := 0; i+16 <= len(data); i += 16 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(data[i:]))
			y := math.Float64frombits(binary.LittleEndian.Uint64(data[i+8:]))
			line.Spots = append(line.Spots, chart.Spot{X: x, Y: y, Sign: chart.Sign(i / 16 % 3), Loose: i/16%5 == 4})
			p.Ticks = append(p.Ticks, chart.Tick{At: x, Label: label, Below: label, Chosen: i == 16})
		}
		for _, dash := range []chart.Dash{chart.Whole, chart.Broken, chart.Dotted, chart.NoLine} {
			line.Dash = dash
			p.Lines = append(p.Lines, line)
		}
		p.Scale = p.Scale.Next(p.Peak(), 0)
		checkSize(t, p.Render(w, h, th), w, h)
		p.Ticks = nil
		checkSize(t, p.Render(w, h, th), w, h)
	})
}

func BenchmarkPlane(b *testing.B) {
	th := look(b, theme.Dark)
	p := saturating()
	b.ReportAllocs()
	for b.Loop() {
		p.Render(130, 28, th)
	}
}
