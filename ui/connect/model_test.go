package connect

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/engine/slo"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/theme"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func found() []Found {
	return []Found{
		{URL: "http://localhost:8000", Name: "vLLM 0.11.0", Models: []string{"Qwen3-8B-FP8"}},
		{URL: "http://localhost:8080", Locked: true},
		{URL: "http://localhost:11434", Name: "Ollama 0.12", Models: []string{"llama3:8b", "qwen3:4b"}},
	}
}

func recent() []Recent {
	return []Recent{
		{URL: "http://gpu-7:8000", Model: "Qwen3-32B", When: noon.Add(-2 * time.Hour), Best: "c=16", Verdict: slo.Held},
		{URL: "http://localhost:8000", Model: "Qwen3-8B-FP8", When: noon.Add(-26 * time.Hour), Verdict: slo.Missed},
		{URL: "https://gateway.example.com/team/a", Model: "m\x1b[31m1", When: noon.Add(-9 * 24 * time.Hour), Verdict: slo.Unknown},
	}
}

// screen is the screen of w by h cells, whose endpoints answer by their key.
func screen(t *testing.T, w, h int, answers map[string]Answer) *model {
	sources := Sources{Recent: recent(), Ask: func(_ context.Context, _, key string) Answer { return answers[key] }}
	m := newModel(t.Context(), pagetest.Theme(t, theme.Dark, termenv.Ascii, false), sources, func() time.Time { return noon })
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// press presses keys by their names, or types, and does at once what that asks for. It reports whether the screen ends.
func press(m *model, keys ...string) (ends bool) {
	types := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "ctrl+c": tea.KeyCtrlC}
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if named, ok := types[k]; ok {
			msg = tea.KeyMsg{Type: named}
		}
		if does(m, msg) {
			return true
		}
	}
	return false
}

// does has a message taken, and at once what that asks for. It reports whether the screen ends.
func does(m *model, msg tea.Msg) (ends bool) {
	_, cmd := m.Update(msg)
	for cmd != nil {
		next := cmd()
		if _, quits := next.(tea.QuitMsg); quits {
			return true
		}
		_, cmd = m.Update(next)
	}
	return false
}

func TestScreens(t *testing.T) {
	var sheet pagetest.Sheet
	several := map[string]Answer{"": {WantsKey: true}, "wrong": {WantsKey: true}, "sesame": {Models: []string{"m1", "m2"}}}
	for _, s := range []struct {
		name string
		look bool
		keys []string
	}{
		{"looking", false, nil},
		{"found", true, nil},
		{"typing a URL", true, []string{"gpu-9:8000"}},
		{"no URL", true, []string{"down", "down", "down", "down", "down", "down", "enter"}},
		{"a key", true, []string{"down", "enter", "wrong", "enter", "ses"}},
		{"a model", true, []string{"down", "enter", "sesame", "enter", "down"}},
	} {
		m := screen(t, 80, 16, several)
		if s.look {
			m.Update(nearbyMsg(found()))
		}
		press(m, s.keys...)
		sheet.Add(t, s.name, m.View(), 80, 16)
	}
	sheet.Check(t, "screens")
}

// What the person ends up with, by what an endpoint answers.
func TestWhatIsChosen(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers map[string]Answer
		keys    []string
		want    Target
		left    bool
	}{
		{name: "the only model", keys: []string{"enter"}, want: Target{URL: "http://localhost:8000", Model: "Qwen3-8B-FP8"}},
		{name: "one of two", keys: []string{"down", "down", "enter", "down", "enter"}, want: Target{URL: "http://localhost:11434", Model: "qwen3:4b"}},
		{
			name: "behind a key", answers: map[string]Answer{"": {WantsKey: true}, "k": {Models: []string{"m"}}},
			keys: []string{"x:1", "enter", "k", "enter"}, want: Target{URL: "x:1", Model: "m", Key: "k"},
		},
		{
			name: "after a wrong key", answers: map[string]Answer{"": {WantsKey: true}, "no": {WantsKey: true}, "k": {Models: []string{"m"}}},
			keys: []string{"x:1", "enter", "no", "enter", "k", "enter"}, want: Target{URL: "x:1", Model: "m", Key: "k"},
		},
		{
			name: "without a list", answers: map[string]Answer{"": {NoList: true, Err: errors.New("404")}},
			keys: []string{"x:1", "enter", "mine", "enter"}, want: Target{URL: "x:1", Model: "mine"},
		},
		{
			name: "lately, without a list", answers: map[string]Answer{"": {NoList: true, Err: errors.New("404")}},
			keys: []string{"down", "down", "down", "enter"}, want: Target{URL: "http://gpu-7:8000", Model: "Qwen3-32B"},
		},
		{name: "the demo", keys: []string{"down", "down", "down", "down", "down", "enter"}, want: Target{Demo: true}},
		{name: "nothing", keys: []string{"q"}, left: true},
		{name: "nothing, by esc", keys: []string{"esc"}, left: true},
		{name: "nothing, while a key is asked for", answers: map[string]Answer{"": {WantsKey: true}}, keys: []string{"down", "enter", "ctrl+c"}, left: true},
	} {
		m := screen(t, 80, 24, c.answers)
		m.Update(nearbyMsg(found()))
		ends := press(m, c.keys...)
		if !ends || m.done == c.left || !c.left && m.target != c.want {
			t.Errorf("%s: ends %v, chosen %v: %+v, want %+v", c.name, ends, m.done, m.target, c.want)
		}
	}
}

// An endpoint that can't be asked leaves the person where they were, with a sentence.
func TestAFaultStaysOnTheScreen(t *testing.T) {
	m := screen(t, 80, 24, map[string]Answer{"": {Err: errors.New("nothing listens on x:1")}})
	if press(m, "x:1", "enter") || m.step != choosing || !strings.Contains(m.View(), "nothing listens on x:1") {
		t.Errorf("at step %d it shows\n%s", m.step, m.View())
	}
	press(m, "2")
	if !strings.Contains(m.View(), "x:12") || strings.Contains(m.View(), "nothing listens") {
		t.Errorf("what was typed is gone, or the fault stays:\n%s", m.View())
	}
}

// An answer that comes after the person went back is of no matter.
func TestALateAnswerIsIgnored(t *testing.T) {
	m := screen(t, 80, 24, nil)
	m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x:1")})
	m.press(tea.KeyMsg{Type: tea.KeyEnter})
	late := answerMsg{m.asked, Answer{Models: []string{"m"}}}
	press(m, "esc")
	m.Update(late)
	if m.done || m.step != choosing {
		t.Errorf("it went on with %+v", m.target)
	}
}

// What was found comes above the rest, and the choice stays with what was chosen.
func TestFindingKeepsTheChoice(t *testing.T) {
	m := screen(t, 80, 24, nil)
	press(m, "down", "down", "down")
	if !m.rows[m.at].target.Demo {
		t.Fatalf("it stands on %+v", m.rows[m.at])
	}
	m.Update(nearbyMsg(found()))
	if !m.rows[m.at].target.Demo {
		t.Errorf("it went to %+v", m.rows[m.at])
	}
}

func TestItFitsAnySize(t *testing.T) {
	for w := 0; w < 90; w += 7 {
		for h := 0; h < 30; h += 3 {
			m := screen(t, w, h, map[string]Answer{"": {WantsKey: true}})
			m.Update(nearbyMsg(found()))
			for _, k := range [][]string{nil, {"a long text to be typed into a narrow line"}, {"enter"}, {"key"}} {
				press(m, k...)
				if w > 0 && h > 0 {
					pagetest.Fits(t, m.View(), w, h)
				}
			}
		}
	}
}

// A click chooses the row that was drawn there, a second one takes it; headings and the frame do nothing.
func TestMouse(t *testing.T) {
	click := func(m *model, text string) (ends bool) {
		for y, line := range strings.Split(m.View(), "\n") {
			if x := strings.Index(line, text); x >= 0 {
				x = len([]rune(line[:x]))
				return does(m, tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
			}
		}
		t.Fatalf("%q is not on the screen:\n%s", text, m.View())
		return false
	}
	for _, h := range []int{40, 14} {
		m := screen(t, 80, h, nil)
		m.Update(nearbyMsg(found()))
		m.View()
		m.Update(tea.MouseMsg{X: 5, Y: 2, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
		if m.at != 1 {
			t.Errorf("the wheel goes to row %d", m.at)
		}
		before := m.at
		for _, nothing := range []string{"Connect", string(lately)} {
			if click(m, nothing); m.at != before || m.step != choosing {
				t.Errorf("a click on %q chooses row %d", nothing, m.at)
			}
		}
		if click(m, "http://localhost:11434"); m.at != 2 || m.step != choosing {
			t.Fatalf("a click chooses row %d at step %d, want the third", m.at, m.step)
		}
		if click(m, "http://localhost:11434"); m.step != choosingModel {
			t.Fatalf("a second click leads to step %d, want the models", m.step)
		}
		if click(m, "qwen3:4b"); m.model != 1 {
			t.Errorf("a click chooses model %d", m.model)
		}
		if !click(m, "qwen3:4b") || m.target.Model != "qwen3:4b" {
			t.Errorf("a second click takes %+v", m.target)
		}
	}
	m := screen(t, 80, 40, nil)
	click(m, "URL:")
	if click(m, "URL:"); !m.rows[m.at].typed || m.problem != "" {
		t.Errorf("two clicks on the line for a URL choose row %d, and say %q", m.at, m.problem)
	}
}
