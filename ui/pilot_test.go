package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/ui/theme"
)

func console(t *testing.T, s *engine.Snapshot) (*model, *fakeEngine) {
	t.Helper()
	return opened(t, s, 120, 36, mustTheme(t, theme.Dark, termenv.Ascii, false))
}

// order types a command line.
func ordered(m *model, line string) {
	press(m, ":")
	for _, r := range line {
		press(m, string(r))
	}
	press(m, "enter")
}

func TestTheKeyOfTheAutopilotGoesRound(t *testing.T) {
	m, fake := console(t, busy())
	press(m, "a")
	says(t, m, "autopilot: ladder up the levels")
	says(t, m, "AUTO ladder c=32")
	press(m, "a")
	says(t, m, "autopilot: search for the highest load")
	says(t, m, "AUTO search c=32")
	press(m, "a")
	says(t, m, "autopilot off: the load stays at c=32")
	if strings.Contains(m.View(), "AUTO") {
		t.Error("the header still says that it flies")
	}
	m.Update(frameMsg{})
	says(t, m, "autopilot off: the load stays at c=32") // and not that somebody let it go
	if len(fake.runs) != 2 || fake.runs[0].Kind != engine.Ladder || fake.runs[1].Kind != engine.Search || fake.releases != 1 {
		t.Errorf("flew %+v, let go %d times", fake.runs, fake.releases)
	}
	press(m, "a")
	if len(fake.runs) != 3 || fake.runs[2].Kind != engine.Ladder {
		t.Errorf("from off it goes to %+v", fake.runs)
	}
}

func TestASearchWithoutAnSLOSaysSoAndIsOff(t *testing.T) {
	m, fake := console(t, noSLO())
	press(m, "a", "a")
	says(t, m, "a search needs an SLO to hold")
	if aloft(fake.Snapshot()) != nil {
		t.Error("the ladder still flies")
	}
}

func TestTheAutopilotIsNotForARunThatIsOver(t *testing.T) {
	m, fake := console(t, ended())
	press(m, "a")
	says(t, m, "the run has ended")
	ordered(m, "auto ladder")
	if len(fake.runs) != 0 {
		t.Errorf("it flies: %+v", fake.runs)
	}
}

func TestAutoOrders(t *testing.T) {
	for _, tt := range []struct {
		line string
		kind engine.PilotKind
		n    int // levels
		wait time.Duration
		says string
	}{
		{line: "auto ladder", kind: engine.Ladder, says: "ladder up the levels"},
		{line: "auto ladder 1-32", kind: engine.Ladder, n: 6, says: "ladder 1,2,4,8,16,32"},
		{line: "auto ladder 1-4@10s", kind: engine.Steps, n: 3, wait: 10 * time.Second, says: "steps 1,2,4@10s"},
		{line: "auto SEARCH", kind: engine.Search, says: "search for the highest"},
		{line: "auto steps 1,2,4,8@30s", kind: engine.Steps, n: 4, wait: 30 * time.Second, says: "steps 1,2,4,8@30s"},
		{line: "auto steps 1,2", says: "steps are levels and a time for each"},
		{line: "auto steps", says: "steps are levels and a time for each"},
		{line: "auto search 4", says: "finds its levels itself"},
		{line: "auto ladder 4-1", says: "a range goes up"},
		{line: "auto ladder 1.5", says: "concurrency is a whole number"},
		{line: "auto pilot", says: `no autopilot "pilot"`},
		{line: "auto off", says: "off already"},
		{line: "auto", says: "auto ladder 1-32"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			m, fake := console(t, busy())
			ordered(m, tt.line)
			says(t, m, tt.says)
			if tt.kind == "" {
				if len(fake.runs) != 0 {
					t.Errorf("it flies: %+v", fake.runs)
				}
				return
			}
			if len(fake.runs) != 1 {
				t.Fatalf("flew %+v", fake.runs)
			}
			if f := fake.runs[0]; f.Kind != tt.kind || len(f.Levels.Values) != tt.n || f.Levels.Dwell != tt.wait {
				t.Errorf("flew %+v", f)
			}
		})
	}
}

func TestAutoOffLetsGo(t *testing.T) {
	m, fake := console(t, climbed())
	ordered(m, "auto off")
	if fake.releases != 1 {
		t.Errorf("let go %d times", fake.releases)
	}
	says(t, m, "autopilot off")
}

func TestAHandOnAKnobIsSaidToHaveTakenTheLoadBack(t *testing.T) {
	m, fake := console(t, climbed())
	over := func(s *engine.Snapshot) {
		p := *s.Pilot
		p.Over, p.Released, p.Why = true, true, "let go: a knob was turned by hand"
		s.Pilot = &p
	}
	fake.change(over)
	m.Update(frameMsg{})
	says(t, m, "autopilot let go: a knob was turned by hand")
	m.run.message = message{}
	m.Update(frameMsg{})
	if strings.Contains(m.View(), "let go:") {
		t.Error("it is said with every frame")
	}
}

// A window is no knob of the load: choosing one must not turn back a load that the autopilot has just moved.
func TestTheLoadOfTheAutopilotIsNotTurnedBack(t *testing.T) {
	m, fake := console(t, climbed())
	fake.change(func(s *engine.Snapshot) { s.Knobs.Load.Concurrency = 64 }) // since the last frame
	press(m, "]")
	if applied, _, _ := fake.seen(); len(applied) != 1 || applied[0].Load.Concurrency != 64 {
		t.Errorf("applied %+v, want c=64", applied)
	}
}

func TestWhatTheAutopilotFoundIsSaid(t *testing.T) {
	found := searched().Pilot
	lost := *found
	lost.Result = stage.Result{Missed: 1, Binding: "ttft", Sentence: "c=1 already misses the SLO, for ttft"}
	for _, tt := range []struct {
		name string
		view *engine.PilotView
		role theme.Role
	}{{"found", found, theme.Good}, {"not found", &lost, theme.Bad}} {
		t.Run(tt.name, func(t *testing.T) {
			s := climbed()
			flying := *s.Pilot
			flying.Kind = engine.Search
			s.Pilot = &flying
			m, fake := console(t, s)
			fake.change(func(s *engine.Snapshot) { s.Pilot = tt.view })
			m.Update(frameMsg{})
			if m.run.message.text != tt.view.Result.Sentence || m.run.message.role != tt.role {
				t.Errorf("said %+v", m.run.message)
			}
		})
	}
}

func TestThePilotsPanel(t *testing.T) {
	m, _ := onCurvePage(t, climbed())
	for _, want := range []string{
		"─ Autopilot ladder ─", "about 01:10 left", "c=16   ✓ held       640   3,133  0 %", "c=32   ✗ missed   1,280   4,132  17.1 % ttft",
		"c=48   ▶ now", "c=64   ○ todo", "c=48: 42 of 100 requests",
	} {
		says(t, m, want)
	}
	m, _ = onCurvePage(t, searched())
	says(t, m, "landed")
	says(t, m, "c=24 holds the SLO")
	m, _ = onCurvePage(t, curved(1, 2))
	says(t, m, "a ladder up the levels")
	m, _ = onCurvePage(t, climbed())
	ordered(m, "auto off")
	says(t, m, "c=48   ○ left off")
}

// A way of many levels scrolls so that the one it is at shows.
func TestThePilotsPanelShowsWhereItIs(t *testing.T) {
	s := climbed()
	view := *s.Pilot
	view.Progress.Rungs = nil
	for i := range 60 {
		r := stage.Rung{Level: float64(i + 1), State: stage.Todo}
		switch {
		case i < 40:
			r.State = stage.Held
		case i == 40:
			r.State = stage.Now
		}
		view.Progress.Rungs = append(view.Progress.Rungs, r)
	}
	s.Pilot = &view
	m, _ := onCurvePage(t, s)
	says(t, m, "c=41   ▶ now")
	says(t, m, "c=40   ✓ held")
	says(t, m, "c=42   ○ todo")
}

func TestTheNotesTellOfTheAutopilotAndOfPrompts(t *testing.T) {
	s := climbed()
	s.Problems = nil
	m, _ := opened(t, s, 200, 50, mustTheme(t, theme.Dark, termenv.Ascii, false))
	says(t, m, "autopilot ladder: c=48: 42 of 100 requests, steady 12")
	says(t, m, "prompts: /tokenize  asked 512  got 511.6 (n=69)")
}

func TestFittingAnSLO(t *testing.T) {
	settled := busy()
	few := busy()
	few.Stage.TTFT.N, few.Stage.TPOT.N, few.Stage.E2EL.N = 40, 40, 40
	for _, tt := range []struct {
		name     string
		snapshot *engine.Snapshot
		want     slo.Criteria
		says     string
	}{
		{"the p99s and a tenth, rounded up", settled, slo.Criteria{ms(500), ms(30), ms(8000)}, "SLO fitted to c=32, its p99s and a tenth: ttft=500ms tpot=30ms e2el=8s"},
		{"few samples", few, slo.Criteria{}, "there are 40, so wait a little"},
		{"settling", settling(), slo.Criteria{}, "still settling"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, fake := console(t, tt.snapshot)
			ordered(m, "slo fit")
			says(t, m, tt.says)
			applied, _, _ := fake.seen()
			if !tt.want.Active() {
				if len(applied) != 0 {
					t.Errorf("applied %v", applied[0].SLO)
				}
				return
			}
			if len(applied) != 1 || applied[0].SLO != tt.want {
				t.Errorf("applied %+v, want %v", applied, tt.want)
			}
		})
	}
	m, fake := console(t, busy())
	ordered(m, "slo ttft 250ms")
	if applied, _, _ := fake.seen(); len(applied) != 1 || applied[0].SLO[slo.TTFT] != ms(250) {
		t.Errorf("limits can't be typed any more: %+v", applied)
	}
}

func TestObjectiveOrders(t *testing.T) {
	m, fake := console(t, busy())
	ordered(m, "obj ttft p99 <= 500ms over 5m for 99.9%")
	applied, _, _ := fake.seen()
	if len(applied) != 1 || applied[0].Objectives.String() != "ttft p99 <= 500ms over 5m for 99.9%" {
		t.Fatalf("applied %+v", applied)
	}
	ordered(m, "obj ttft p99")
	if m.run.message.role != theme.Bad || !strings.Contains(m.run.message.text, "p99") {
		t.Errorf("of what can't be read it says %+v", m.run.message)
	}
	press(m, "esc")
	ordered(m, "obj off")
	if applied, _, _ := fake.seen(); len(applied) != 2 || applied[1].Objectives.Len() != 0 {
		t.Errorf("off leaves %+v", applied)
	}
}

func TestTheWorstObjectiveComesFirst(t *testing.T) {
	o := promised().Knobs.Objectives.At(0)
	stand := func(verdict slo.Verdict, judged, held int) slo.Standing {
		return slo.Standing{Objective: o, Verdict: verdict, Judged: judged, Held: held}
	}
	unknown, fine, tight := stand(slo.NoVerdict, 0, 0), stand(slo.Held, 1000, 1000), stand(slo.Held, 1000, 992)
	over, missed, worse := stand(slo.Over, 1000, 999), stand(slo.Held, 1000, 980), stand(slo.Held, 1000, 900)
	got := worstFirst([]slo.Standing{unknown, fine, missed, tight, over, worse})
	for i, want := range []slo.Standing{worse, missed, over, tight, fine, unknown} {
		if got[i] != want {
			t.Errorf("place %d has %+v, want %+v", i, got[i], want)
		}
	}
}

func TestObjectivesOnTheLivePage(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		want []string
	}{
		{80, 24, []string{"✗ over  itl p95 <= 20ms over 30 s  now 21.4 ms  so far 80.0 % ≥90 %  +2 more"}},
		{120, 36, []string{
			"✗ over  itl p95 <= 20ms over 30 s  now 21.4 ms  so far 80.0 % ≥90 %  budget spent",
			"✓ held  ttft p99 <= 500ms over 60 s  now 412 ms  so far 99.5 % ≥99 %  budget left 50.0 %  +1 more",
		}},
		{200, 50, []string{"n/a  errors <= 1% over 5 min  now n/a  no verdict yet", "✗ over itl p95 "}},
	} {
		m, _ := opened(t, promised(), tt.w, tt.h, mustTheme(t, theme.Dark, termenv.Ascii, false))
		for _, want := range tt.want {
			says(t, m, want)
		}
	}
	m, _ := console(t, busy())
	if strings.Contains(m.View(), "so far") {
		t.Error("without objectives there is a line for them")
	}
}

func TestAdviceIsShownUntilThereIsSomethingMoreUrgent(t *testing.T) {
	s := promised()
	s.Problems = nil
	const sentence = "ⓘ the GPU is busy and tok/s stand still: more load only adds queue"
	line := func(m *model) string {
		lines := strings.Split(m.View(), "\n")
		return strings.TrimSpace(lines[len(lines)-2])
	}
	m, fake := console(t, s)
	if got := line(m); !strings.HasPrefix(got, sentence) {
		t.Errorf("the line says %q", got)
	}
	press(m, "2")
	if got := line(m); !strings.HasPrefix(got, sentence) {
		t.Errorf("on the Curve page the line says %q", got)
	}
	fake.mu.Lock()
	fake.refuse = errors.New("the endpoint takes no more than 16")
	fake.mu.Unlock()
	press(m, "]")
	if got := line(m); got != "✗ the endpoint takes no more than 16" {
		t.Errorf("after a refused key the line says %q", got)
	}
	fake.change(func(s *engine.Snapshot) { s.Problems = busy().Problems })
	m.run.message = message{}
	m.Update(frameMsg{})
	if got := line(m); !strings.HasPrefix(got, "✗ 3 × HTTP 503") {
		t.Errorf("with failing requests the line says %q", got)
	}
}

func TestThinkingConversationsShowBesideThoseInFlight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		m, _ := opened(t, promised(), size[0], size[1], mustTheme(t, theme.Dark, termenv.Ascii, false))
		says(t, m, "6 wait 12 think")
	}
}
