package machine

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
		{"observed", scene.Observed, nil},
		{"two", scene.Machine(2), []string{"j"}},
		{"troubled", scene.Troubled, []string{"j", "j", "j", "j", "j"}},
		{"sixteen", scene.Machine(16), []string{"j", "j", "j", "j", "j", "j", "j", "j", "j"}},
		{"divided", scene.Divided, []string{"j"}},
		{"elsewhere", scene.Elsewhere, nil},
		{"speculating", scene.Speculating, nil},
		{"one of two", scene.Halved, nil},
		{"unseen", scene.Unseen, nil},
	}
	for _, panel := range []struct {
		file  string
		part  page.Part
		sizes [][2]int
	}{
		{"devices", partDevices, [][2]int{{80, 11}, {120, 16}, {200, 16}}},
		{"activity", partActivity, [][2]int{{60, 8}}},
		{"queue", partQueue, [][2]int{{60, 8}}},
		{"server", partServer, [][2]int{{46, 10}, {60, 16}}},
		{"cost", partCost, [][2]int{{48, 6}}},
		{"meaning", partMeaning, [][2]int{{60, 8}}},
	} {
		t.Run(panel.file, func(t *testing.T) {
			var out pagetest.Sheet
			for _, s := range all {
				m := pagetest.Open(t, New(), s.snapshot(), 120, 36)
				m.Press(s.keys...)
				for _, size := range panel.sizes {
					out.AddPart(t, s.name, m, panel.part, size[0], size[1])
				}
			}
			out.Check(t, panel.file)
		})
	}
}
