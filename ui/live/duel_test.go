package live

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

func TestADuelShowsItsSidesNextToEachOther(t *testing.T) {
	var out pagetest.Sheet
	for _, size := range [][2]int{{80, 21}, {120, 33}} {
		out.Add(t, "together", pagetest.Open(t, New(knob.NewDesk()), scene.Duel(), size[0], size[1]+3).View(), size[0], size[1])
	}
	sheet(t, "duel-table", []shot{{"together", scene.Duel, nil}, {"by turns", scene.NewDuel, nil}},
		[]page.Part{partPercentiles}, [2]int{66, 18})
	out.Check(t, "duel")
}

// TestAVerdictIsShownOnlyWhereItIsEarned looks at the line of differences before the first look, after one, and while the loads
// differ.
func TestAVerdictIsShownOnlyWhereItIsEarned(t *testing.T) {
	s := scene.Duel()
	shown := screenOf(t, s, 120, 36)
	pagetest.Shows(t, shown, "B ╍  TTFT p95 +", "✗ worse", "after 1m")
	s.Duel.Looks = nil
	pagetest.Shows(t, screenOf(t, s, 120, 36), "not yet compared with A")
	s.Duel.Measured, s.Duel.NextLook = 12*time.Second, 36300*time.Millisecond
	shown = screenOf(t, s, 120, 36)
	pagetest.Shows(t, shown, "for the first time once 37 s are measured of each: 12 s so far")
	if strings.Contains(shown, "worse") {
		t.Error("there is a verdict before the first look")
	}
	s.Duel.Unlike = "A has c=8, and B has c=32"
	pagetest.Shows(t, screenOf(t, s, 120, 36), "not compared: A has c=8, and B has c=32")
}

// TestLinesOfSidesLieAtTheirSeconds has a side that is a second behind.
func TestLinesOfSidesLieAtTheirSeconds(t *testing.T) {
	s := scene.Duel()
	b := s.Duel.Sides[1]
	b.History = b.History[:len(b.History)-1]
	lines := sideSeries(s, 60, ttftP95)
	if len(lines) != 2 || lines[0].Dash == lines[1].Dash || lines[0].Role == lines[1].Role {
		t.Fatalf("%+v", lines)
	}
	newest := b.History[len(b.History)-1]
	if got, want := lines[1].Points[58], ttftP95(&newest); got != want || lines[1].Points[59] == lines[1].Points[59] {
		t.Errorf("B's line ends with %v, %v; want %v and a gap", got, lines[1].Points[59], want)
	}
	if a := s.History[len(s.History)-1]; lines[0].Points[59] != ttftP95(&a) {
		t.Errorf("A's line ends with %v", lines[0].Points[59])
	}
}

func TestEverySizeOfADuelFits(t *testing.T) {
	pagetest.EverySizeFits(t, func() page.Page { return New(knob.NewDesk()) }, []func() *snapshot.Snapshot{scene.Duel, scene.NewDuel},
		"tab", "enter", "tab", "tab", "tab", "tab", "tab", "esc", "down", "e")
}
