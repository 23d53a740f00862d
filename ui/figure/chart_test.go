package figure_test

import (
	"math"
	"testing"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
)

func TestValuesAreReadInThreeDigits(t *testing.T) {
	for _, tt := range []struct {
		format func(float64) string
		v      float64
		want   string
	}{
		{cell.AxisTime, 62.278535, "62.3ms"},
		{cell.AxisTime, 1234.5, "1.23s"},
		{cell.AxisTime, 0.012345, "0.0123ms"},
		{cell.AxisTime, 0, "0"},
		{cell.AxisPercent, 99.97, "99.9%"},
		{cell.AxisPercent, 100, "100%"},
		{cell.AxisPercent, 87.26, "87.3%"},
		{cell.AxisCount, 3914.4, "3,910"},
		{cell.AxisCount, 0.3, "0.3"},
		{cell.AxisCount, math.NaN(), "n/a"},
	} {
		if got := figure.ReadAs(tt.format, tt.v); got != tt.want {
			t.Errorf("%v is read as %q, want %q", tt.v, got, tt.want)
		}
	}
}
