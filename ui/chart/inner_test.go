package chart

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/ui/theme"
)

// traceOf returns the spans of one series in a plot 20 cells wide and 8 high, one dot to the unit.
func traceOf(points []float64, steps, origin int) []span {
	a := axis{height: 8, perRow: dotsPerRow}
	p := plot{axis: a, width: 20, window: newWindow(steps, origin, 20, true)}
	return p.spans(points)
}

func TestNoPeakIsLostWhenManyStepsShareAColumn(t *testing.T) {
	for at := range 900 {
		points := make([]float64, 900)
		for i := range points {
			points[i] = 8
		}
		points[at] = 30
		highest := 0
		for _, s := range traceOf(points, 900, 0) {
			highest = max(highest, s.hi)
		}
		if highest != 30 {
			t.Fatalf("a spike of 30 at step %d is drawn %d high", at, highest)
		}
	}
}

func TestAGapPartsTheLine(t *testing.T) {
	points := []float64{4, 4, math.NaN(), 20, 20, math.Inf(1), 2}
	spans := traceOf(points, len(points), 0)
	var drawn []bool
	for x, s := range spans {
		drawn = append(drawn, s.drawn)
		if s.drawn && s.hi != s.lo {
			t.Errorf("column %d joins what a gap parts: %+v", x, s)
		}
	}
	w := newWindow(len(points), 0, 20, true)
	if drawn[w.column(2)] || drawn[w.column(5)] {
		t.Error("a gap is drawn")
	}
	if !drawn[w.column(6)] {
		t.Error("a point between gaps is not drawn")
	}
}

func TestJoinedColumnsTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Float64Range(0, 31), 1, 200).Draw(t, "points")
		spans := traceOf(points, rapid.IntRange(1, 200).Draw(t, "steps"), rapid.Int().Draw(t, "origin"))
		for x := 1; x < len(spans); x++ {
			a, b := spans[x-1], spans[x]
			if b.joined && (b.lo > a.hi+1 || a.lo > b.hi+1) {
				t.Fatalf("columns %d and %d do not touch: %+v, %+v", x-1, x, a, b)
			}
		}
	})
}

// A window that moves on by a step shows the same dots, moved to the left.
func TestTheLineScrollsWithoutShimmering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.IntRange(2, 300).Draw(t, "steps")
		origin := rapid.IntRange(-1000, 1000).Draw(t, "origin")
		points := rapid.SliceOfN(rapid.Float64Range(0, 31), steps+1, steps+1).Draw(t, "points")

		before, after := newWindow(steps, origin, 20, true), newWindow(steps, origin+1, 20, true)
		moved := before.column(steps-1) - after.column(steps-2)
		old := traceOf(points[:steps], steps, origin)
		now := traceOf(points, steps, origin+1)
		// The first columns have lost a step, the last ones have met the new one.
		for x := after.column(0) + 2; x < after.column(steps-2)-1; x++ {
			if x < 1 || x+moved >= len(old) {
				continue
			}
			if diff := cmp.Diff(old[x+moved], now[x], cmp.AllowUnexported(span{})); diff != "" {
				t.Fatalf("column %d changed as the window moved by %d (-before +after):\n%s", x, moved, diff)
			}
			if Broken.blank(before.phase+x+moved) != Broken.blank(after.phase+x) {
				t.Fatalf("the dash at column %d stayed behind", x)
			}
		}
	})
}

func TestWindowPutsNowAtTheRightEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWindow(rapid.IntRange(1, maxSteps).Draw(t, "steps"), rapid.Int().Draw(t, "origin"), rapid.IntRange(1, 300).Draw(t, "width"), true)
		if got := w.column(w.steps - 1); got != w.columns-1 {
			t.Fatalf("now is in column %d of %d", got, w.columns)
		}
		if w.phase < 0 {
			t.Fatalf("phase %d is negative", w.phase)
		}
		step := rapid.IntRange(0, w.steps-1).Draw(t, "step")
		if a, b := w.column(step-1), w.column(step); a > b {
			t.Fatalf("step %d is right of step %d", step-1, step)
		}
	})
}

func TestAxisStepsAreRoundNumbersAndFitTheData(t *testing.T) {
	tests := []struct {
		peak   float64
		height int
		labels []string // from the top; rows without one are left out
	}{
		{350, 8, []string{"300", "200", "100", "0"}},
		{100, 8, []string{"100", "50", "0"}},
		{0.3, 7, []string{"0.3", "0.2", "0.1", "0"}},
		{1, 5, []string{"1", "0.5", "0"}},
		{48, 20, []string{"60", "40", "20", "0"}},
		{7, 2, []string{"5", "0"}},
		{7, 1, nil},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%g on %d rows", tt.peak, tt.height), func(t *testing.T) {
			a := newAxis(Chart{Threshold: math.NaN()}, tt.peak, tt.height)
			var got []string
			labels, _ := a.labels(theme.Unicode())
			for _, l := range labels {
				if len(l.text) > 0 {
					got = append(got, string(l.text))
				}
			}
			if diff := cmp.Diff(tt.labels, got); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAxisProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		peak := math.Pow(10, rapid.Float64Range(-290, 290).Draw(t, "exponent"))
		height := rapid.IntRange(1, 80).Draw(t, "height")
		a := newAxis(Chart{}, peak, height)

		if dot := peak / a.perRow * dotsPerRow; dot > float64(height*dotsPerRow-1)*(1+1e-6) {
			t.Fatalf("the peak lies %g dots high on %d rows", dot, height)
		}
		if height < 2 {
			return
		}
		mantissa := a.step / math.Pow(10, math.Floor(math.Log10(a.step)+1e-9))
		if math.Abs(mantissa-1) > 1e-6 && math.Abs(mantissa-2) > 1e-6 && math.Abs(mantissa-5) > 1e-6 {
			t.Fatalf("a step of %g is none of 1, 2, 5", a.step)
		}
		for i, row := 0, height-1; row >= 0; i, row = i+1, row-a.stride {
			if got := a.row(a.tick(i)); got != row {
				t.Fatalf("the label %g stands on row %d, its value is on row %d", a.tick(i), row, got)
			}
		}
	})
}
