package console

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/golden"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// opened returns a console of w by h cells that has drawn its first frame.
func opened(t testing.TB, s *snapshot.Snapshot, w, h int, th theme.Theme) (*model, *scene.Engine) {
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
		"backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
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

// shot is a snapshot, and the keys that are pressed over it.
type shot struct {
	name     string
	snapshot func() *snapshot.Snapshot
	keys     []string
}

// shoot returns the console after the keys.
func (s *shot) shoot(t *testing.T, w, h int, th theme.Theme) *model {
	t.Helper()
	m, fake := opened(t, s.snapshot(), w, h, th)
	if len(fake.Snapshot().Curve) > 0 {
		fake.Values = scene.Sampled(scene.ClimbedLevels()...)
	}
	settle(m, press(m, s.keys...))
	pagetest.Fits(t, m.View(), w, h)
	return m
}

func plain(t testing.TB) theme.Theme { return pagetest.Theme(t, theme.Dark, termenv.Ascii, false) }

// bare is a frame without its header, which has a golden file of its own: it names every page.
func bare(m *model) string {
	_, frame, _ := strings.Cut(m.View(), "\n")
	return frame
}

// Whole frames show that parts stand together; what each part shows is for the tests of the pages.
func TestFrames(t *testing.T) {
	for _, s := range []struct {
		shot
		w, h int
	}{
		{shot{"live", scene.Busy, nil}, 80, 24},
		{shot{"live", scene.Busy, nil}, 120, 36},
		{shot{"live", scene.Busy, nil}, 200, 50},
		{shot{"live-open-loop", scene.Open, nil}, 120, 36},
		{shot{"live-zoomed", scene.Busy, []string{"tab", "enter"}}, 80, 24},
		{shot{"live-objectives", scene.Promised, nil}, 80, 24},
		{shot{"curve", scene.Climbed, []string{"2", "left", "left"}}, 120, 36},
		{shot{"curve", scene.Climbed, []string{"2"}}, 80, 24},
		{shot{"gpu", scene.Observed, []string{"4"}}, 120, 36},
		{shot{"gpu-turned-over", scene.Observed, []string{"4", "v"}}, 80, 24},
		{shot{"stages-pair", scene.Ladder, []string{"5", "k", "enter", "k", "k", "enter"}}, 120, 36},
		{shot{"picker", scene.Busy, []string{"p", "down"}}, 120, 36},
		{shot{"help", scene.Busy, []string{"?"}}, 120, 36},
	} {
		t.Run(fmt.Sprintf("%s/%dx%d", s.name, s.w, s.h), func(t *testing.T) {
			golden.Check(t, fmt.Sprintf("frame-%s-%dx%d", s.name, s.w, s.h), bare(s.shoot(t, s.w, s.h, plain(t))))
		})
	}
}

// aroundPages are states that show in the lines around a page.
func aroundPages() []shot {
	return []shot{
		{"busy", scene.Busy, nil},
		{"starting", scene.Starting, nil},
		{"settling", scene.Settling, nil},
		{"paused", scene.Paused, nil},
		{"failing", scene.Failing, nil},
		{"down", scene.Down, nil},
		{"open loop", scene.Open, nil},
		{"estimated", scene.Estimated, nil},
		{"strained", scene.Strained, nil},
		{"client-bound", scene.ClientBound, nil},
		{"ended", scene.Ended, nil},
		{"broken", scene.Broken, nil},
		{"frozen", scene.Busy, []string{"f"}},
		{"turning", scene.Busy, []string{"+", "+"}},
		{"turning where no knobs show", scene.Ladder, []string{"5", "+"}},
		{"draining", scene.Busy, []string{"q"}},
		{"zoomed", scene.Busy, []string{"tab", "enter"}},
		{"typing", scene.Busy, []string{"down", "e", "1", "2", ".", "5"}},
		{"mistyped", scene.Busy, []string{"e", "a", "lot", "enter"}},
		{"command line", scene.Busy, []string{":", "a", "r"}},
		{"wrong command", scene.Busy, []string{":", "rat", "e", " ", "many", "enter"}},
		{"picker", scene.Busy, []string{"p", "down"}},
		{"nothing fits", scene.Busy, []string{"p", "x", "y", "z"}},
		{"objectives", scene.Promised, nil},
		{"autopilot", scene.Climbed, nil},
		{"quiet", scene.Quiet, nil},
		{"quiet where no knobs show", scene.Quiet, []string{"4"}},
		{"curve", scene.Climbed, []string{"2"}},
		{"curve, starting", scene.Starting, []string{"2"}},
		{"devices", scene.Observed, []string{"4"}},
		{"stages", scene.Ladder, []string{"5"}},
		{"stages, nothing yet", scene.Starting, []string{"5", "k"}},
		{"help", scene.Busy, []string{"?"}},
		{"no such key", scene.Busy, []string{"z"}},
		{"a key of another page", scene.Busy, []string{"v"}},
		{"a command that worked", scene.Busy, []string{":", "c", " ", "1", "6", "enter"}},
	}
}

// The lines around a page: the header in one file, advice and footer in another.
func TestLinesAroundAPage(t *testing.T) {
	var headers, feet pagetest.Sheet
	for _, s := range aroundPages() {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
			w := size[0]
			m := s.shoot(t, w, size[1], plain(t))
			all := strings.Split(m.View(), "\n")
			headers.Add(t, s.name, all[0], w, 1)
			foot := 1 + len(m.screen().said)
			feet.Add(t, s.name, strings.Join(all[len(all)-foot:], "\n"), w, foot)
		}
	}
	headers.Check(t, "header")
	feet.Check(t, "feet")
}

// A load whose answers nobody limits is not the one asked for.
func TestHeaderSaysThatAnswersAreNotLimited(t *testing.T) {
	for _, several := range []bool{false, true} {
		s := shot{name: "unlimited", snapshot: func() *snapshot.Snapshot {
			s := scene.Busy()
			if s.Endpoint.Unlimited = !several; several {
				s.Endpoints = []snapshot.EndpointLine{{Profile: s.Endpoint}, {Profile: endpoint.Profile{Unlimited: true}}}
			}
			return s
		}}
		says(t, s.shoot(t, 80, 24, plain(t)), "NO OUTPUT LIMIT")
	}
}

// On a small screen the help is scrolled, and says the keys of the page over which it is opened.
func TestHelpIsThatOfThePage(t *testing.T) {
	s := shot{"help", scene.Ladder, []string{"5", "?"}}
	small := s.shoot(t, 80, 24, plain(t))
	pagetest.Shows(t, small.View(), "Keys on the Stages page", "mark A, B", "↓ ")
	if strings.Contains(small.View(), "previous knob") {
		t.Error("it has keys of another page")
	}
	for range 100 {
		press(small, "down")
	}
	pagetest.Shows(t, small.View(), ":q", "↑ ")
	pagetest.Shows(t, s.shoot(t, 200, 50, plain(t)).View(), "mark a stage as A, another as B; again unmarks", "Reading the screen", "The command line")
}

// The looks differ in escape sequences and glyphs only, so three frames of each are enough.
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
		for _, s := range []shot{
			{"live", scene.Open, nil},
			{"gpu", scene.Troubled, []string{"4", "j", "j", "j", "j", "j"}},
			{"curve", scene.Climbed, []string{"2", "left", "left"}},
		} {
			t.Run(look.name+"/"+s.name, func(t *testing.T) {
				frame := bare(s.shoot(t, 120, 36, pagetest.Theme(t, look.theme, look.profile, look.ascii)))
				golden.Check(t, "look-"+look.name+"-"+s.name, strings.ReplaceAll(frame, "\x1b", "␛"))
				if look.ascii {
					for _, r := range frame {
						if r > '~' {
							t.Fatalf("%q is not ASCII", r)
						}
					}
				}
			})
		}
	}
}

// Every page at every size is for the tests of the pages; here it is the lines around them, and what covers them.
func TestEverySizeFits(t *testing.T) {
	n := 0
	shots := aroundPages()
	check := func(w, h int) {
		n++ // every size gets another shot
		s := &shots[n%len(shots)]
		m := s.shoot(t, w, h, pagetest.Theme(t, theme.Dark, termenv.ANSI, n%2 == 1))
		for _, k := range []string{"esc", "esc", "?", "esc", "p", "esc", "2", "+", ":", "x"} {
			press(m, k)
			pagetest.Fits(t, m.View(), w, h)
		}
	}
	for h := 1; h <= 20; h++ {
		for w := 1; w <= 60; w++ {
			if h >= page.LeastHeight-1 && w >= page.LeastWidth-1 || (h+w)%13 == 0 {
				check(w, h)
			}
		}
	}
	for range shots {
		check(page.LeastWidth, page.LeastHeight)
	}
	for h := 21; h <= 70; h += 16 {
		for w := 60; w <= 250; w += 37 {
			check(w, h)
		}
	}
}
