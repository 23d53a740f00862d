package ui

import (
	"fmt"
	"testing"
)

// Parts tile the screen: every cell belongs to exactly one.
func TestPartsTileTheScreen(t *testing.T) {
	for _, f := range framings() {
		for h := leastHeight; h <= 90; h += 11 {
			for w := leastWidth; w <= 310; w += 13 {
				tiles(t, w, h, arrange(w, h, &livePage{}, f), fmt.Sprintf("%+v", f))
			}
		}
	}
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

func framings() []framing {
	var all []framing
	for focus := part(0); focus <= lastFocusable; focus++ {
		for i := range 8 {
			all = append(all, framing{
				focus: focus, zoomed: i&1 != 0, openLoop: i&2 != 0, help: i&4 != 0 && i&3 == 0, picking: i&4 != 0 && i&3 == 1,
				knobs: 14, devices: 1 + 7*(i&1),
			})
		}
	}
	return all
}

// What has the focus is on the screen, or the person would turn in the dark.
func TestTheFocusedPanelShows(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}, {300, 80}} {
		for focus := part(0); focus <= lastFocusable; focus++ {
			for _, zoomed := range []bool{false, true} {
				shown := map[part]int{}
				for _, p := range arrange(size[0], size[1], &livePage{}, framing{focus: focus, zoomed: zoomed, knobs: 14}) {
					shown[p.part]++
				}
				if shown[focus] == 0 && !(focus == partOutput && shown[partThroughput] > 0) {
					t.Errorf("%v, zoomed %v: the focused part %d has no place", size, zoomed, focus)
				}
				for p, n := range shown {
					if n > 1 {
						t.Errorf("%v, zoomed %v: part %d has %d places", size, zoomed, p, n)
					}
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
			for _, p := range arrange(size[0], size[1], &livePage{}, framing{knobs: 14}) {
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
		if places := arrange(size[0], size[1], &livePage{}, framing{knobs: 14}); places != nil {
			t.Errorf("%v has %d parts", size, len(places))
		}
	}
}
