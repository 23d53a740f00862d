package workers

import (
	"testing"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

func TestPanels(t *testing.T) {
	none := scene.Busy()
	none.Workers = &snapshot.Workers{}
	var out pagetest.Sheet
	for _, s := range []struct {
		name string
		of   *snapshot.Snapshot
		keys []string
	}{
		{"four", scene.Fleet(), nil},
		{"a strained one chosen", scene.Fleet(), []string{"j"}},
		{"a lost one chosen", scene.Fleet(), []string{"j", "j"}},
		{"the last, and no further", scene.Fleet(), []string{"j", "j", "j", "j", "j"}},
		{"none yet", none, []string{"j"}},
	} {
		m := pagetest.Open(t, New(), s.of, 120, 36)
		m.Press(s.keys...)
		for _, size := range [][2]int{{60, 12}, {80, 12}, {120, 14}, {160, 14}} {
			out.AddPart(t, s.name, m, partWorkers, size[0], size[1])
		}
	}
	out.Check(t, "workers")
}

func TestNoClockIsAheadByNothingBackwards(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-20 * time.Microsecond: "+0.0 ms", -60 * time.Microsecond: "-0.1 ms", 1300 * time.Microsecond: "+1.3 ms", -90 * time.Second: "-90 s",
	} {
		if got := ahead(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
