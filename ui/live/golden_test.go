package live

import (
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

// shot is a state of the page.
type shot struct {
	name     string
	snapshot func() *snapshot.Snapshot
	keys     []string
}

// shots are those in which several panels differ.
func shots() []shot {
	return []shot{
		{"busy", scene.Busy, nil},
		{"starting", scene.Starting, nil},
		{"settling", scene.Settling, nil},
		{"no SLO", scene.NoSLO, nil},
		{"open loop", scene.Open, nil},
		{"estimated", scene.Estimated, nil},
	}
}

// sheet checks parts at sizes, in every state, against one golden file.
func sheet(t *testing.T, file string, shots []shot, parts []page.Part, sizes ...[2]int) {
	t.Helper()
	var out pagetest.Sheet
	for _, s := range shots {
		m := pagetest.Open(t, New(knob.NewDesk()), s.snapshot(), 200, 50)
		m.Press(s.keys...)
		for _, p := range parts {
			for _, size := range sizes {
				out.AddPart(t, s.name, m, p, size[0], size[1])
			}
		}
	}
	out.Check(t, file)
}

func TestGauges(t *testing.T) {
	gauges := []page.Part{partGaugeTTFT, partGaugeTPOT, partGaugeITL, partGaugeOutput, partGaugeGoodput, partInFlight}
	sheet(t, "gauges", append(shots(), shot{"thinking", scene.Promised, nil}, shot{"down", scene.Down, nil}), gauges, [2]int{24, 4}, [2]int{40, 6})
	t.Run("lines", func(t *testing.T) {
		var out pagetest.Sheet
		for _, s := range append(shots(), shot{"thinking", scene.Promised, nil}, shot{"ended", scene.Ended, nil}, shot{"down", scene.Down, nil}) {
			m := pagetest.Open(t, New(knob.NewDesk()), s.snapshot(), 80, 24)
			for _, p := range gauges {
				out.AddPart(t, s.name, m, p, 80, 1)
			}
		}
		out.Check(t, "gauge-lines")
	})
}

func TestTheCanarysLine(t *testing.T) {
	var out pagetest.Sheet
	young := func() *snapshot.Snapshot {
		s := scene.Busy()
		s.Canary, s.Knobs.Canary = new(snapshot.Canary), 0.5
		return s
	}
	for _, s := range []shot{{"with failures", scene.Canaried, nil}, {"not yet answered", young, nil}} {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
			m := pagetest.Open(t, New(knob.NewDesk()), s.snapshot(), size[0], size[1])
			out.AddPart(t, s.name, m, partCanary, size[0], 1)
		}
	}
	out.Check(t, "canary")
}

func TestCharts(t *testing.T) {
	charts := []page.Part{partTTFT, partTPOT, partITL, partOutput, partGoodput}
	sheet(t, "charts", shots(), charts, [2]int{62, 9})
	sheet(t, "charts-wide", shots()[:1], charts, [2]int{140, 14})
}

func TestPercentiles(t *testing.T) {
	all := append(shots(), shot{"older load too", scene.Settling, nil}, shot{"failing", scene.Failing, nil})
	sheet(t, "percentiles", all, []page.Part{partPercentiles}, [2]int{36, 7}, [2]int{60, 12})
}

func TestRates(t *testing.T) {
	sheet(t, "rates", shots(), []page.Part{partRates, partThroughput}, [2]int{58, 9})
}

func TestAccelerators(t *testing.T) {
	all := []shot{
		{"busy", scene.Busy, nil},
		{"eight", scene.EightGPUs, nil},
		{"observed", scene.Observed, nil},
		{"troubled", scene.Troubled, nil},
		{"divided", scene.Divided, nil},
		{"elsewhere", scene.Elsewhere, nil},
		{"unseen", scene.Unseen, nil},
	}
	sheet(t, "accelerators", all, []page.Part{partGPU}, [2]int{62, 9}, [2]int{140, 13})
	var out pagetest.Sheet
	for _, s := range all {
		m := pagetest.Open(t, New(knob.NewDesk()), s.snapshot(), 80, 24)
		out.AddPart(t, s.name, m, partGaugeGPU, 80, 1)
		out.AddPart(t, s.name, m, partGaugeMemory, 80, 1)
	}
	out.Check(t, "accelerator-lines")
}

func TestKnobs(t *testing.T) {
	sheet(t, "knobs", []shot{
		{"busy", scene.Busy, nil},
		{"turned", scene.Busy, []string{"right", "right"}},
		{"typing", scene.Busy, []string{"down", "e"}},
		{"scrolled", scene.Busy, []string{"up", "up"}},
		{"open loop", scene.Open, nil},
		{"no SLO", scene.NoSLO, nil},
		{"objectives", scene.Promised, []string{"up", "up"}},
	}, []page.Part{page.Knobs}, [2]int{30, 9}, [2]int{60, 19})
}

func TestNotes(t *testing.T) {
	sheet(t, "notes", []shot{
		{"nothing", scene.Quiet, nil},
		{"paused", scene.Paused, nil},
		{"starting", scene.Starting, nil},
		{"settling", scene.Settling, nil},
		{"failing", scene.Failing, nil},
		{"down", scene.Down, nil},
		{"open loop", scene.Open, nil},
		{"estimated", scene.Estimated, nil},
		{"strained", scene.Strained, nil},
		{"client-bound", scene.ClientBound, nil},
		{"broken", scene.Broken, nil},
		{"autopilot", scene.Climbed, nil},
		{"advice", scene.Observed, nil},
	}, []page.Part{partNotes}, [2]int{60, 14})
}
