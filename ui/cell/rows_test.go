package cell

import (
	"fmt"
	"slices"
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
			got := Around(n, at, h, row)
			if len(got) != min(h, 24) {
				t.Fatalf("row %d in %d lines: %d lines", at, h, len(got))
			}
			for _, line := range row(at) {
				if !slices.Contains(got, line) {
					t.Fatalf("row %d in %d lines: %q is missing in %q", at, h, line, got)
				}
			}
		}
	}
	if got := Around(n, n-1, 4, row); got[3] != "11.2" {
		t.Errorf("the last row is not last: %q", got)
	}
}
