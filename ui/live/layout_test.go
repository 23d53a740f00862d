package live

import (
	"fmt"
	"slices"
	"testing"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

// pages are the page with every focus, with and without a panel enlarged.
func pages() []*Page {
	var all []*Page
	for focus := page.Part(0); focus <= lastFocusable; focus++ {
		for _, zoomed := range []bool{false, true} {
			all = append(all, &Page{desk: knob.NewDesk(), focus: focus, enlarged: zoomed})
		}
	}
	return all
}

// Parts tile the screen: every cell belongs to exactly one.
func TestPartsTileTheScreen(t *testing.T) {
	for i, l := range pages() {
		s := &snapshot.Snapshot{GPU: &gpu.Reading{Devices: make([]gpu.Device, 1+7*(i&1))}}
		if i&2 != 0 {
			s.Knobs = scene.Open().Knobs
		}
		if i&4 != 0 {
			s.Objectives = make([]slo.Standing, i)
		}
		pagetest.TilesEverywhere(t, l, s, fmt.Sprintf("focus %d, zoomed %v", l.focus, l.enlarged))
	}
}

// What has the focus is on the screen, or the person would turn in the dark.
func TestTheFocusedPanelShows(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}, {300, 80}} {
		for _, l := range pages() {
			shown := map[page.Part]int{}
			for _, p := range pagetest.Open(t, l, scene.Busy(), size[0], size[1]).Places() {
				shown[p.Part]++
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
			var shown []page.Part
			for _, p := range pagetest.Open(t, New(knob.NewDesk()), scene.Busy(), size[0], size[1]).Places() {
				shown = append(shown, p.Part)
			}
			essential := []page.Part{partGaugeTTFT, partGaugeTPOT, partGaugeOutput, partGaugeGoodput, partInFlight, partTTFT, page.Knobs}
			if size[1] >= 24 {
				essential = append(essential, partPercentiles)
			}
			for _, p := range essential {
				if !slices.Contains(shown, p) {
					t.Errorf("part %d is missing", p)
				}
			}
		})
	}
}
