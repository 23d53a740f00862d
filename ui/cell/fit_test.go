package cell

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type column struct{ width, rank int }

func total(columns []column) (n int) {
	for _, c := range columns {
		n += c.width
	}
	return n
}

func TestDropLeavesOutTheHighestRankFirst(t *testing.T) {
	all := []column{{10, 0}, {5, 2}, {7, 3}, {4, 3}, {6, 1}}
	for w, want := range map[int][]column{
		40: all,
		31: {{10, 0}, {5, 2}, {4, 3}, {6, 1}}, // of two with the same rank, the first
		22: {{10, 0}, {5, 2}, {6, 1}},
		20: {{10, 0}, {6, 1}},
		3:  {{10, 0}},
	} {
		got := Drop(slices.Clone(all), func(c *column) int { return c.rank }, func(left []column) bool { return total(left) <= w })
		if !slices.Equal(got, want) {
			t.Errorf("into %d cells go %v, want %v", w, got, want)
		}
	}
}

func TestShrinkMakesLessOfAnItemBeforeItGoes(t *testing.T) {
	halve := func(c *column) bool {
		if c.width < 4 {
			return false
		}
		c.width /= 2
		return true
	}
	got := Shrink([]column{{10, 0}, {8, 1}}, func(c *column) int { return c.rank }, func(left []column) bool { return total(left) <= 12 }, halve)
	if want := []column{{10, 0}, {2, 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Whatever there is to leave out: what is left fits, and no more of it could have stayed in front.
func TestLeadAndFillKeepWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		widths := rapid.SliceOf(rapid.IntRange(1, 20)).Draw(t, "widths")
		room := rapid.IntRange(0, 60).Draw(t, "room")
		sum := func(left []int) (n int) {
			for _, w := range left {
				n += w
			}
			return n
		}
		lead := Lead(widths, func(left []int) bool { return sum(left) <= room })
		filled := Fill(widths, room, func(w *int) int { return *w })
		if sum(lead) > room || sum(filled) > room {
			t.Fatalf("%v and %v do not fit into %d", lead, filled, room)
		}
		if len(lead) < len(widths) && sum(lead)+widths[len(lead)] <= room {
			t.Fatalf("%v could have had one more", lead)
		}
		if len(filled) < len(lead) || !slices.Equal(filled[:len(lead)], lead) {
			t.Fatalf("%v does not begin with %v", filled, lead)
		}
	})
}
