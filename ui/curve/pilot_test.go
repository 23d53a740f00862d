package curve

import (
	"testing"

	"tokdyno/engine/stage"
	"tokdyno/ui/internal/scene"
)

// A way of many levels scrolls so that the one it is at shows.
func TestThePilotsPanelShowsWhereItIs(t *testing.T) {
	s := scene.Climbed()
	view := *s.Pilot
	view.Progress.Rungs = nil
	for i := range 60 {
		r := stage.Rung{Level: float64(i + 1), State: stage.Todo}
		switch {
		case i < 40:
			r.State = stage.Held
		case i == 40:
			r.State = stage.Now
		}
		view.Progress.Rungs = append(view.Progress.Rungs, r)
	}
	s.Pilot = &view
	open(t, s).Shows("c=41   ▶ now", "c=40   ✓ held", "c=42   ○ todo")
}

func TestThePilotsPanel(t *testing.T) {
	m := open(t, scene.Climbed())
	m.Shows("─ Autopilot ladder ─", "about 01:10 left", "c=16   ✓ held       640   3,133  0 %",
		"c=32   ✗ missed   1,280   4,132  17.1 % ttft", "c=48   ▶ now", "c=64   ○ todo", "c=48: 42 of 100 requests")
	open(t, scene.Searched()).Shows("done", "c=24 holds the SLO")
	open(t, scene.Curved(1, 2)).Shows("a ladder up the levels")
	m.Engine.StopAutopilot()
	m.Look()
	m.Shows("c=48   ○ cut short")
}
