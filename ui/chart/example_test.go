package chart_test

import (
	"fmt"
	"time"

	"github.com/muesli/termenv"

	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

func ExampleChart() {
	th, err := theme.Choose(theme.Terminal{Unicode: true, Getenv: func(string) string { return "" }})
	if err != nil {
		fmt.Println(err)
		return
	}
	th = th.On(termenv.Ascii) // no escape sequences in this comment

	c := chart.Chart{
		Series: []chart.Series{
			{Name: "p50", Points: []float64{180, 185, 190, 200, 210, 205}, Role: theme.Series1},
			{Name: "p95", Points: []float64{240, 245, 250, 330, 350, 290}, Role: theme.Series2, Dash: chart.Broken},
		},
		Threshold: 300,
		Format:    func(v float64) string { return fmt.Sprintf("%gms", v) },
	}
	c.Scale = c.Scale.Next(c.Peak(), 0*time.Second) // kept from frame to frame

	for _, line := range c.Lines(40, 6, th) {
		fmt.Println(line + "|")
	}
	// Output:
	//      │                                  |
	// 400ms┤                                  |
	//   SLO┤╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⢀⣀⡀⠠⠤⠄⠐⠒⠂⠐⠢⠄⠠⢄⡀|
	// 200ms┤     ⠐⠂⠐⠒⠂⠐⠒⠂⠐⣒⣂⣐⣊⣁⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀|
	//      │     ⠈⠉⠉⠉⠉⠉⠉⠉⠉                    |
	//   0ms┤                                  |
}

func ExampleSpark() {
	th, err := theme.Lookup(theme.Mono)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chart.Spark([]float64{1, 2, 4, 8, 6, 5}, 6, 0, theme.Text, th))
	// Output: ▂▃▅█▆▅
}
