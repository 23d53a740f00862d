package console

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/figure"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

func console(t *testing.T, s *snapshot.Snapshot) (*model, *scene.Engine) {
	t.Helper()
	return opened(t, s, 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
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
	m, fake := console(t, scene.Busy())
	press(m, "a")
	says(t, m, "autopilot: ladder up the levels")
	says(t, m, "AUTO ladder c=32")
	press(m, "a")
	says(t, m, "autopilot: search for the highest load")
	says(t, m, "AUTO search c=32")
	press(m, "a")
	says(t, m, "autopilot off: the load stays at c=32")
	if strings.Contains(m.View(), "AUTO") {
		t.Error("the header still says that it is running")
	}
	m.Update(frameMsg{})
	says(t, m, "autopilot off: the load stays at c=32") // and not that somebody let it go
	if len(fake.Runs) != 2 || fake.Runs[0].Kind != snapshot.Ladder || fake.Runs[1].Kind != snapshot.Search || fake.Releases != 1 {
		t.Errorf("ran %+v, stopped %d times", fake.Runs, fake.Releases)
	}
	press(m, "a")
	if len(fake.Runs) != 3 || fake.Runs[2].Kind != snapshot.Ladder {
		t.Errorf("from off it goes to %+v", fake.Runs)
	}
}

func TestASearchWithoutAnSLOSaysSoAndIsOff(t *testing.T) {
	m, fake := console(t, scene.NoSLO())
	press(m, "a", "a")
	says(t, m, "a search needs an SLO to hold")
	if figure.RunningPilot(fake.Snapshot()) != nil {
		t.Error("the ladder is still running")
	}
}

func TestTheAutopilotIsNotForARunThatIsOver(t *testing.T) {
	m, fake := console(t, scene.Ended())
	press(m, "a")
	says(t, m, "the run has ended")
	ordered(m, "auto ladder")
	if len(fake.Runs) != 0 {
		t.Errorf("it runs: %+v", fake.Runs)
	}
}

func TestAutoOrders(t *testing.T) {
	for _, tt := range []struct {
		line string
		kind snapshot.PilotKind
		n    int // levels
		wait time.Duration
		says string
		took stage.Effort
	}{
		{line: "auto ladder", kind: snapshot.Ladder, says: "ladder up the levels"},
		{line: "auto ladder 1-32", kind: snapshot.Ladder, n: 6, says: "ladder 1,2,4,8,16,32"},
		{line: "auto ladder 1-4@10s", kind: snapshot.Steps, n: 3, wait: 10 * time.Second, says: "steps 1,2,4@10s"},
		{line: "auto SEARCH", kind: snapshot.Search, says: "search for the highest"},
		{line: "auto steps 1,2,4,8@30s", kind: snapshot.Steps, n: 4, wait: 30 * time.Second, says: "steps 1,2,4,8@30s"},
		{
			line: "auto search samples=300 steady=5s", kind: snapshot.Search, says: "search for the highest",
			took: stage.Effort{Requests: 300, Steady: 5 * time.Second},
		},
		{
			line: "auto search samples=5", kind: snapshot.Search, says: "needs 10 requests at each level, not 5",
			took: stage.Effort{Requests: 5},
		},
		{
			line: "auto ladder longest=1m 1-32 SAMPLES=50", kind: snapshot.Ladder, n: 6, says: "ladder 1,2,4,8,16,32",
			took: stage.Effort{Requests: 50, Longest: time.Minute},
		},
		{line: "auto search samples=none", says: "not a number of requests above zero"},
		{line: "auto search steady=5", says: "steady"},
		{line: "auto search sample=5", says: "there are samples=30, steady=5s"},
		{line: "auto steps 1,2@30s samples=50", says: "leave out samples"},
		{line: "auto steps 1,2", says: "steps are levels and a time for each"},
		{line: "auto steps", says: "steps are levels and a time for each"},
		{line: "auto search 4", says: "finds its levels itself"},
		{line: "auto ladder 4-1", says: "a range goes up"},
		{line: "auto ladder 1.5", says: "concurrency is a whole number"},
		{line: "auto pilot", says: `no autopilot "pilot"`},
		{line: "auto off", says: "off already"},
		{line: "auto", says: "auto search samples=30"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			m, fake := console(t, scene.Busy())
			ordered(m, tt.line)
			says(t, m, tt.says)
			if tt.kind == "" {
				if len(fake.Runs) != 0 {
					t.Errorf("it runs: %+v", fake.Runs)
				}
				return
			}
			if len(fake.Runs) != 1 {
				t.Fatalf("ran %+v", fake.Runs)
			}
			if f := fake.Runs[0]; f.Kind != tt.kind || len(f.Levels.Values) != tt.n || f.Levels.Dwell != tt.wait || f.Effort != tt.took {
				t.Errorf("ran %+v", f)
			}
		})
	}
}

func TestAutoOffLetsGo(t *testing.T) {
	m, fake := console(t, scene.Climbed())
	ordered(m, "auto off")
	if fake.Releases != 1 {
		t.Errorf("stopped %d times", fake.Releases)
	}
	says(t, m, "autopilot off")
}

func TestAHandOnAKnobIsSaidToHaveTakenTheLoadBack(t *testing.T) {
	m, fake := console(t, scene.Climbed())
	over := func(s *snapshot.Snapshot) {
		p := *s.Pilot
		p.Over, p.Released, p.Why = true, true, "stopped: a knob was turned by hand"
		s.Pilot = &p
	}
	fake.Change(over)
	m.Update(frameMsg{})
	says(t, m, "autopilot stopped: a knob was turned by hand")
	m.run.message = message{}
	m.Update(frameMsg{})
	if strings.Contains(m.View(), "stopped:") {
		t.Error("it is said with every frame")
	}
}

// A window is no knob of the load: choosing one must not turn back a load that the autopilot has just moved.
func TestTheLoadOfTheAutopilotIsNotTurnedBack(t *testing.T) {
	m, fake := console(t, scene.Climbed())
	fake.Change(func(s *snapshot.Snapshot) { s.Knobs.Load.Concurrency = 64 }) // since the last frame
	press(m, "]")
	if applied, _, _ := fake.Seen(); len(applied) != 1 || applied[0].Load.Concurrency != 64 {
		t.Errorf("applied %+v, want c=64", applied)
	}
}

func TestWhatTheAutopilotFoundIsSaid(t *testing.T) {
	found := scene.Searched().Pilot
	lost := *found
	lost.Result = stage.Result{Missed: 1, Binding: "ttft", Sentence: "c=1 already misses the SLO, for ttft"}
	for _, tt := range []struct {
		name string
		view *snapshot.PilotView
		role theme.Role
	}{{"found", found, theme.Good}, {"not found", &lost, theme.Bad}} {
		t.Run(tt.name, func(t *testing.T) {
			s := scene.Climbed()
			current := *s.Pilot
			current.Kind = snapshot.Search
			s.Pilot = &current
			m, fake := console(t, s)
			fake.Change(func(s *snapshot.Snapshot) { s.Pilot = tt.view })
			m.Update(frameMsg{})
			if m.run.message.text != tt.view.Result.Sentence || m.run.message.role != tt.role {
				t.Errorf("said %+v", m.run.message)
			}
		})
	}
}

func TestFittingAnSLO(t *testing.T) {
	settled := scene.Busy()
	few := scene.Busy()
	few.Stage.TTFT.N, few.Stage.TPOT.N, few.Stage.E2EL.N = 40, 40, 40
	for _, tt := range []struct {
		name     string
		snapshot *snapshot.Snapshot
		want     slo.Criteria
		says     string
	}{
		{"the p99s and a tenth, rounded up", settled, slo.Criteria{scene.MS(600), scene.MS(40), scene.MS(8000)}, "SLO fitted to c=32, its p99s and a tenth: ttft=600ms tpot=40ms e2el=8s"},
		{"few samples", few, slo.Criteria{}, "there are 40, so wait a little"},
		{"settling", scene.Settling(), slo.Criteria{}, "still settling"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, fake := console(t, tt.snapshot)
			ordered(m, "slo fit")
			says(t, m, tt.says)
			applied, _, _ := fake.Seen()
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
	m, fake := console(t, scene.Busy())
	ordered(m, "slo ttft 250ms")
	if applied, _, _ := fake.Seen(); len(applied) != 1 || applied[0].SLO[slo.TTFT] != scene.MS(250) {
		t.Errorf("limits can't be typed any more: %+v", applied)
	}
}

func TestObjectiveOrders(t *testing.T) {
	m, fake := console(t, scene.Busy())
	ordered(m, "obj ttft p99 <= 500ms over 5m for 99.9%")
	applied, _, _ := fake.Seen()
	if len(applied) != 1 || applied[0].Objectives.String() != "ttft p99 <= 500ms over 5m for 99.9%" {
		t.Fatalf("applied %+v", applied)
	}
	ordered(m, "obj ttft p99")
	if m.run.message.role != theme.Bad || !strings.Contains(m.run.message.text, "p99") {
		t.Errorf("of what can't be read it says %+v", m.run.message)
	}
	press(m, "esc")
	ordered(m, "obj off")
	if applied, _, _ := fake.Seen(); len(applied) != 2 || applied[1].Objectives.Len() != 0 {
		t.Errorf("off leaves %+v", applied)
	}
}

func TestAdviceIsShownUntilThereIsSomethingMoreUrgent(t *testing.T) {
	s := scene.Promised()
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
	fake.Mu.Lock()
	fake.Refuse = errors.New("the endpoint takes no more than 16")
	fake.Mu.Unlock()
	press(m, "]")
	if got := line(m); got != "✗ the endpoint takes no more than 16" {
		t.Errorf("after a refused key the line says %q", got)
	}
	fake.Change(func(s *snapshot.Snapshot) { s.Problems = scene.Busy().Problems })
	m.run.message = message{}
	m.Update(frameMsg{})
	if got := line(m); !strings.HasPrefix(got, "✗ 3 × HTTP 503") {
		t.Errorf("with failing requests the line says %q", got)
	}
}
