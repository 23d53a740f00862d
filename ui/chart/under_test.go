package chart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/ui/theme"
)

// What is under a column is what is drawn in it: a mark at the step that StepAt says stands in the column.
func TestTheStepUnderAColumnIsDrawnThere(t *testing.T) {
	dark, err := theme.Lookup(theme.Dark)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range []theme.Theme{dark.On(termenv.Ascii), dark.On(termenv.Ascii).With(theme.ASCII())} {
		for _, steps := range []int{1, 7, 40, 60, 300, 1000} {
			for _, origin := range []int{0, 13} {
				const w, h = 60, 6
				c := Chart{Steps: steps, Origin: origin, Series: []Series{{Points: []float64{5}}}, AxisWidth: 6}
				before := -1
				for column := range w + 2 {
					step, ok := c.StepAt(column, w, h, th)
					if !ok {
						if before >= 0 && column < w {
							t.Fatalf("%d steps: column %d has none", steps, column)
						}
						continue
					}
					if step < before || step >= steps {
						t.Fatalf("%d steps: column %d has step %d, after %d", steps, column, step, before)
					}
					before = step
					c.Marks = []Mark{{Step: step}}
					row := []rune(c.Lines(w, h, th)[2])
					drawn := strings.IndexRune(string(row), []rune(th.Glyphs.Mark)[0])
					at := len([]rune(string(row)[:max(drawn, 0)]))
					if off := max(column-at, at-column); off > w/steps+1 && steps > 1 {
						t.Fatalf("%d steps from %d: column %d has step %d, which is drawn in %d", steps, origin, column, step, at)
					}
				}
				if before != steps-1 {
					t.Errorf("%d steps: the last column has step %d", steps, before)
				}
			}
		}
	}
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-1, -1}} {
		if step, ok := (Chart{Steps: 9}).StepAt(0, size[0], size[1], dark); ok {
			t.Errorf("%v has step %d", size, step)
		}
	}
}

// A spot is the nearest to the column in which it is drawn.
func TestTheNearestIsWhatIsDrawnThere(t *testing.T) {
	th, err := theme.Lookup(theme.Mono)
	if err != nil {
		t.Fatal(err)
	}
	th = th.On(termenv.Ascii)
	xs := []float64{1, 2, 4, 8, 16, 32}
	for _, log := range []bool{true, false} {
		for i, x := range xs {
			p := Plane{LogX: log, Lines: []Line{{Dash: NoLine}}}
			for j, other := range xs {
				p.Lines[0].Spots = append(p.Lines[0].Spots, Spot{X: other, Y: 1 + float64(j), Sign: Hollow})
			}
			p.Lines[0].Spots[i].Sign = Live
			column := -1
			for _, row := range p.Rows(70, 12, th) {
				if before, _, found := strings.Cut(row, th.Glyphs.Run); found {
					column = len([]rune(before))
				}
			}
			if got, ok := p.Nearest(column, xs, 70, 12, th); !ok || got != i {
				t.Errorf("%s: over %v it is number %d, %v", fmt.Sprintf("log %v", log), x, got, ok)
			}
		}
	}
}
