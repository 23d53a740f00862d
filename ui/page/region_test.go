package page_test

import (
	"testing"

	"tokdyno/ui/page"
)

// Of regions in one place the last that does anything counts, for clicks and for the wheel apart; cells of no region do nothing.
func TestRegionsAt(t *testing.T) {
	var all page.Regions
	v := page.Frame{Regions: &all, Drawn: page.Place{X: 10, Y: 5, W: 20, H: 6}}
	v.Rows(0, 9, page.Region{Key: "panel", Up: "up"})
	v.Rows(1, 1, page.Region{Key: "row"})
	v.Cells(4, 1, 2, 1, page.Region{Key: "arrow", Down: "down"})
	v.Cells(0, 2, 40, 1, page.Region{Up: "only the wheel"})
	v.Edge(page.Region{Key: "heading"})
	for _, tt := range []struct {
		x, y  int
		wheel bool
		want  string
	}{
		{10, 5, false, "heading"},
		{29, 5, false, "heading"},
		{30, 5, false, ""},
		{11, 6, false, "panel"},
		{10, 6, false, ""}, // the frame
		{28, 9, false, "panel"},
		{29, 9, false, ""},
		{28, 10, false, ""}, // nine lines, of which four have room
		{11, 7, false, "row"},
		{14, 7, false, "row"},
		{15, 7, false, "arrow"},
		{16, 7, false, "arrow"},
		{17, 7, false, "row"},
		{17, 7, true, "panel"},
		{15, 7, true, "arrow"},
		{11, 8, false, "panel"},
	} {
		got := ""
		if r := all.At(tt.x, tt.y, tt.wheel); r != nil {
			got = r.Key
		}
		if got != tt.want {
			t.Errorf("%d,%d, wheel %v: %q, want %q", tt.x, tt.y, tt.wheel, got, tt.want)
		}
	}
	if r := all.At(28, 8, true); r == nil || r.Up != "only the wheel" || r.W != 18 {
		t.Errorf("the wheel finds %+v", r)
	}
	silent := page.Frame{Drawn: v.Drawn}
	silent.Rows(0, 1, page.Region{Key: "x"}) // nobody asks
}

func TestPointed(t *testing.T) {
	v := page.Frame{Drawn: page.Place{X: 10, Y: 5, W: 20, H: 6}}
	if _, _, ok := v.Pointed(); ok {
		t.Error("it points without a mouse")
	}
	for at, want := range map[page.Point]bool{{X: 11, Y: 6}: true, {X: 28, Y: 9}: true, {X: 10, Y: 6}: false, {X: 29, Y: 6}: false, {X: 11, Y: 10}: false} {
		v.Pointer = &at
		if x, y, ok := v.Pointed(); ok != want || ok && (x != at.X-11 || y != at.Y-6) {
			t.Errorf("%v: %d,%d, %v", at, x, y, ok)
		}
	}
}
