package stages

import (
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

func TestPanels(t *testing.T) {
	var tables, pairs pagetest.Sheet
	for _, s := range []struct {
		name     string
		snapshot func() *snapshot.Snapshot
		keys     []string
	}{
		{"a ladder", scene.Ladder, nil},
		{"newborn", scene.Newborn, nil},
		{"many", scene.ManyStages, []string{"k", "enter"}},
		{"two of a ladder", scene.Ladder, []string{"k", "enter", "k", "k", "enter"}},
		{"different shapes", scene.Reshaped, []string{"k", "enter", "k", "enter"}},
		{"reasoning", scene.Reasoning, nil},
		{"observed", scene.Observed, []string{"k", "enter", "j", "enter"}},
		{"nothing yet", scene.Starting, nil},
	} {
		m := pagetest.Open(t, New(), s.snapshot(), 120, 36)
		for _, k := range s.keys {
			m.Settle(m.Press(k))
		}
		for _, w := range []int{80, 120, 200} {
			tables.AddPart(t, s.name, m, partStages, w, 10)
		}
		if len(s.keys) > 0 {
			pairs.AddPart(t, s.name, m, partPair, 80, 12)
			pairs.AddPart(t, s.name, m, partPair, 120, 26)
		}
	}
	tables.Check(t, "table")
	pairs.Check(t, "pair")
}
