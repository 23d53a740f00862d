package curve

import (
	"strings"
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

// climbing is a duel whose first side has gone up further than the second.
func climbing() *snapshot.Snapshot {
	a, b := scene.Climbed(), scene.Curved(1, 2, 4, 8, 12)
	a.Duel = &snapshot.Duel{Mode: snapshot.Together, Sides: []*snapshot.Snapshot{a, b}}
	return a
}

func TestTheCurvesOfADuelLieOverEachOther(t *testing.T) {
	m := pagetest.Open(t, New(), climbing(), 120, 36)
	pagetest.Shows(t, m.View(), "TTFT p95 against concurrency", " A ━  ✓ SLO holds up to c=", " B ╍  ", "one for each side", "goodput/s")
	p := m.Page.(*Page)
	c := p.plane(climbing(), &m.Frame().Theme.Glyphs)
	if len(c.Lines) != 2 || c.Lines[0].Name != "A" || c.Lines[1].Name != "B" || c.Lines[0].Dash == c.Lines[1].Dash {
		t.Fatalf("%+v", c.Lines)
	}
	if len(c.Lines[1].Spots) != 5 || len(c.Lines[0].Spots) != 8 {
		t.Errorf("A has %d points, B %d", len(c.Lines[0].Spots), len(c.Lines[1].Spots))
	}
	at := -1.0
	for _, tick := range c.Ticks {
		if tick.At <= at {
			t.Errorf("%v comes after %v", tick.At, at)
		}
		at = tick.At
	}
	if len(c.Ticks) != 9 {
		t.Errorf("%d levels have a place, c=12 of B among them", len(c.Ticks))
	}
	m.Press("v")
	trades := p.plane(climbing(), &m.Frame().Theme.Glyphs)
	letters := ""
	for _, l := range trades.Lines {
		letters += l.Name
	}
	if !strings.Contains(letters, "A ") || !strings.Contains(letters, "B ") {
		t.Errorf("of the Pareto view, points are called %q", letters)
	}
}

func TestEverySizeOfADuelFits(t *testing.T) {
	pagetest.EverySizeFits(t, func() page.Page { return New() }, []func() *snapshot.Snapshot{climbing, scene.NewDuel}, "y", "v", "x", "left")
}
