package chart_test

import (
	"math"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

func TestSpark(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name   string
		values []float64
		w      int
		top    float64
		want   string
	}{
		{"zero to its largest value", []float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, 0, "▁▂▃▄▅▆▇█"},
		{"newest at the right", []float64{7}, 4, 0, "   █"},
		{"the newest only", []float64{7, 7, 0, 1}, 2, 0, "▁█"},
		{"a given range", []float64{0, 50, 100, 200}, 4, 100, "▁▅██"},
		{"gaps", []float64{1, nan, inf, 1, -inf}, 5, 0, "█  █ "},
		{"negative is zero", []float64{-4, 4}, 2, 0, "▁█"},
		{"all zero", []float64{0, 0}, 2, 0, "▁▁"},
		{"a range that is none", []float64{0, 4}, 2, nan, "▁█"},
		{"extremes", []float64{5e-324, 1e308}, 2, 0, "▁█"},
		{"no values", nil, 3, 0, "   "},
		{"no room", []float64{1}, 0, 0, ""},
		{"negative room", []float64{1}, -3, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := chart.Spark(tt.values, tt.w, tt.top, theme.Series1, look(t, theme.Mono)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := chart.Spark([]float64{0, 4, 7}, 3, 0, theme.Series1, look(t, theme.Mono).With(theme.ASCII())); got != ".+@" {
		t.Errorf("in ASCII: %q", got)
	}
	if got := chart.Spark([]float64{1}, 2, 0, theme.Series1, theme.Theme{}); got != "  " {
		t.Errorf("without glyphs: %q", got)
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		name     string
		fraction float64
		w        int
		want     string
	}{
		{"half", 0.5, 10, "█████░░░░░"},
		{"eighths", 0.73, 10, "███████▎░░"},
		{"a trace is not nothing", 1e-9, 10, "▏░░░░░░░░░"},
		{"nearly full is not full", 0.9999, 10, "█████████▉"},
		{"nothing", 0, 10, "░░░░░░░░░░"},
		{"full", 1, 10, "██████████"},
		{"more than full", 7, 4, "████"},
		{"less than nothing", -1, 4, "░░░░"},
		{"not known", math.NaN(), 6, "n/a   "},
		{"not finite", math.Inf(1), 2, "n/"},
		{"no room", 0.5, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := chart.Bar(tt.fraction, tt.w, theme.Series1, look(t, theme.Mono)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	dark := look(t, theme.Dark)
	want := dark.Paint(theme.Warn, "██") + dark.Paint(theme.Muted, "░░")
	if got := chart.Bar(0.5, 4, theme.Warn, dark); got != want {
		t.Errorf("in colour: %q, want %q", got, want)
	}
	if got := ansi.StringWidth(chart.Bar(0.5, 4, theme.Warn, theme.Theme{})); got != 4 {
		t.Errorf("without glyphs: %d cells", got)
	}
}
