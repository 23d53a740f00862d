package console

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/ui/internal/golden"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// opened returns a console of w by h cells that has drawn its first frame.
func opened(t testing.TB, s *engine.Snapshot, w, h int, th theme.Theme) (*model, *scene.Engine) {
	t.Helper()
	fake := scene.New(s)
	fake.Values = func(n int, _ slo.Metric) []time.Duration {
		return scene.Drawn(uint64(n), 400, time.Duration(90+5*n)*scene.MS(1))
	}
	m := newModel(fake, th, scene.Still)
	m.picker.all = somePresets()
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(frameMsg{})
	return m, fake
}

// press sends keys by their names, such as "+", "tab" or "ctrl+c", and returns the last command.
func press(m *model, keys ...string) (cmd tea.Cmd) {
	for _, k := range keys {
		_, cmd = m.Update(keyOf(k))
	}
	return cmd
}

func keyOf(name string) tea.KeyMsg {
	types := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ,
		"backspace": tea.KeyBackspace,
	}
	if t, ok := types[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// settle does the work that a command asks for, and gives the console its result.
func settle(m *model, cmd tea.Cmd) {
	if cmd != nil {
		m.Update(cmd())
	}
}

func says(t *testing.T, m *model, text string) {
	t.Helper()
	pagetest.Shows(t, m.View(), text)
}

func TestFrames(t *testing.T) {
	shots := []shot{
		{name: "busy", snapshot: scene.Busy},
		{name: "starting", snapshot: scene.Starting},
		{name: "settling", snapshot: scene.Settling},
		{name: "paused", snapshot: scene.Paused},
		{name: "no-slo", snapshot: scene.NoSLO},
		{name: "failures", snapshot: scene.Failing},
		{name: "open-loop", snapshot: scene.Open},
		{name: "estimated", snapshot: scene.Estimated},
		{name: "strained", snapshot: scene.Strained},
		{name: "client-bound", snapshot: scene.ClientBound},
		{name: "ended", snapshot: scene.Ended},
		{name: "broken", snapshot: scene.Broken},
		{name: "eight-gpus", snapshot: scene.EightGPUs},
		{name: "frozen", snapshot: scene.Busy, keys: []string{"f"}},
		{name: "pending", snapshot: scene.Busy, keys: []string{"+", "+"}},
		{name: "draining", snapshot: scene.Busy, keys: []string{"q"}},
		{name: "help", snapshot: scene.Busy, keys: []string{"?"}},
		{name: "zoomed", snapshot: scene.Busy, keys: []string{"tab", "enter"}},
		{name: "typing", snapshot: scene.Busy, keys: []string{"down", "e", "1", "2", ".", "5"}},
		{name: "mistyped", snapshot: scene.Busy, keys: []string{"e", "a", "lot", "enter"}},
		{name: "command", snapshot: scene.Busy, keys: []string{":", "a", "r"}},
		{name: "command-wrong", snapshot: scene.Busy, keys: []string{":", "rat", "e", " ", "many", "enter"}},
		{name: "picker", snapshot: scene.Busy, keys: []string{"p", "down"}},
		{name: "stages", snapshot: scene.Ladder, keys: []string{"5"}},
		{name: "stages-pair", snapshot: scene.Ladder, keys: []string{"5", "k", "enter", "k", "k", "enter"}},
		{name: "stages-shapes", snapshot: scene.Reshaped, keys: []string{"5", "k", "enter", "k", "enter"}},
		{name: "stages-newborn", snapshot: scene.Newborn, keys: []string{"5"}},
		{name: "stages-many", snapshot: scene.ManyStages, keys: []string{"5", "k", "enter"}},
		{name: "stages-help", snapshot: scene.Ladder, keys: []string{"5", "?"}},
		{name: "stages-turning", snapshot: scene.Ladder, keys: []string{"5", "+"}},
		{name: "observed", snapshot: scene.Observed},
		{name: "gpu", snapshot: scene.Observed, keys: []string{"4"}},
		{name: "gpu-two", snapshot: scene.Machine(2), keys: []string{"4", "j", "v"}},
		{name: "gpu-eight", snapshot: scene.Troubled, keys: []string{"4", "j", "j", "j", "j", "j"}},
		{name: "gpu-sixteen", snapshot: scene.Machine(16), keys: []string{"4", "j", "j", "j", "j", "j", "j", "j", "j", "j"}},
		{name: "gpu-divided", snapshot: scene.Divided, keys: []string{"4", "j"}},
		{name: "gpu-elsewhere", snapshot: scene.Elsewhere, keys: []string{"4"}},
		{name: "gpu-unseen", snapshot: scene.Unseen, keys: []string{"4", "v"}},
		{name: "stages-observed", snapshot: scene.Observed, keys: []string{"5", "k", "enter", "j", "enter"}},
	}
	checkFrames(t, shots, nil)
}

// shot is a snapshot, and the keys that are pressed over it.
type shot struct {
	name     string
	snapshot func() *engine.Snapshot
	keys     []string
}

// checkFrames compares every shot with what was found good, at three sizes. values are what the engine has of its stages'
// requests; nil: nothing.
func checkFrames(t *testing.T, shots []shot, values func(int, slo.Metric) []time.Duration) {
	for _, s := range shots {
		for _, size := range []struct {
			name string
			w, h int
		}{{"80x24", 80, 24}, {"120x36", 120, 36}, {"200x50", 200, 50}} {
			t.Run(s.name+"/"+size.name, func(t *testing.T) {
				m, fake := opened(t, s.snapshot(), size.w, size.h, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
				m.picker.all = somePresets()
				if values != nil {
					fake.Values = values
				}
				settle(m, press(m, s.keys...))
				pagetest.Fits(t, m.View(), size.w, size.h)
				golden.Check(t, s.name+"-"+size.name, m.View())
			})
		}
	}
}

// The looks differ in escape sequences and glyphs only, so one shot at two sizes is enough of each.
func TestLooks(t *testing.T) {
	for _, look := range []struct {
		name    string
		theme   theme.Name
		profile termenv.Profile
		ascii   bool
	}{
		{"dark", theme.Dark, termenv.TrueColor, false},
		{"mono", theme.Mono, termenv.ANSI, false},
		{"ascii", theme.Mono, termenv.Ascii, true},
	} {
		for _, shot := range []struct {
			name     string
			snapshot func() *engine.Snapshot
			keys     []string
		}{
			{"busy", scene.Busy, nil},
			{"open-loop", scene.Open, nil},
			{"stages", scene.Ladder, []string{"5", "k", "enter", "k", "k", "enter"}},
			{"picker", scene.Busy, []string{"p", "down"}},
			{"gpu", scene.Troubled, []string{"4", "j", "j", "j", "j", "j"}},
		} {
			t.Run(look.name+"/"+shot.name, func(t *testing.T) {
				m, _ := opened(t, shot.snapshot(), 120, 36, pagetest.Theme(t, look.theme, look.profile, look.ascii))
				m.picker.all = somePresets()
				settle(m, press(m, shot.keys...))
				pagetest.Fits(t, m.View(), 120, 36)
				golden.Check(t, "look-"+look.name+"-"+shot.name, strings.ReplaceAll(m.View(), "\x1b", "␛"))
				if look.ascii {
					for _, r := range m.View() {
						if r > '~' {
							t.Fatalf("%q is not ASCII", r)
						}
					}
				}
			})
		}
	}
}

func TestEverySizeFits(t *testing.T) {
	shots := []func() *engine.Snapshot{scene.Busy, scene.Starting, scene.Failing, scene.Open, scene.Estimated, scene.Strained, scene.ClientBound, scene.EightGPUs}
	n := 0
	check := func(t *testing.T, w, h int) {
		n++ // every size gets another shot
		m, _ := opened(t, shots[n%len(shots)](), w, h, pagetest.Theme(t, theme.Dark, termenv.ANSI, n%2 == 1))
		for _, k := range []string{"f", "f", "tab", "enter", "tab", "tab", "tab", "tab", "tab", "esc", "e", "x", "esc", "?", "esc", "down", "+"} {
			press(m, k)
			pagetest.Fits(t, m.View(), w, h)
		}
	}
	for h := 1; h <= 20; h++ {
		for w := 1; w <= 60; w++ {
			if w < page.LeastWidth-1 || h < page.LeastHeight-1 {
				m, _ := opened(t, scene.Busy(), w, h, pagetest.Theme(t, theme.Dark, termenv.ANSI, false))
				pagetest.Fits(t, m.View(), w, h)
				continue
			}
			for range shots {
				check(t, w, h)
			}
		}
	}
	for h := 21; h <= 70; h += 7 {
		for w := 60; w <= 250; w += 19 {
			check(t, w, h)
		}
	}
}
