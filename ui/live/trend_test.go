package live

import (
	"testing"

	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
)

// From twice as much on a trend is a multiple, and above ten times as much it is only that: no "▲ 999 %".
func TestATrendIsNeverMoreThanTenTimes(t *testing.T) {
	for to, want := range map[float64]string{
		1: "flat", 1.4: "▲ 40 %", 0.5: "▼ 50 %", 2.4: "▲ ×2.4", 10: "▲ ×10.0", 10.5: "▲ >×10", 4000: "▲ >×10",
	} {
		s := scene.Busy()
		s.History = make([]stats.Point, 20)
		for i := range s.History {
			if s.History[i].OutputTokens = 10; i >= 10 {
				s.History[i].OutputTokens = 10 * to
			}
		}
		m := pagetest.Open(t, New(knob.NewDesk()), s, 120, 36)
		pagetest.Shows(t, m.Panel(partGaugeOutput, 40, 4), want)
	}
}
