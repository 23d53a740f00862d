package chart_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/engine/golden"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// look returns a theme; mono without escape sequences, so that its golden files can be read.
func look(t testing.TB, name theme.Name) theme.Theme {
	t.Helper()
	th, err := theme.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if name == theme.Mono {
		return th.On(termenv.Ascii)
	}
	return th
}

func milliseconds(v float64) string { return fmt.Sprintf("%gms", v) }

// latencies is what a TTFT chart shows when concurrency doubles: p50 follows, p95 crosses the SLO.
func latencies(steps int) chart.Chart {
	p50, p95 := make([]float64, steps), make([]float64, steps)
	for i := range p50 {
		x := float64(i) / float64(steps)
		load := 0.0
		if x > 0.55 {
			load = 1 - math.Exp(-(x-0.55)*20)
		}
		p50[i] = 150 + 60*load + 8*math.Sin(x*29) + 4*math.Sin(x*71)
		p95[i] = 205 + 110*load + 18*math.Sin(x*23+1) + 9*math.Sin(x*83)
	}
	return chart.Chart{
		Series: []chart.Series{
			{Name: "p50", Points: p50, Role: theme.Series1},
			{Name: "p95", Points: p95, Role: theme.Series2, Dash: chart.Broken},
		},
		Marks:     []chart.Mark{{Step: steps * 55 / 100, Label: "c 16→32"}},
		Threshold: 300,
		Format:    milliseconds,
	}
}

func TestGolden(t *testing.T) {
	crowded := latencies(300)
	crowded.Marks = []chart.Mark{
		{Step: 20, Label: "c 4→8"},
		{Step: 150, Label: "c 8→16"},
		{Step: 154, Label: "c 16→32"},
		{Step: 170, Label: "rate 12"},
		{Step: 290, Label: "preset rag"},
	}
	gap := latencies(300)
	for _, s := range gap.Series {
		for i := 120; i < 180; i++ {
			s.Points[i] = math.NaN()
		}
	}
	started := latencies(60)
	started.Steps = 180
	percent := chart.Chart{
		Series:    []chart.Series{{Name: "goodput", Points: []float64{99, 98, 100, 97, 91, 87, 88, 90, 93, 92}, Role: theme.Series1}},
		Threshold: 90, AtLeast: 100, AxisWidth: 6,
		Format: func(v float64) string { return fmt.Sprintf("%g%%", v) },
	}

	tests := []struct {
		name string
		c    chart.Chart
		w, h int
		th   theme.Theme
	}{
		{"mono-70x8", latencies(300), 70, 8, look(t, theme.Mono)},
		{"mono-40x6", latencies(300), 40, 6, look(t, theme.Mono)},
		{"mono-110x20", latencies(300), 110, 20, look(t, theme.Mono)},
		{"dark-70x8", latencies(300), 70, 8, look(t, theme.Dark)},
		{"dark-40x6", latencies(300), 40, 6, look(t, theme.Dark)},
		{"dark-110x20", latencies(300), 110, 20, look(t, theme.Dark)},
		{"ascii-70x8", latencies(300), 70, 8, look(t, theme.Mono).With(theme.ASCII())},
		{"marks-70x8", crowded, 70, 8, look(t, theme.Mono)},
		{"gap-70x8", gap, 70, 8, look(t, theme.Mono)},
		{"started-70x8", started, 70, 8, look(t, theme.Mono)},
		{"percent-70x8", percent, 70, 8, look(t, theme.Mono)},
		{"empty-70x8", chart.Chart{Threshold: 300, Format: milliseconds}, 70, 8, look(t, theme.Mono)},
		{"empty-40x5", chart.Chart{}, 40, 5, look(t, theme.Mono)},
		{"tiny-9x3", latencies(300), 9, 3, look(t, theme.Mono)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.c.Render(tt.w, tt.h, tt.th)
			checkSize(t, got, tt.w, tt.h)
			golden.Check(t, tt.name, got)
		})
	}
}

func checkSize(t *testing.T, text string, w, h int) {
	t.Helper()
	if h <= 0 {
		if text != "" {
			t.Errorf("height %d gives %q", h, text)
		}
		return
	}
	lines := strings.Split(text, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got != max(w, 0) {
			t.Errorf("line %d is %d cells wide, want %d: %q", i, got, w, line)
		}
	}
}

func TestEverySmallSizeIsExact(t *testing.T) {
	for _, c := range []chart.Chart{{}, latencies(300), latencies(7)} {
		for _, th := range []theme.Theme{{}, look(t, theme.Dark), look(t, theme.Mono).With(theme.ASCII())} {
			for w := -1; w <= 30; w++ {
				for h := -1; h <= 12; h++ {
					checkSize(t, c.Render(w, h, th), w, h)
					if got := len(c.Lines(w, h, th)); got != max(h, 0) {
						t.Errorf("%d×%d: %d lines", w, h, got)
					}
				}
			}
		}
	}
}

func TestMonoSaysAsMuchAsDark(t *testing.T) {
	c := latencies(300)
	dark, mono := c.Render(70, 8, look(t, theme.Dark)), c.Render(70, 8, look(t, theme.Mono))
	if ansi.Strip(dark) != mono {
		t.Error("the characters depend on the theme")
	}
	if strings.Contains(mono, "\x1b") {
		t.Error("a terminal without escape sequences got one")
	}
}

func TestASCIIIsASCII(t *testing.T) {
	c := latencies(300)
	text := c.Render(70, 8, look(t, theme.Mono).With(theme.ASCII()))
	for _, r := range text {
		if r > '~' {
			t.Fatalf("%q in\n%s", r, text)
		}
	}
	if !strings.Contains(text, "c 16>32") {
		t.Errorf("the mark's label is not there:\n%s", text)
	}
}

func TestThresholdIsAlwaysInRange(t *testing.T) {
	for _, threshold := range []float64{1e-12, 0.3, 299, 300, 12345, 1e9} {
		for h := 2; h <= 25; h++ {
			c := latencies(100)
			c.Threshold = threshold
			if text := c.Render(60, h, look(t, theme.Mono)); !strings.Contains(text, "SLO┤") {
				t.Errorf("SLO of %g is off a chart of %d rows:\n%s", threshold, h, text)
			}
		}
	}
	for _, none := range []float64{math.NaN(), math.Inf(1), 0, -5} {
		c := latencies(100)
		c.Threshold = none
		if text := c.Render(60, 8, look(t, theme.Mono)); strings.Contains(text, "SLO") {
			t.Errorf("a threshold of %g is drawn:\n%s", none, text)
		}
	}
}

func TestPeakLooksAtTheWindowOnly(t *testing.T) {
	c := chart.Chart{Steps: 3, Series: []chart.Series{
		{Points: []float64{900, 1, math.Inf(1), 2}},
		{Points: []float64{math.NaN(), 5, -7}},
	}}
	if got := c.Peak(); got != 5 {
		t.Errorf("peak is %g, want 5", got)
	}
	if got := (chart.Chart{Series: []chart.Series{{Points: []float64{math.NaN()}}}}).Peak(); !math.IsNaN(got) {
		t.Errorf("peak of no values is %g", got)
	}
}

func TestMarkLabels(t *testing.T) {
	// A plot of 40 cells behind an axis of four: step n is cell n.
	top := func(marks ...chart.Mark) string {
		c := chart.Chart{Series: []chart.Series{{Points: []float64{1}}}, Steps: 40, Marks: marks}
		line, _, _ := strings.Cut(c.Render(44, 8, look(t, theme.Mono)), "\n")
		_, line, _ = strings.Cut(line, "│")
		return strings.TrimRight(line, " ")
	}
	tests := []struct {
		name  string
		marks []chart.Mark
		want  string
	}{
		{"right of its line", []chart.Mark{{Step: 10, Label: "c 8→16"}}, "          ┆c 8→16"},
		{
			"left where the edge is near",
			[]chart.Mark{{Step: 39, Label: "c 8→16"}},
			"                                 c 8→16┆",
		},
		{
			"the older one shifts",
			[]chart.Mark{{Step: 10, Label: "old"}, {Step: 12, Label: "new"}},
			"       old┆ ┆new",
		},
		{
			"the older one goes",
			[]chart.Mark{{Step: 5, Label: "older than that"}, {Step: 8, Label: "new"}},
			"     ┆  ┆new",
		},
		{"outside of the window", []chart.Mark{{Step: -1, Label: "past"}, {Step: 40, Label: "future"}}, ""},
		{"no label", []chart.Mark{{Step: 10}}, "          ┆"},
		{
			"cut where the chart is too narrow",
			[]chart.Mark{{Step: 10, Label: "a name longer than either side has"}},
			"          ┆a name longer than either si…",
		},
		{"escape sequences and wide characters", []chart.Mark{{Step: 10, Label: "\x1b[31mred\x1b[0m 漢"}}, "          ┆red ?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := top(tt.marks...); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestScale(t *testing.T) {
	type frame struct {
		at         time.Duration
		peak, want float64
	}
	tests := []struct {
		name   string
		frames []frame
	}{
		{"grows at once", []frame{{0, 10, 10}, {100 * time.Millisecond, 300, 300}}},
		{"shrinks only after five seconds of smaller values", []frame{
			{0, 300, 300},
			{time.Second, 100, 300},
			{3 * time.Second, 120, 300},
			{5999 * time.Millisecond, 90, 300},
			{6 * time.Second, 80, 120}, // to the largest of the five seconds, not to the last
		}},
		{"a value at the top starts the five seconds again", []frame{
			{0, 300, 300},
			{time.Second, 100, 300},
			{5 * time.Second, 300, 300},
			{7 * time.Second, 100, 300},
			{11 * time.Second, 100, 300},
			{12 * time.Second, 100, 100},
		}},
		{"gaps change nothing", []frame{{0, 300, 300}, {time.Hour, math.NaN(), 300}, {2 * time.Hour, math.Inf(1), 300}}},
		{"a clock set back starts the five seconds again", []frame{
			{time.Hour, 300, 300},
			{time.Hour + time.Second, 100, 300},
			{0, 100, 300},
			{4 * time.Second, 100, 300},
			{5 * time.Second, 100, 100},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s chart.Scale
			for _, f := range tt.frames {
				if s = s.Next(f.peak, f.at); s.Top() != f.want {
					t.Fatalf("at %v with a peak of %g the top is %g, want %g", f.at, f.peak, s.Top(), f.want)
				}
			}
		})
	}
}

func TestScaleHoldsTheAxis(t *testing.T) {
	c := latencies(100)
	c.Scale = chart.Scale{}.Next(1900, 0)
	if text := c.Render(60, 8, look(t, theme.Mono)); !strings.Contains(text, "2000ms┤") && !strings.Contains(text, "1000ms┤") {
		t.Errorf("the axis forgot the remembered top:\n%s", text)
	}
}
