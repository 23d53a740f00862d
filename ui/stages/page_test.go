package stages

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

// pageOf is the page that a screen shows.
func pageOf(m *pagetest.Screen) *Page { return m.Page.(*Page) }

func rowUnderCursor(t *testing.T, m *pagetest.Screen) int {
	t.Helper()
	rows := m.Frame().Shown.Stages
	return rows[pageOf(m).row(rows)].Number
}

func TestStagesFollowTheNewestUntilTheCursorMoves(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Staged(1, 2, 4), 120, 36)
	next := func(levels ...int) {
		s := scene.Staged(levels...)
		m.Engine.Change(func(now *snapshot.Snapshot) { now.Stages = s.Stages })
		m.Look()
	}
	if n := rowUnderCursor(t, m); n != 3 {
		t.Fatalf("opens on stage %d, want the newest, 3", n)
	}
	next(1, 2, 4, 8)
	if n := rowUnderCursor(t, m); n != 4 {
		t.Errorf("a stage later the cursor is on %d, want 4", n)
	}
	m.Press("up")
	next(1, 2, 4, 8, 16)
	if n := rowUnderCursor(t, m); n != 3 {
		t.Errorf("moved to 3, it is on %d a stage later", n)
	}
	m.Press("j", "j", "j")
	next(1, 2, 4, 8, 16, 32)
	if n := rowUnderCursor(t, m); n != 6 {
		t.Errorf("moved to the end, it is on %d, want the newest again", n)
	}
	m.Press("k", "k", "G")
	if n := rowUnderCursor(t, m); n != 6 {
		t.Errorf("G goes to %d", n)
	}
}

// A stage in which nothing happened vanishes when the next one opens; the cursor and the marks must not mind.
func TestStagesThatVanish(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Staged(1, 2, 4), 120, 36)
	m.Press("up", "enter", "down", "enter", "up")
	m.Engine.Change(func(s *snapshot.Snapshot) { s.Stages = append(s.Stages[:1:1], s.Stages[2]) })
	m.Look()
	if n := rowUnderCursor(t, m); n != 1 {
		t.Errorf("the cursor is on %d, want the one before that which vanished", n)
	}
	if !strings.Contains(m.View(), "one of the two stages is gone") {
		t.Error("it is not said that A has vanished")
	}
	pagetest.Fits(t, m.View(), 120, 36-3)
}

func TestMarkingTwoStages(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Staged(1, 2, 4, 8), 120, 36)
	p := pageOf(m)
	for _, step := range []struct {
		key  string
		a, b int
	}{
		{"enter", 4, 0},
		{"up", 4, 0},
		{"enter", 4, 3},
		{"up", 4, 3},
		{"enter", 4, 2}, // a third takes B's place
		{"enter", 4, 0}, // again unmarks
		{"enter", 4, 2},
		{"G", 4, 2},
		{"enter", 2, 0}, // A unmarked: B is A
		{"esc", 0, 0},
	} {
		m.Press(step.key)
		if p.a != step.a || p.b != step.b {
			t.Fatalf("after %s: A is %d and B %d, want %d and %d", step.key, p.a, p.b, step.a, step.b)
		}
	}
}

func TestComparisonSaysWhetherADifferenceExceedsTheNoise(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values func(n int, m slo.Metric) []time.Duration
		want   string // in the row of TTFT p50
	}{
		{"the same twice", func(n int, _ slo.Metric) []time.Duration { return scene.Drawn(uint64(n), 4000, scene.MS(100)) }, "same within 5 %"},
		{"twice as slow", func(n int, _ slo.Metric) []time.Duration {
			return scene.Drawn(uint64(n), 500, time.Duration(n)*scene.MS(100))
		}, "✗ worse"},
		{"few samples", func(n int, _ slo.Metric) []time.Duration { return scene.Drawn(uint64(n), 5, scene.MS(100)) }, "can't tell"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := pagetest.Open(t, New(), scene.Staged(8, 16), 120, 36)
			m.Engine.Values = tt.values
			m.Press("k", "enter", "j")
			m.Settle(m.Press("enter"))
			for _, line := range strings.Split(m.View(), "\n") {
				if strings.Contains(line, " TTFT p50 ") && strings.Contains(line, "%") {
					if !strings.Contains(line, tt.want) {
						t.Errorf("want %q in %q", tt.want, line)
					}
					return
				}
			}
			t.Errorf("there is no row of TTFT p50:\n%s", m.View())
		})
	}
}

// The statistic is asked for when the choice or a stage changes, not with every frame, and not more than once a second.
func TestComparisonIsMadeOnlyWhenSomethingChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scene.Staged(8, 16, 32)
		m := pagetest.OpenRunning(t, New(), s, 120, 36)
		m.Engine.Values = func(n int, _ slo.Metric) []time.Duration { return scene.Drawn(uint64(n), 50, scene.MS(100)) }
		look := func(frames int) (made int) {
			for range frames {
				time.Sleep(100 * time.Millisecond)
				if cmd := m.Look(); cmd != nil {
					made++
					m.Settle(cmd)
				}
			}
			return made
		}
		m.Press("k", "k", "enter", "j")
		m.Settle(m.Press("enter")) // stages 1 and 2, which are over
		perComparison := m.Engine.Asked
		if perComparison == 0 {
			t.Fatal("choosing B compares nothing")
		}
		if made := look(50); made != 0 {
			t.Errorf("two stages that are over were compared %d more times", made)
		}
		m.Press("G")
		m.Settle(m.Press("enter")) // stage 3, which goes on
		asked := m.Engine.Asked
		for range 50 {
			m.Engine.Change(func(s *snapshot.Snapshot) {
				s.Stages = append(s.Stages[:2:2], s.Stages[2])
				s.Stages[2].Summary = scene.StageOf(32)
			})
			look(1)
		}
		if n := (m.Engine.Asked - asked) / perComparison; n < 4 || n > 5 {
			t.Errorf("in 5 s, a stage that goes on was compared %d times, want once a second", n)
		}
	})
}

func TestDifferentShapesAreNotCompared(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Reshaped(), 120, 36)
	m.Press("k", "k", "enter", "j")
	m.Settle(m.Press("enter"))
	if !strings.Contains(m.View(), "different shapes: these don't compare") {
		t.Errorf("it is not said:\n%s", m.View())
	}
	if m.Engine.Asked != 0 || strings.Contains(m.View(), "worse") || strings.Contains(m.View(), "same within") {
		t.Error("they are compared all the same")
	}
}

func TestUnknownFiguresOfAStageAreNotZero(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Newborn(), 200, 50)
	for _, line := range strings.Split(m.View(), "\n") {
		if strings.Contains(line, "c=4  512 in") && strings.Contains(line, "settling") {
			if n := strings.Count(line, cell.Unknown); n != 13 {
				t.Errorf("%d figures are n/a, want all 13 but n, and a verdict that is not yet known: %s", n, line)
			}
			return
		}
	}
	t.Errorf("the stage has no row:\n%s", m.View())
}

func TestStageTableKeepsTheEssentialsOnNarrowScreens(t *testing.T) {
	for _, w := range []int{80, 100, 120, 200} {
		m := pagetest.Open(t, New(), scene.Ladder(), w, 24)
		for _, name := range []string{"load", "n ", "TTFT p95", "TPOT p95", "out tok/s", "SLO"} {
			if !strings.Contains(strings.Split(m.View(), "\n")[1], name) {
				t.Errorf("at %d cells there is no column %q", w, name)
			}
		}
	}
}

func TestSignedPercent(t *testing.T) {
	for by, want := range map[float64]string{
		0.58: "+58 %", -0.183: "−18 %", 0.004: "+0.4 %", 0: "±0.0 %", 0.0994: "+9.9 %", 0.0996: "+10 %", 1e9: "+9999 %",
	} {
		if got := cell.SignedShare(by) + " %"; got != want {
			t.Errorf("%v is %q, want %q", by, got, want)
		}
	}
}

func TestEverySizeFits(t *testing.T) {
	scenes := []func() *snapshot.Snapshot{scene.Ladder, scene.Newborn, scene.Reshaped, scene.ManyStages, scene.Observed}
	pagetest.EverySizeFits(t, func() page.Page { return New() }, scenes, "enter", "k", "enter", "j", "G", "esc")
}

func TestPartsTileTheScreen(t *testing.T) {
	for a := range 2 {
		for b := range 2 {
			pagetest.TilesEverywhere(t, &Page{a: a, b: a * b}, scene.Busy(), fmt.Sprintf("A %d, B %d", a, a*b))
		}
	}
}

func BenchmarkStagesFrame(b *testing.B) {
	m := pagetest.Open(b, New(), scene.ManyStages(), 200, 50)
	m.Engine.Values = func(n int, _ slo.Metric) []time.Duration { return scene.Drawn(uint64(n), 1000, scene.MS(100)) }
	m.Press("k", "enter", "k")
	m.Settle(m.Press("enter"))
	b.ReportAllocs()
	for b.Loop() {
		m.Look()
		m.View()
	}
}

// What a comparison costs beside the console.
func BenchmarkComparison(b *testing.B) {
	fake := scene.New(scene.Staged(8, 16))
	samples := scene.Drawn(1, 10_000, scene.MS(100))
	fake.Values = func(int, slo.Metric) []time.Duration { return samples }
	b.ReportAllocs()
	for b.Loop() {
		compared(fake.StageSeries, pairKey{a: 1, b: 2})
	}
}

func TestStagesShowTelemetryWhereThereIsRoom(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Observed(), 200, 50)
	m.Shows("SM act", "tok/J", "KV max")
	m.Press("k", "enter", "j", "enter")
	m.Shows("SM active mean", "power mean", "tok/J", "tok/s per GPU", "KV cache max", "waiting max", "prefix hit rate")
	pagetest.Shows(t, pagetest.LineWith(m.View(), "waiting max"), "3", "6", "+3", "+100 %")
	blind := pagetest.Open(t, New(), scene.Ladder(), 200, 50)
	blind.Press("k", "enter", "k", "enter")
	if strings.Contains(blind.View(), "tok/J") {
		t.Error("figures that no stage has are shown")
	}
}

// Stages that the list leaves out are said to be.
func TestDroppedStagesAreSaid(t *testing.T) {
	s := scene.Staged(1, 2, 4)
	m := pagetest.Open(t, New(), s, 120, 36)
	if drawn := m.Panel(partStages, 80, 10); strings.Contains(drawn, "dropped") {
		t.Errorf("none was dropped:\n%s", drawn)
	}
	s.Stages[2].Number = 5
	m.Engine.Change(func(now *snapshot.Snapshot) { now.Stages = s.Stages })
	m.Look()
	pagetest.Shows(t, m.Panel(partStages, 80, 10), "2 dropped, nothing ended")
}

// Answers of other lengths are another load, whatever was asked for.
func TestComparisonSaysThatAnswersWereOfOtherLengths(t *testing.T) {
	for b, want := range map[float64]bool{12: true, 127: false} {
		s := scene.Staged(8, 16)
		s.Stages[0].Answers = snapshot.AnswerLengths{Asked: 128, Achieved: 128, N: 60}
		s.Stages[1].Answers = snapshot.AnswerLengths{Asked: 128, Achieved: b, N: 60, Early: 60}
		m := pagetest.Open(t, New(), s, 120, 36)
		m.Press("k", "enter", "j")
		m.Settle(m.Press("enter"))
		if got := strings.Contains(m.View(), "answers of 128.0 tokens against 12.0: TPOT and throughput don't compare"); got != want {
			t.Errorf("%v tokens: said %t\n%s", b, got, m.View())
		}
	}
}
