package console

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// openDuel opens a console on a duel.
func openDuel(t *testing.T, s *snapshot.Snapshot) (*model, *scene.Sides) {
	t.Helper()
	fake := scene.NewSides(s)
	m := newModel(fake, pagetest.Theme(t, theme.Dark, termenv.Ascii, false), time.Now)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	return m, fake
}

func TestAKeyShowsTheNextSide(t *testing.T) {
	m, _ := openDuel(t, scene.Duel())
	pagetest.Shows(t, m.View(), " A ━ of 2  ▶ RUN")
	live, stages := m.pages[0].Page, m.pages[4].Page
	press(m, "d")
	pagetest.Shows(t, m.View(), " B ╍ of 2  ▶ RUN")
	if got := m.shown().Endpoint.Server; got != "SGLang 0.5.1" {
		t.Errorf("%s shows", got)
	}
	if m.pages[0].Page != live || m.pages[4].Page == stages {
		t.Error("what a page knows of one side is taken for the other's")
	}
	press(m, "f", "d")
	pagetest.Shows(t, m.View(), "FROZEN", " A ━ of 2")
	if m.pages[4].Page != stages {
		t.Error("what the page knew of A is gone")
	}
}

func TestAKnobIsTurnedOnOneSideAlone(t *testing.T) {
	m, fake := openDuel(t, scene.Duel())
	for typed, want := range map[string]string{
		"only B":          "write a side, a setting and its value, such as only B c=32",
		"only C c=32":     "write a side, a setting and its value, such as only B c=32",
		"only B speed":    "write a side",
		"only B colour=1": "there is no setting",
	} {
		if cmd, rest, err := findCommand(m.commands, typed); err == nil {
			if _, err = cmd.do(m, rest); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", typed, err)
			}
		}
	}
	for _, typed := range []string{"only b c=48", "only B slo ttft=1s"} {
		cmd, rest, err := findCommand(m.commands, typed)
		if err == nil {
			_, err = cmd.do(m, rest)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if k, ok := fake.Only[1]; !ok || k.SLO[0] != time.Second || len(fake.Only) != 1 {
		t.Errorf("turned were %+v", fake.Only)
	}
	if applied, _, _ := fake.Seen(); len(applied) > 0 {
		t.Error("all sides were turned")
	}
}

func TestARunAloneHasNoOtherSide(t *testing.T) {
	m := newModel(scene.New(scene.Busy()), pagetest.Theme(t, theme.Dark, termenv.Ascii, false), time.Now)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	press(m, "d")
	pagetest.Shows(t, m.View(), "this run is alone")
}

func TestWhoWaitsForATurnIsHeld(t *testing.T) {
	m, _ := openDuel(t, scene.NewDuel())
	pagetest.Shows(t, m.View(), " A ━ of 4 by turns  ‖ HELD", "by turns: B's")
}

// TestTheReportIsOfAllSides writes it while the second of two sides shows.
func TestTheReportIsOfAllSides(t *testing.T) {
	t.Chdir(t.TempDir())
	m, _ := openDuel(t, scene.Duel())
	press(m, "d")
	cmd, err := saveCommand().do(m, "both.json")
	if err != nil {
		t.Fatal(err)
	}
	does(m, cmd)
	pagetest.Shows(t, m.View(), "report of all 2 sides written: both.json")
	var result run.Duel
	text, err := os.ReadFile("both.json")
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil || len(result.Endpoints) != 2 || !strings.HasPrefix(*result.Endpoints[1].Endpoint.Server, "SGLang 0.5.1") ||
		len(result.Differences)+len(result.Notes) == 0 {
		t.Errorf("%v: %.300s", err, text)
	}
	if _, err := saveCommand().do(m, "both.csv"); err == nil || !strings.Contains(err.Error(), ".html, .md, .json or .txt") {
		t.Errorf("a form that a duel has not: %v", err)
	}
}
