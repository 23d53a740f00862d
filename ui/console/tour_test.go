package console

import (
	"strings"
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

// young is a run of the demo that has just begun.
func young() *snapshot.Snapshot {
	s := *scene.Busy()
	s.Simulated, s.Elapsed = true, tourOffered/2
	return &s
}

func TestTheDemoOffersItsTour(t *testing.T) {
	m, fake := opened(t, young(), 120, 36, plain(t))
	says(t, m, "new here? ? and then t")
	press(m, "?")
	says(t, m, "t tour")
	fake.Change(func(s *snapshot.Snapshot) { s.Elapsed = 2 * tourOffered })
	m.Update(frameMsg{})
	press(m, "esc")
	if strings.Contains(m.View(), "new here?") {
		t.Error("it is offered for ever")
	}
	for _, other := range []func(*snapshot.Snapshot){
		func(s *snapshot.Snapshot) { s.Simulated = false },
		func(s *snapshot.Snapshot) { s.Replay = &snapshot.Replay{} },
	} {
		s := young()
		other(s)
		m, _ := opened(t, s, 120, 36, plain(t))
		if strings.Contains(m.View(), "new here?") {
			t.Error("another run offers it")
		}
		press(m, "?", "t")
		says(t, m, "the tour is for tokdyno demo")
	}
}

// Every step asks for a key that means something where it is asked for, and then shows the next.
func TestTheTourGoesFromKeyToKey(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		m, fake := opened(t, young(), size[0], size[1], plain(t))
		press(m, "4", "?", "t")
		if m.open != 0 {
			t.Error("it does not begin on the first page")
		}
		for i, step := range tourSteps() {
			lines := strings.Join(strings.Fields(m.View()), " ")
			pagetest.Shows(t, lines, "tour "+string(rune('1'+i))+"/5: ", step.asks)
			press(m, "z") // which means nothing
			press(m, "f")
			press(m, "f")
			if m.tour.at != i {
				t.Fatalf("another key than %s is taken for it", step.key)
			}
			press(m, step.key)
			pagetest.Fits(t, m.View(), size[0], size[1])
			lines = strings.Join(strings.Fields(m.View()), " ")
			pagetest.Shows(t, lines, step.shows)
		}
		says(t, m, "That was the tour")
		if m.open != 5 || len(fake.Runs) != 1 {
			t.Errorf("its keys did nothing: page %d, autopilots %v", m.open+1, fake.Runs)
		}
		press(m, "1")
		if m.tour.on() || strings.Contains(m.View(), "new here?") {
			t.Error("it does not end, or is offered again")
		}
	}
}

func TestEscLeavesTheTour(t *testing.T) {
	m, _ := opened(t, young(), 120, 36, plain(t))
	press(m, ":")
	m.prompt.entry.Begin("tour")
	press(m, "enter", "}", "esc")
	if m.tour.on() {
		t.Errorf("the tour goes on:\n%s", m.View())
	}
}
