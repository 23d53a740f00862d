package ui

import (
	"fmt"
	"testing"

	"tokdyno/engine"
	"tokdyno/gpu"
)

// placed are the places of the parts of a page on a screen of w by h cells, with the lines around it.
func placed(w, h int, s *engine.Snapshot, p Page) []place {
	v := &screen{Frame: &Frame{w: w, h: h, shown: s}, pages: []numbered{{Page: p}}, context: keyContext{layer: onPage}}
	return v.arrange()
}

// tiles fails unless every cell belongs to exactly one place.
func tiles(t *testing.T, w, h int, places []place, of string) {
	t.Helper()
	owner := make([]int, w*h)
	for _, p := range places {
		if p.w < 1 || p.h < 1 || p.x < 0 || p.y < 0 || p.x+p.w > w || p.y+p.h > h {
			t.Fatalf("%d×%d %s: part %d lies outside: %+v", w, h, of, p.part, p)
		}
		for y := p.y; y < p.y+p.h; y++ {
			for x := p.x; x < p.x+p.w; x++ {
				owner[y*w+x]++
			}
		}
	}
	for i, n := range owner {
		if n != 1 {
			t.Fatalf("%d×%d %s: cell %d,%d belongs to %d parts", w, h, of, i%w, i/w, n)
		}
	}
}

func withDevices(n int) *engine.Snapshot {
	return &engine.Snapshot{GPU: &gpu.Reading{Devices: make([]gpu.Device, n)}}
}

func livePages() []*livePage {
	var all []*livePage
	for focus := part(0); focus <= lastFocusable; focus++ {
		for _, zoomed := range []bool{false, true} {
			all = append(all, &livePage{desk: newDesk(), focus: focus, enlarged: zoomed})
		}
	}
	return all
}

// Parts tile the screen: every cell belongs to exactly one.
func TestPartsTileTheScreen(t *testing.T) {
	for i, l := range livePages() {
		s := withDevices(1 + 7*(i&1))
		if i&2 != 0 {
			s.Knobs = open().Knobs
		}
		for h := leastHeight; h <= 90; h += 11 {
			for w := leastWidth; w <= 310; w += 13 {
				tiles(t, w, h, placed(w, h, s, l), fmt.Sprintf("%+v", l.focus))
			}
		}
	}
}

// What has the focus is on the screen, or the person would turn in the dark.
func TestTheFocusedPanelShows(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}, {300, 80}} {
		for _, l := range livePages() {
			shown := map[part]int{}
			for _, p := range placed(size[0], size[1], busy(), l) {
				shown[p.part]++
			}
			if shown[l.focus] == 0 && !(l.focus == partOutput && shown[partThroughput] > 0) {
				t.Errorf("%v, zoomed %v: the focused part %d has no place", size, l.enlarged, l.focus)
			}
			for p, n := range shown {
				if n > 1 {
					t.Errorf("%v, zoomed %v: part %d has %d places", size, l.enlarged, p, n)
				}
			}
		}
	}
}

// The parts without which a screen says too little.
func TestEveryScreenHasTheEssentials(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {99, 30}, {100, 30}, {120, 36}, {149, 60}, {150, 40}, {200, 50}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			shown := map[part]bool{}
			for _, p := range placed(size[0], size[1], busy(), newLivePage(newDesk())) {
				shown[p.part] = true
			}
			for _, p := range []part{partHeader, partGaugeTTFT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight, partTTFT, partKnobs, partAdvice, partFooter} {
				if !shown[p] {
					t.Errorf("part %d is missing", p)
				}
			}
			if size[1] >= 24 && !shown[partPercentiles] {
				t.Error("the percentiles are missing")
			}
		})
	}
}

func TestTooSmallAScreenHasNoParts(t *testing.T) {
	for _, size := range [][2]int{{59, 40}, {200, 15}, {1, 1}, {0, 0}} {
		if places := placed(size[0], size[1], busy(), newLivePage(newDesk())); places != nil {
			t.Errorf("%v has %d parts", size, len(places))
		}
	}
}
