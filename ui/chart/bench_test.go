package chart_test

import (
	"testing"

	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

func BenchmarkRender(b *testing.B) {
	th := look(b, theme.Dark)
	for _, size := range []struct {
		name string
		w, h int
	}{{"70x10", 70, 10}, {"196x44", 196, 44}} {
		b.Run(size.name, func(b *testing.B) {
			c := latencies(300)
			b.ReportAllocs()
			for b.Loop() {
				c.Render(size.w, size.h, th)
			}
		})
	}
}

func BenchmarkSpark(b *testing.B) {
	th := look(b, theme.Dark)
	values := latencies(300).Series[1].Points
	b.ReportAllocs()
	for b.Loop() {
		chart.Spark(values, 22, 0, theme.Series1, th)
	}
}

func BenchmarkBar(b *testing.B) {
	th := look(b, theme.Dark)
	b.ReportAllocs()
	for b.Loop() {
		chart.Bar(0.71, 10, theme.Series1, th)
	}
}
