package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/ui/internal/golden"
	"tokdyno/ui/theme"
)

// stagesOf is the Stages page of a console.
func stagesOf(m *model) *stagesPage {
	for _, p := range m.pages {
		if s, ok := p.Page.(*stagesPage); ok {
			return s
		}
	}
	return nil
}

// settle does the work that a command asks for, and gives the console its result.
func settle(m *model, cmd tea.Cmd) {
	if cmd != nil {
		m.Update(cmd())
	}
}

func rowUnderCursor(t *testing.T, m *model) int {
	t.Helper()
	rows := m.shown().Stages
	return rows[stagesOf(m).row(rows)].Number
}

func TestStagesFollowTheNewestUntilTheCursorMoves(t *testing.T) {
	m, fake := opened(t, staged(1, 2, 4), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, "5")
	next := func(levels ...int) {
		s := staged(levels...)
		fake.change(func(now *engine.Snapshot) { now.Stages = s.Stages })
		m.Update(frameMsg{})
	}
	if n := rowUnderCursor(t, m); n != 3 {
		t.Fatalf("opens on stage %d, want the newest, 3", n)
	}
	next(1, 2, 4, 8)
	if n := rowUnderCursor(t, m); n != 4 {
		t.Errorf("a stage later the cursor is on %d, want 4", n)
	}
	press(m, "up")
	next(1, 2, 4, 8, 16)
	if n := rowUnderCursor(t, m); n != 3 {
		t.Errorf("moved to 3, it is on %d a stage later", n)
	}
	press(m, "j", "j", "j")
	next(1, 2, 4, 8, 16, 32)
	if n := rowUnderCursor(t, m); n != 6 {
		t.Errorf("moved to the end, it is on %d, want the newest again", n)
	}
	press(m, "k", "k", "G")
	if n := rowUnderCursor(t, m); n != 6 {
		t.Errorf("G goes to %d", n)
	}
}

// A stage in which nothing happened vanishes when the next one opens; the cursor and the marks must not mind.
func TestStagesThatVanish(t *testing.T) {
	m, fake := opened(t, staged(1, 2, 4), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, "5", "up", "enter", "down", "enter", "up")
	fake.change(func(s *engine.Snapshot) { s.Stages = append(s.Stages[:1:1], s.Stages[2]) })
	m.Update(frameMsg{})
	if n := rowUnderCursor(t, m); n != 1 {
		t.Errorf("the cursor is on %d, want the one before that which vanished", n)
	}
	if !strings.Contains(m.View(), "one of the two stages is gone") {
		t.Error("it is not said that A has vanished")
	}
	fits(t, m.View(), 120, 36)
}

func TestMarkingTwoStages(t *testing.T) {
	m, _ := opened(t, staged(1, 2, 4, 8), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
	p := stagesOf(m)
	press(m, "5")
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
		press(m, step.key)
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
		{"the same twice", func(n int, _ slo.Metric) []time.Duration { return drawn(uint64(n), 500, ms(100)) }, "within noise"},
		{"twice as slow", func(n int, _ slo.Metric) []time.Duration {
			return drawn(uint64(n), 500, time.Duration(n)*ms(100))
		}, "✗ clear: worse"},
		{"few samples", func(n int, _ slo.Metric) []time.Duration { return drawn(uint64(n), 5, ms(100)) }, "too few"},
		{"no samples", func(int, slo.Metric) []time.Duration { return nil }, "too few"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, fake := opened(t, staged(8, 16), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
			fake.values = tt.values
			press(m, "5", "k", "enter", "j")
			settle(m, press(m, "enter"))
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
		s := staged(8, 16, 32)
		fake := newFake(s)
		fake.values = func(n int, _ slo.Metric) []time.Duration { return drawn(uint64(n), 50, ms(100)) }
		m := newModel(fake, mustTheme(t, theme.Dark, termenv.Ascii, false), time.Now)
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		look := func(frames int) (made int) {
			for range frames {
				time.Sleep(DefaultFrame)
				_, cmd := m.Update(frameMsg{})
				if cmd != nil {
					made++
					settle(m, cmd)
				}
			}
			return made
		}
		press(m, "5", "k", "k", "enter", "j")
		settle(m, press(m, "enter")) // stages 1 and 2, which are over
		perComparison := fake.asked
		if perComparison == 0 {
			t.Fatal("choosing B compares nothing")
		}
		if made := look(50); made != 0 {
			t.Errorf("two stages that are over were compared %d more times", made)
		}
		press(m, "G")
		settle(m, press(m, "enter")) // stage 3, which goes on
		asked := fake.asked
		for range 50 {
			fake.change(func(s *engine.Snapshot) {
				s.Stages = append(s.Stages[:2:2], s.Stages[2])
				s.Stages[2].Summary = stageOf(32)
			})
			look(1)
		}
		if n := (fake.asked - asked) / perComparison; n < 4 || n > 5 {
			t.Errorf("in 5 s, a stage that goes on was compared %d times, want once a second", n)
		}
	})
}

func TestDifferentShapesAreNotCompared(t *testing.T) {
	m, fake := opened(t, reshaped(), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, "5", "k", "k", "enter", "j")
	settle(m, press(m, "enter"))
	if !strings.Contains(m.View(), "different shapes: these don't compare") {
		t.Errorf("it is not said:\n%s", m.View())
	}
	if fake.asked != 0 || strings.Contains(m.View(), "clear:") || strings.Contains(m.View(), "within noise") {
		t.Error("they are compared all the same")
	}
}

func TestAFaultBesideTheConsoleEndsItWithAnError(t *testing.T) {
	m, fake := opened(t, staged(8, 16), 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
	fake.values = func(int, slo.Metric) []time.Duration { panic("no such stage") }
	press(m, "5", "enter", "k")
	_, cmd := m.Update(press(m, "enter")())
	if !quits(cmd) || m.err == nil || !strings.Contains(m.err.Error(), "no such stage") {
		t.Errorf("err = %v", m.err)
	}
}

func TestUnknownFiguresOfAStageAreNotZero(t *testing.T) {
	m, _ := opened(t, newborn(), 200, 50, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, "5")
	for _, line := range strings.Split(m.View(), "\n") {
		if strings.Contains(line, "c=4  512 in") && strings.Contains(line, "settling") {
			if n := strings.Count(line, unknown); n != 14 {
				t.Errorf("%d figures are n/a, want all 14 but n: %s", n, line)
			}
			return
		}
	}
	t.Errorf("the stage has no row:\n%s", m.View())
}

func TestStageTableKeepsTheEssentialsOnNarrowScreens(t *testing.T) {
	for _, w := range []int{80, 100, 120, 200} {
		m, _ := opened(t, ladder(), w, 24, mustTheme(t, theme.Dark, termenv.Ascii, false))
		press(m, "5")
		for _, name := range []string{"load", "n ", "TTFT p95", "TPOT p95", "out tok/s", "SLO"} {
			if !strings.Contains(strings.Split(m.View(), "\n")[2], name) {
				t.Errorf("at %d cells there is no column %q", w, name)
			}
		}
	}
}

func TestSignedPercent(t *testing.T) {
	for by, want := range map[float64]string{
		0.58: "+58 %", -0.183: "−18 %", 0.004: "+0.4 %", 0: "±0.0 %", 0.0994: "+9.9 %", 0.0996: "+10 %", 1e9: "+9999 %",
	} {
		if got := signedPercent(by); got != want {
			t.Errorf("%v is %q, want %q", by, got, want)
		}
	}
}

func TestEveryStagesSizeFits(t *testing.T) {
	shots := []func() *engine.Snapshot{ladder, newborn, reshaped, manyStages, starting, busy}
	n := 0
	check := func(w, h int) {
		n++ // every size gets another scene
		m, _ := opened(t, shots[n%len(shots)](), w, h, mustTheme(t, theme.Dark, termenv.ANSI, n%2 == 1))
		for _, k := range []string{"5", "enter", "k", "enter", "j", "G", "+", "?", "j", "esc", "esc", "1"} {
			press(m, k)
			fits(t, m.View(), w, h)
		}
	}
	golden.Sizes(leastWidth, leastHeight, len(shots), 7, check)
}

func TestStagesPartsTileTheScreen(t *testing.T) {
	for a := range 2 {
		for b := range 2 {
			for h := leastHeight; h <= 60; h += 5 {
				tiles(t, 100, h, placed(100, h, busy(), &stagesPage{a: a, b: a * b}), fmt.Sprintf("A %d, B %d", a, a*b))
			}
		}
	}
}

func BenchmarkStagesFrame(b *testing.B) {
	m, fake := opened(b, manyStages(), 200, 50, mustTheme(b, theme.Dark, termenv.TrueColor, false))
	fake.values = func(n int, _ slo.Metric) []time.Duration { return drawn(uint64(n), 1000, ms(100)) }
	press(m, "5", "k", "enter", "k")
	settle(m, press(m, "enter"))
	b.ReportAllocs()
	for b.Loop() {
		m.Update(frameMsg{})
	}
}

// What a comparison costs beside the console.
func BenchmarkComparison(b *testing.B) {
	fake := newFake(staged(8, 16))
	samples := drawn(1, 10_000, ms(100))
	fake.values = func(int, slo.Metric) []time.Duration { return samples }
	b.ReportAllocs()
	for b.Loop() {
		compared(fake.StageValues, pairKey{a: 1, b: 2})
	}
}
