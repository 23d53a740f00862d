package curve

import (
	"strings"
	"testing"

	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/ui/figure"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

// The panel and the table of levels are on one page, so what they say of a level is the same.
func TestThePilotsPanelNeverContradictsTheTable(t *testing.T) {
	s := scene.Climbed()
	for i := range s.Pilot.Progress.Rungs {
		if r := &s.Pilot.Progress.Rungs[i]; r.Level == 8 {
			r.State, r.Binding, r.Share = stage.Missed, "ttft", 0.2 // more of it ended since
		}
		if r := &s.Pilot.Progress.Rungs[i]; r.Level == 32 {
			r.State = stage.Held
		}
	}
	m := open(t, s)
	m.Shows("c=8    ✓ held since: 99.6 % of 320", "c=32   ✗ missed since: 89.6 % of 1,280")
	if strings.Contains(m.View(), "20.0 % ttft") {
		t.Errorf("it also says what was judged then:\n%s", m.View())
	}
}

func TestWhatWasFoundIsSaidToBeMissedSince(t *testing.T) {
	s := scene.Searched()
	s.Pilot.Result.Level = 32
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		m := pagetest.Open(t, New(), s, size[0], size[1])
		m.Shows("c=32 missed since: 89.6 % of 1,280")
	}
}

// The sentence is of when the autopilot had finished: what its rows say otherwise since, it says as well.
func TestWhatWasFoundSaysWhichLevelsAreJudgedAnew(t *testing.T) {
	s := scene.Searched()
	if _, text := figure.Found(s); strings.Contains(text, "since") {
		t.Fatalf("nothing was judged anew, and it says %q", text)
	}
	for i := range s.Pilot.Progress.Rungs {
		if r := &s.Pilot.Progress.Rungs[i]; r.Level == 32 {
			r.State, r.Stuck = stage.Unknown, false
		}
	}
	if _, text := figure.Found(s); !strings.HasSuffix(text, " Judged anew since: c=32 missed.") {
		t.Errorf("it says %q", text)
	}
}

func TestThePilotsPanelSaysWhatIsNotYetKnownAndWhatIsNext(t *testing.T) {
	s := scene.Climbed()
	p := &s.Pilot.Progress
	p.Rungs = []stage.Rung{
		{Level: 3, State: stage.Unknown, N: 60, Judged: slo.Decide(60, 60, 0, 0.99)},
		{Level: 5, State: stage.Missed, Stuck: true, Binding: "no answer", Note: "no answer in 60 s"},
		{Level: 6, State: stage.Now},
	}
	p.IfHeld, p.IfMissed, p.AtMost = 6, 0, true
	s.Pilot.Remark = "a verdict needs 1,000 requests"
	open(t, s).Shows("c=3    … unknown     60", "60 of 100", "c=5    ✗ no answer in 60 s", "at most 01:10 left",
		"next: c=6 again if it holds, else done", "a verdict needs 1,000 requests")
}

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
