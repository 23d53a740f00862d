package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/ui/internal/golden"
	"tokdyno/ui/theme"
)

func mustTheme(t testing.TB, name theme.Name, profile termenv.Profile, ascii bool) theme.Theme {
	t.Helper()
	th, err := theme.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	th = th.On(profile)
	if ascii {
		th = th.With(theme.ASCII())
	}
	return th
}

// still is a clock that stands.
func still() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// opened returns a console of w by h cells that has drawn its first frame.
func opened(t testing.TB, s *engine.Snapshot, w, h int, th theme.Theme) (*model, *fakeEngine) {
	t.Helper()
	fake := newFake(s)
	fake.values = func(n int, _ slo.Metric) []time.Duration { return drawn(uint64(n), 400, time.Duration(90+5*n)*ms(1)) }
	m := newModel(fake, th, still)
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

// fits fails unless a frame has exactly h lines of w cells, and nothing in it that moves the cursor.
func fits(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%d×%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Fatalf("%d×%d: line %d is %d cells wide: %q", w, h, i, n, ansi.Strip(l))
		}
		for _, r := range ansi.Strip(l) {
			if r < ' ' || r == 0x7f {
				t.Fatalf("%d×%d: line %d has control character %q", w, h, i, r)
			}
		}
	}
}

func TestFrames(t *testing.T) {
	shots := []shot{
		{name: "busy", snapshot: busy},
		{name: "starting", snapshot: starting},
		{name: "settling", snapshot: settling},
		{name: "paused", snapshot: paused},
		{name: "no-slo", snapshot: noSLO},
		{name: "failures", snapshot: failing},
		{name: "open-loop", snapshot: open},
		{name: "estimated", snapshot: estimatedTokens},
		{name: "strained", snapshot: strained},
		{name: "client-bound", snapshot: clientBound},
		{name: "ended", snapshot: ended},
		{name: "broken", snapshot: broken},
		{name: "eight-gpus", snapshot: eightGPUs},
		{name: "frozen", snapshot: busy, keys: []string{"f"}},
		{name: "pending", snapshot: busy, keys: []string{"+", "+"}},
		{name: "draining", snapshot: busy, keys: []string{"q"}},
		{name: "help", snapshot: busy, keys: []string{"?"}},
		{name: "zoomed", snapshot: busy, keys: []string{"tab", "enter"}},
		{name: "typing", snapshot: busy, keys: []string{"down", "e", "1", "2", ".", "5"}},
		{name: "mistyped", snapshot: busy, keys: []string{"e", "a", "lot", "enter"}},
		{name: "command", snapshot: busy, keys: []string{":", "a", "r"}},
		{name: "command-wrong", snapshot: busy, keys: []string{":", "rat", "e", " ", "many", "enter"}},
		{name: "picker", snapshot: busy, keys: []string{"p", "down"}},
		{name: "stages", snapshot: ladder, keys: []string{"5"}},
		{name: "stages-pair", snapshot: ladder, keys: []string{"5", "k", "enter", "k", "k", "enter"}},
		{name: "stages-shapes", snapshot: reshaped, keys: []string{"5", "k", "enter", "k", "enter"}},
		{name: "stages-newborn", snapshot: newborn, keys: []string{"5"}},
		{name: "stages-many", snapshot: manyStages, keys: []string{"5", "k", "enter"}},
		{name: "stages-help", snapshot: ladder, keys: []string{"5", "?"}},
		{name: "stages-turning", snapshot: ladder, keys: []string{"5", "+"}},
		{name: "observed", snapshot: observed},
		{name: "gpu", snapshot: observed, keys: []string{"4"}},
		{name: "gpu-two", snapshot: machine(2), keys: []string{"4", "j", "v"}},
		{name: "gpu-eight", snapshot: troubled, keys: []string{"4", "j", "j", "j", "j", "j"}},
		{name: "gpu-sixteen", snapshot: machine(16), keys: []string{"4", "j", "j", "j", "j", "j", "j", "j", "j", "j"}},
		{name: "gpu-divided", snapshot: divided, keys: []string{"4", "j"}},
		{name: "gpu-elsewhere", snapshot: elsewhere, keys: []string{"4"}},
		{name: "gpu-unseen", snapshot: unseen, keys: []string{"4", "v"}},
		{name: "stages-observed", snapshot: observed, keys: []string{"5", "k", "enter", "j", "enter"}},
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
				m, fake := opened(t, s.snapshot(), size.w, size.h, mustTheme(t, theme.Dark, termenv.Ascii, false))
				m.picker.all = somePresets()
				if values != nil {
					fake.values = values
				}
				settle(m, press(m, s.keys...))
				fits(t, m.View(), size.w, size.h)
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
			{"busy", busy, nil},
			{"open-loop", open, nil},
			{"stages", ladder, []string{"5", "k", "enter", "k", "k", "enter"}},
			{"picker", busy, []string{"p", "down"}},
			{"gpu", troubled, []string{"4", "j", "j", "j", "j", "j"}},
		} {
			t.Run(look.name+"/"+shot.name, func(t *testing.T) {
				m, _ := opened(t, shot.snapshot(), 120, 36, mustTheme(t, look.theme, look.profile, look.ascii))
				m.picker.all = somePresets()
				settle(m, press(m, shot.keys...))
				fits(t, m.View(), 120, 36)
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
	shots := []func() *engine.Snapshot{busy, starting, failing, open, estimatedTokens, strained, clientBound, eightGPUs}
	n := 0
	check := func(t *testing.T, w, h int) {
		n++ // every size gets another shot
		m, _ := opened(t, shots[n%len(shots)](), w, h, mustTheme(t, theme.Dark, termenv.ANSI, n%2 == 1))
		for _, k := range []string{"f", "f", "tab", "enter", "tab", "tab", "tab", "tab", "tab", "esc", "e", "x", "esc", "?", "esc", "down", "+"} {
			press(m, k)
			fits(t, m.View(), w, h)
		}
	}
	for h := 1; h <= 20; h++ {
		for w := 1; w <= 60; w++ {
			if w < leastWidth-1 || h < leastHeight-1 {
				m, _ := opened(t, busy(), w, h, mustTheme(t, theme.Dark, termenv.ANSI, false))
				fits(t, m.View(), w, h)
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
