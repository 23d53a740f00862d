package curve

import (
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

func TestPanels(t *testing.T) {
	all := []struct {
		name     string
		snapshot func() *snapshot.Snapshot
		keys     []string
	}{
		{"climbed", scene.Climbed, []string{"left", "left"}},
		{"output", scene.Searched, []string{"y", "y", "y", "x"}},
		{"Pareto", scene.Climbed, []string{"v", "left"}},
		{"untried", scene.Untried, nil},
		{"no SLO", scene.Unpromised, []string{"Y"}},
		{"reasoning", scene.Reasoning, []string{"y"}},
		{"starting", scene.Starting, nil},
	}
	for _, panel := range []struct {
		file  string
		part  page.Part
		sizes [][2]int
	}{
		{"chart", partCurve, [][2]int{{80, 12}, {120, 24}}},
		{"levels", partLevels, [][2]int{{80, 9}, {120, 11}, {200, 7}}},
		{"point", partPoint, [][2]int{{50, 23}}},
		{"autopilot", partPilot, [][2]int{{50, 14}}},
	} {
		t.Run(panel.file, func(t *testing.T) {
			var out pagetest.Sheet
			for _, s := range all {
				m := pagetest.Open(t, New(), s.snapshot(), 120, 36)
				m.Engine.Values = scene.Sampled(scene.ClimbedLevels()...)
				m.Settle(m.Look())
				for _, k := range s.keys {
					m.Settle(m.Press(k))
				}
				for _, size := range panel.sizes {
					out.AddPart(t, s.name, m, panel.part, size[0], size[1])
				}
			}
			out.Check(t, panel.file)
		})
	}
}
