// This file is a page by itself.

package pagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// around is how many lines the console keeps for itself.
const around = 3

// Screen is a page on a screen of its own, over an engine that remembers what it was told.
type Screen struct {
	t      testing.TB
	Page   page.Page
	Engine *scene.Engine
	Said   string // what a key said last
	Asked  string // which requests a key showed
	Copied string // what a key put into the clipboard

	clock func() time.Time
	w, h  int
	th    theme.Theme
	shown *snapshot.Snapshot
}

// Open shows a page as a console of w by h cells would.
func Open(t testing.TB, p page.Page, s *snapshot.Snapshot, w, h int) *Screen {
	t.Helper()
	return OpenIn(t, p, s, w, h, Theme(t, theme.Dark, termenv.Ascii, false))
}

// OpenIn does so in a theme.
func OpenIn(t testing.TB, p page.Page, s *snapshot.Snapshot, w, h int, th theme.Theme) *Screen {
	t.Helper()
	screen := &Screen{t: t, Page: p, Engine: scene.New(s), clock: scene.Still, w: w, h: h, th: th}
	screen.Engine.Values = scene.StageSamples
	screen.Look()
	return screen
}

// OpenRunning does so with a clock that runs.
func OpenRunning(t testing.TB, p page.Page, s *snapshot.Snapshot, w, h int) *Screen {
	t.Helper()
	screen := Open(t, nothing{p}, s, w, h)
	screen.Page, screen.clock = p, time.Now
	return screen
}

// nothing is a page that sees nothing.
type nothing struct{ page.Page }

// See sees nothing.
func (nothing) See(page.Host) tea.Cmd { return nil }

// Look takes the latest snapshot, as the console does with every frame.
func (s *Screen) Look() tea.Cmd {
	s.shown = s.Engine.Snapshot()
	return s.Page.See(s)
}

// Settle does the work that a command asks for, and what is to be done about its result.
func (s *Screen) Settle(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if done, ok := cmd().(page.Done); ok {
		done()
	}
}

// Press presses keys by their names, says why one does nothing, and returns the last command.
func (s *Screen) Press(names ...string) (cmd tea.Cmd) {
	s.t.Helper()
	for _, name := range names {
		zoomer, ok := s.Page.(page.Zoomer)
		zoomed := ok && zoomer.Zoomed()
		keys := s.Page.Keys()
		i := slices.IndexFunc(keys, func(k page.Key) bool {
			in := k.Zoom == page.ZoomedToo || (k.Zoom == page.OnlyZoomed) == zoomed
			return in && slices.Contains(k.Binding.Keys(), name)
		})
		if i < 0 {
			s.t.Fatalf("the page has no key %q", name)
		}
		cmd = nil
		if why := keys[i].Why; why != nil && why(s) != "" {
			s.Said = why(s)
			continue
		}
		keys[i].Do(s)
		cmd = s.Page.See(s)
	}
	return cmd
}

// Places are those of the page's parts.
func (s *Screen) Places() []page.Place {
	a := page.NewArranger(s.w, s.h, s.shown)
	if a.Class != page.TooSmall {
		s.Page.Arrange(a, page.Rect{W: s.w, H: s.h - around})
	}
	return a.Places
}

// View is the page as it is drawn at present.
func (s *Screen) View() string {
	v := s.Frame()
	v.Places = s.Places()
	if v.Places == nil {
		return ""
	}
	lines := page.Compose(v.Places, s.w, s.h-around, func(p page.Place) []string { return v.Draw(s.Page, p) })
	return strings.Join(lines, "\n")
}

// Panel is one part of the page by itself, at a size.
func (s *Screen) Panel(p page.Part, w, h int) string {
	v := s.Frame()
	at := page.Place{Part: p, W: w, H: h}
	v.Places = []page.Place{at}
	return strings.Join(v.Draw(s.Page, at), "\n")
}

// Shows fails unless the page shows every text.
func (s *Screen) Shows(texts ...string) {
	s.t.Helper()
	Shows(s.t, s.View(), texts...)
}

// What a page may ask of its host.

// Frame is what is drawn, without places.
func (s *Screen) Frame() *page.Frame {
	return &page.Frame{W: s.w, H: s.h, Theme: &s.th, Shown: s.shown, Latest: s.shown}
}

// Now is the clock.
func (s *Screen) Now() time.Time { return s.clock() }

// Knobs are the engine's.
func (s *Screen) Knobs() snapshot.Knobs { return s.shown.Knobs }

// Set hands knobs to the engine.
func (s *Screen) Set(k snapshot.Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	return s.Engine.Apply(k)
}

// ReadOnly never keeps it from anything.
func (s *Screen) ReadOnly() string { return "" }

// Uncontrollable says that a run has ended.
func (s *Screen) Uncontrollable() string {
	if s.shown.State == snapshot.Ended {
		return "the run has ended; q leaves"
	}
	return ""
}

// StageValues are the engine's.
func (s *Screen) StageValues(n int, m slo.Metric) []time.Duration { return s.Engine.StageValues(n, m) }

// Requests are the engine's.
func (s *Screen) Requests() query.Source { return s.Engine }

// ShowRequests remembers.
func (s *Screen) ShowRequests(filter string, by query.Figure) { s.Asked = filter + " by " + string(by) }

// Copy remembers.
func (s *Screen) Copy(text string) { s.Copied = text }

// StageSeries are the engine's.
func (s *Screen) StageSeries(n int) *compare.Series { return s.Engine.StageSeries(n) }

// Say remembers what was said.
func (s *Screen) Say(_ theme.Role, format string, args ...any) { s.Said = fmt.Sprintf(format, args...) }

// Hush forgets it.
func (s *Screen) Hush() { s.Said = "" }

// Theme is a theme on a terminal with so many colours.
func Theme(t testing.TB, name theme.Name, profile termenv.Profile, ascii bool) theme.Theme {
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

// Fits fails unless a drawing has exactly h lines of w cells, and nothing in it that moves the cursor.
func Fits(t testing.TB, drawn string, w, h int) {
	t.Helper()
	lines := strings.Split(drawn, "\n")
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

// Tiles fails unless every cell of w by h belongs to exactly one place.
func Tiles(t testing.TB, places []page.Place, w, h int, of string) {
	t.Helper()
	owner := make([]int, w*h)
	for _, p := range places {
		if p.W < 1 || p.H < 1 || p.X < 0 || p.Y < 0 || p.X+p.W > w || p.Y+p.H > h {
			t.Fatalf("%d×%d %s: part %d lies outside: %+v", w, h, of, p.Part, p)
		}
		for y := p.Y; y < p.Y+p.H; y++ {
			for x := p.X; x < p.X+p.W; x++ {
				owner[y*w+x]++
			}
		}
	}
	for i, n := range owner {
		if n != 1 {
			t.Fatalf("%d×%d %s: cell %d,%d belongs to %d parts", w, h, of, i%w, i/w, n)
		}
	}
}

// TilesEverywhere checks how a page divides screens of many sizes.
func TilesEverywhere(t testing.TB, p page.Page, s *snapshot.Snapshot, of string) {
	t.Helper()
	for h := page.LeastHeight; h <= 90; h += 7 {
		for w := page.LeastWidth; w <= 310; w += 23 {
			a := page.NewArranger(w, h, s)
			p.Arrange(a, page.Rect{W: w, H: h - around})
			Tiles(t, a.Places, w, h-around, of)
		}
	}
}

// Shows fails unless a drawing has every text.
func Shows(t testing.TB, drawn string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(drawn, text) {
			t.Errorf("it does not say %q:\n%s", text, drawn)
		}
	}
}

// LineWith is the first line that has all of the words.
func LineWith(drawn string, words ...string) string {
next:
	for _, line := range strings.Split(drawn, "\n") {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		return line
	}
	return ""
}

// EverySizeFits draws a page at the sizes at which something gives way, each with another scene, and after every one of
// some keys.
func EverySizeFits(t testing.TB, fresh func() page.Page, scenes []func() *snapshot.Snapshot, keys ...string) {
	t.Helper()
	n := 0
	check := func(w, h int) {
		n++
		th := Theme(t, theme.Dark, termenv.ANSI, n%2 == 1)
		s := OpenIn(t, fresh(), scenes[n%len(scenes)](), w, h, th)
		Fits(t, s.View(), w, h-around)
		for _, k := range keys {
			s.Settle(s.Press(k))
			Fits(t, s.View(), w, h-around)
		}
	}
	for range scenes {
		check(page.LeastWidth, page.LeastHeight)
	}
	for _, size := range [][2]int{{99, 29}, {100, 30}, {149, 39}, {150, 40}} { // where a screen changes its class
		check(size[0], size[1])
	}
	for h := page.LeastHeight; h <= 70; h += 9 {
		for w := page.LeastWidth; w <= 250; w += 37 {
			check(w, h)
		}
	}
}
