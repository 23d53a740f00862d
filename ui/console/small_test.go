package console

import (
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

// A screen that is too small for a page still says how the run stands, and how to leave it.
func TestSmallScreens(t *testing.T) {
	var sheet pagetest.Sheet
	for _, s := range []shot{
		{"busy", scene.Busy, nil},
		{"settling", scene.Settling, nil},
		{"failing", scene.Failing, nil},
		{"starting", scene.Starting, nil},
		{"estimated", scene.Estimated, nil},
		{"ended", scene.Ended, nil},
	} {
		for _, size := range [][2]int{{20, 4}, {32, 8}, {59, 12}} {
			m := s.shoot(t, size[0], size[1], plain(t))
			sheet.Add(t, s.name, m.View(), size[0], size[1])
		}
	}
	sheet.Check(t, "small")
}

// Its keys work as on any other.
func TestKeysOfASmallScreen(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 20, 4, plain(t))
	press(m, " ")
	if applied, _, _ := fake.Seen(); len(applied) != 1 || !applied[0].Paused {
		t.Errorf("space applied %v", applied)
	}
	press(m, "q")
	if _, drains, _ := fake.Seen(); drains != 1 {
		t.Errorf("q drains %d times", drains)
	}
	fake.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Draining })
	m.Update(frameMsg{})
	pagetest.Fits(t, m.View(), 20, 4)
}
