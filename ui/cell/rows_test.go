package cell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The row that is asked for is in sight whole, whatever the others take, and no line is left blank while there are more.
func TestAroundShowsTheRow(t *testing.T) {
	row := func(i int) []string {
		lines := make([]string, 1+i%3)
		for j := range lines {
			lines[j] = fmt.Sprintf("%d.%d", i, j)
		}
		return lines
	}
	const n = 12
	for h := 3; h < 30; h++ {
		for at := range n {
			got, of := Around(n, at, h, row)
			if len(got) != min(h, 24) {
				t.Fatalf("row %d in %d lines: %d lines", at, h, len(got))
			}
			for i, line := range got {
				if !strings.HasPrefix(line, fmt.Sprintf("%d.", of[i])) {
					t.Fatalf("row %d in %d lines: line %d is %q, and said to be of row %d", at, h, i, line, of[i])
				}
			}
			for _, line := range row(at) {
				if !slices.Contains(got, line) {
					t.Fatalf("row %d in %d lines: %q is missing in %q", at, h, line, got)
				}
			}
		}
	}
	if got, _ := Around(n, n-1, 4, row); got[3] != "11.2" {
		t.Errorf("the last row is not last: %q", got)
	}
}

// A list that is kept stays where it is as long as the chosen row is in sight.
func TestAListIsHeld(t *testing.T) {
	var held Held
	if got := held.First(10, 40, 8); got != FirstShown(10, 40, 8) {
		t.Errorf("the zero one begins with %d", got)
	}
	held.Keep(9)
	for chosen, want := range map[int]int{9: 9, 16: 9, 17: FirstShown(17, 40, 8), 8: FirstShown(8, 40, 8)} {
		if got := held.First(chosen, 40, 8); got != want {
			t.Errorf("row %d: begins with %d, want %d", chosen, got, want)
		}
	}
	if got := held.First(9, 12, 8); got != FirstShown(9, 12, 8) {
		t.Errorf("with fewer rows it begins with %d", got)
	}
	held.Let()
	if got := held.First(10, 40, 8); got != FirstShown(10, 40, 8) {
		t.Errorf("let go, it begins with %d", got)
	}
}
