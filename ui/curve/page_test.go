package curve

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

// pageOf is the page that a screen shows.
func pageOf(m *pagetest.Screen) *Page { return m.Page.(*Page) }

func open(t testing.TB, s *snapshot.Snapshot) *pagetest.Screen {
	t.Helper()
	return pagetest.Open(t, New(), s, 120, 36)
}

func TestTheCurvesCursorFollowsThePresentLevelUntilItMoves(t *testing.T) {
	m := open(t, scene.Curved(1, 2, 4))
	level := func() float64 {
		s := m.Frame().Shown
		at, _ := pageOf(m).chosen(s)
		return s.Curve[at].Level
	}
	next := func(levels ...int) {
		s := scene.Curved(levels...)
		m.Engine.Change(func(now *snapshot.Snapshot) { now.Curve, now.Stage = s.Curve, s.Stage })
		m.Look()
	}
	if level() != 4 {
		t.Fatalf("opens at %v, want the present level, 4", level())
	}
	next(1, 2, 4, 8)
	if level() != 8 {
		t.Errorf("a level later it is at %v, want 8", level())
	}
	m.Press("left", "h")
	next(1, 2, 4, 8, 16)
	if level() != 2 {
		t.Errorf("moved to 2, it is at %v a level later", level())
	}
	m.Press("left", "left", "left")
	if level() != 1 {
		t.Errorf("moved beyond the first, it is at %v", level())
	}
	next(2, 4, 8)
	if level() != 2 {
		t.Errorf("its level gone, it is at %v, want the nearest", level())
	}
	m.Press("right", "right", "l", "l")
	next(2, 4, 8, 16)
	if level() != 16 {
		t.Errorf("moved beyond the last, it is at %v, want the present level again", level())
	}
	m.Press("left", "left", "esc")
	if level() != 16 {
		t.Errorf("esc goes to %v", level())
	}
}

func TestEnterPutsTheLoadAtTheChosenLevel(t *testing.T) {
	m := open(t, scene.Curved(1, 2, 4, 8))
	m.Press("enter")
	if applied, _, _ := m.Engine.Seen(); len(applied) != 0 {
		t.Fatal("at the present level, enter applies something")
	}
	if m.Said != "the load is at c=8 already" {
		t.Errorf("it says %q", m.Said)
	}
	m.Press("left", "left", "enter")
	applied, _, _ := m.Engine.Seen()
	want := m.Engine.Snapshot().Knobs
	want.Load.Concurrency = 2
	if len(applied) != 1 || applied[0] != want {
		t.Errorf("applied %+v, want once c=2", applied)
	}
	m.Engine.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Ended })
	m.Look()
	m.Press("left", "enter")
	if applied, _, _ := m.Engine.Seen(); len(applied) != 1 {
		t.Error("the run has ended, and enter applies something")
	}
}

func TestKeysChooseWhatTheCurveDraws(t *testing.T) {
	m := open(t, scene.Climbed())
	for _, step := range []struct{ key, title string }{
		{"y", "TPOT against concurrency"},
		{"y", "E2EL against concurrency"},
		{"y", "Output tok/s against concurrency"},
		{"y", "Goodput req/s against concurrency"},
		{"y", "Within SLO % against concurrency"},
		{"y", "TTFT against concurrency"},
		{"Y", "Within SLO % against concurrency"},
		{"v", "tok/s per GPU against tok/s per user"},
		{"y", "Within SLO % against concurrency"}, // back, rather than on
		{"v", "tok/s per GPU against tok/s per user"},
		{"v", "Within SLO % against concurrency"},
		{"x", "x linear"},
		{"x", "x log"},
	} {
		m.Press(step.key)
		m.Shows(step.title)
	}
	m = open(t, scene.Unpromised())
	m.Press("v")
	m.Shows("tok/s in total against tok/s per user")
	m = open(t, scene.Estimated())
	m.Press("y", "y", "y")
	m.Shows("~ estimated")
}

func TestTheCurveSaysWhatFollowsFromIt(t *testing.T) {
	met := func(s *snapshot.Snapshot, levels ...float64) *snapshot.Snapshot { // only these hold
		for i := range s.Curve {
			score := slo.Tally{OK: 100, Missed: [4]int{40, 0, 0}, Good: 60, Measured: [4]int{100, 100, 100}}
			for _, level := range levels {
				if s.Curve[i].Level == level {
					score = slo.Tally{OK: 100, Good: 100, Measured: [4]int{100, 100, 100}}
				}
			}
			s.Curve[i].Summary.Score = score
		}
		return s
	}
	unjudged := scene.Curved(1, 2, 4)
	for i := range unjudged.Curve {
		unjudged.Curve[i].Settled, unjudged.Curve[i].Summary.Settling = false, true
	}
	below := met(scene.Curved(1, 2, 4))
	below.Curve[0].Summary.Score = slo.Tally{OK: 5, Good: 5, Measured: [4]int{5, 5, 5}}
	flat := scene.Curved(1, 2, 4, 8, 16)
	for i := range flat.Curve {
		flat.Curve[i].Summary.Throughput.Output = 100
	}
	for _, tt := range []struct {
		name     string
		snapshot *snapshot.Snapshot
		want     []string
	}{
		{"a run up", scene.Climbed(), []string{
			"✓ SLO holds up to c=24 (99.6 %, n=960); ✗ c=32 misses ttft", "knee c=16: 3,133 tok/s, TTFT p95 145 ms",
			"best goodput c=24: 7.83 req/s (n=960), within noise of a neighbour",
		}},
		{"all hold", met(scene.Curved(1, 2, 4), 1, 2, 4), []string{"✓ SLO holds up to c=2 (100 %, n=80), the highest so far"}},
		{"none holds", met(scene.Curved(1, 2, 4)), []string{"✗ SLO holds at no level; ✗ c=1 misses ttft"}},
		{"below one that misses it is not known", below, []string{"SLO: not yet known: c=1 5 of 10; ✗ c=2 misses ttft"}},
		{"one in the middle misses", met(scene.Curved(1, 2, 4, 8), 1, 4), []string{"✓ SLO holds up to c=1", "✗ c=2 misses ttft"}},
		{"too few points", scene.Curved(1, 2, 4), []string{"knee: needs 4 settled points, there are 2"}},
		{"no bend", flat, []string{"knee: none; throughput and latency rise evenly so far"}},
		{"nothing settled", unjudged, []string{"SLO: not yet known: c=1 settling", "best goodput: no level has held yet"}},
		{"no SLO", scene.Unpromised(), []string{"SLO: none is set", "best goodput: n/a, since no SLO is set"}},
		{"nothing at all", scene.Starting(), []string{"no level yet: the load has not begun"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t, tt.snapshot)
			for _, want := range tt.want {
				m.Shows(want)
			}
		})
	}
}

// Which levels hold the SLO, and what the next misses, has to be on the smallest of the usual screens too.
func TestTheCurveAnswersAt80x24(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Climbed(), 80, 24)
	for _, want := range []string{
		"SLO holds up to c=24", "c=32 misses ttft", "knee c=16", "best goodput c=24", "level      n", "TTFT p95", "TPOT p95", "out tok/s",
		"✗ 89.6 % ttft", "c=48: 42 of 100 requests",
	} {
		m.Shows(want)
	}
}

func TestIntervalsAreThoseOfThePooledSamples(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Curved(1, 2, 4), 120, 36)
	m.Engine.Change(func(s *snapshot.Snapshot) { s.Curve[1].Stages = []int{1, 2} })
	var asked []int
	m.Engine.Values = func(n int, m slo.Metric) []time.Duration {
		if m == slo.TTFT {
			asked = append(asked, n)
		}
		values := make([]time.Duration, 50) // of the two together: 1 … 100 ms
		for i := range values {
			values[i] = time.Duration(50*(n-1)+i+1) * time.Millisecond
		}
		return values
	}
	m.Press("h")
	asked = nil
	m.Settle(m.Press("h", "l")) // the last one is what counts
	m.Settle(pageOf(m).See(m))
	if len(asked) < 2 || asked[0] != 1 || asked[1] != 2 {
		t.Fatalf("asked for stages %v, want 1 and 2", asked)
	}
	// Of 100 samples, the median lies between the 40th and the 61st; a p99 may lie beyond the last.
	m.Shows("40.0–61.0 ms")
	for _, line := range strings.Split(m.View(), "\n") {
		if strings.Contains(line, "TTFT p99 ") && strings.Contains(line, "│ TTFT p99") && !strings.Contains(line, "too few") {
			t.Errorf("100 samples give a p99 an interval: %s", line)
		}
	}
}

// A stage that never settled has samples, but the point it is pooled in has none of them.
func TestIntervalsLeaveOutStagesThatNeverSettled(t *testing.T) {
	s := scene.Curved(1, 2, 4)
	s.Curve[1].Stages = []int{1, 2}
	ramp := *s.Stages[0].Summary
	ramp.Settling = true
	s.Stages[0].Summary = &ramp
	if got := sampledStages(s, &s.Curve[1]); len(got) != 1 || got[0] != 2 {
		t.Errorf("of stages 1 and 2, %v are sampled; 1 never settled", got)
	}
	s.Curve[1].Settled = false
	if got := sampledStages(s, &s.Curve[1]); len(got) != 2 {
		t.Errorf("of a point that is settling, %v are sampled, want both", got)
	}
}

// Intervals are asked for when the choice or the point changes, not with every frame, and not more than once a second.
func TestIntervalsAreMadeOnlyWhenSomethingChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := pagetest.OpenRunning(t, New(), scene.Curved(1, 2, 4), 120, 36)
		m.Settle(m.Look())
		look := func(frames int, change func(*snapshot.Snapshot)) (made int) {
			for range frames {
				time.Sleep(100 * time.Millisecond)
				m.Engine.Change(change)
				if cmd := m.Look(); cmd != nil {
					made++
					m.Settle(cmd)
				}
			}
			return made
		}
		if made := look(50, func(*snapshot.Snapshot) {}); made != 0 {
			t.Errorf("a level in which nothing happens was looked at %d more times", made)
		}
		moving := func(s *snapshot.Snapshot) {
			s.Curve = append(s.Curve[:2:2], s.Curve[2])
			s.Curve[2].Summary = &stats.Summary{}
		}
		if made := look(50, moving); made < 4 || made > 5 {
			t.Errorf("in 5 s, a level that goes on was looked at %d times, want once a second", made)
		}
		m.Settle(m.Press("left"))
		if made := look(50, moving); made != 0 {
			t.Errorf("a level that is over was looked at %d more times", made)
		}
	})
}

// What was found out of a level that is no longer chosen is not shown as another's.
func TestIntervalsOfAnotherLevelAreDropped(t *testing.T) {
	m := open(t, scene.Curved(1, 2, 4))
	m.Engine.Values = scene.Sampled(1, 2, 4)
	late := m.Press("left")
	m.Press("left")
	m.Settle(late)
	if pageOf(m).bounds.found != nil {
		t.Error("it shows")
	}
}

func TestSamplesTellTheSignsOfPoints(t *testing.T) {
	m := open(t, scene.Climbed())
	chart := func() string { // without the legend, which has every sign
		var rows []string
		for _, l := range strings.Split(m.View(), "\n")[2:] {
			if l = ansi.Truncate(l, 71, ""); strings.Contains(l, " SLO ") || strings.Contains(l, " SLO:") {
				break // the words beneath
			}
			rows = append(rows, l)
		}
		return strings.Join(rows, "\n")
	}
	if n := strings.Count(chart(), "▶"); n != 3 {
		t.Errorf("the present point has %d signs, want one for each percentile:\n%s", n, chart())
	}
	m.Press("Y", "Y", "Y") // output, whose c=1 has 40 requests
	if strings.Contains(chart(), "○") {
		t.Errorf("40 requests are few for a rate:\n%s", chart())
	}
	s := scene.Curved(1, 2, 4)
	s.Curve[0].N = 19
	m = open(t, s)
	m.Press("y", "y", "y")
	if n := strings.Count(chart(), "○"); n != 1 {
		t.Errorf("a level of 19 requests has %d hollow signs:\n%s", n, chart())
	}
	s.State = snapshot.Ended
	m = open(t, s)
	if strings.Contains(chart(), "▶") {
		t.Error("a point moves although the run has ended")
	}
}

func TestEverySizeFits(t *testing.T) {
	scenes := []func() *snapshot.Snapshot{scene.Climbed, scene.Searched, scene.Untried, scene.Unpromised, scene.Starting, scene.Busy}
	pagetest.EverySizeFits(t, func() page.Page { return New() }, scenes, "left", "y", "x", "y", "y", "y", "y", "v", "right")
}

func TestPartsTileTheScreen(t *testing.T) {
	for _, points := range []int{0, 1, 8, 200} {
		pagetest.TilesEverywhere(t, &Page{points: points}, scene.Busy(), "curve")
	}
}

func BenchmarkCurveFrame(b *testing.B) {
	m := pagetest.Open(b, New(), scene.Climbed(), 200, 50)
	m.Engine.Values = scene.Sampled(scene.ClimbedLevels()...)
	m.Settle(m.Press("left"))
	b.ReportAllocs()
	for b.Loop() {
		m.Look()
		m.View()
	}
}
