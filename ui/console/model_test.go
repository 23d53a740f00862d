package console

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// running is a console that gets its frames from a ticker on the bubble's clock, as Run gives them.
type running struct {
	*model
	fake *scene.Engine
}

func start(t *testing.T, s *snapshot.Snapshot) *running {
	t.Helper()
	fake := scene.New(s)
	m := newModel(fake, pagetest.Theme(t, theme.Dark, termenv.Ascii, false), time.Now)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	return &running{m, fake}
}

// wait lets time pass, frame by frame, and returns the last command.
func (r *running) wait(d time.Duration) (cmd tea.Cmd) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(DefaultFrame)
		if _, c := r.Update(frameMsg{}); c != nil {
			cmd = c
		}
	}
	return cmd
}

func (r *running) see(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(r.View(), text) {
		t.Errorf("the screen does not say %q:\n%s", text, r.View())
	}
}

func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	_, ok := cmd().(tea.QuitMsg)
	return ok
}

func TestAHeldKeyIsOneChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		for range 8 { // 800 ms of a held key, at half a frame each
			press(r.model, "+")
			r.wait(100 * time.Millisecond)
		}
		if applied, _, _ := r.fake.Seen(); len(applied) != 0 {
			t.Fatalf("applied %d times while the key was held", len(applied))
		}
		r.see(t, "applying…")
		r.see(t, "was 32")
		r.wait(400 * time.Millisecond)
		applied, _, _ := r.fake.Seen()
		if len(applied) != 1 || applied[0].Load.Concurrency != 80 {
			t.Fatalf("applied %+v, want once 80", applied)
		}
		if want := scene.Busy().Knobs; applied[0].SLO != want.SLO || applied[0].Shape != want.Shape {
			t.Errorf("something else changed: %+v", applied[0])
		}
		r.see(t, "─ live ─")
	})
}

func TestSeveralKeysInOneMessageAreAHeldKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		r.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("+++")})
		r.wait(400 * time.Millisecond)
		applied, _, _ := r.fake.Seen()
		if len(applied) != 1 || applied[0].Load.Concurrency != 44 {
			t.Fatalf("applied %+v, want once 44", applied)
		}
	})
}

func TestQuittingInAHurryQuits(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qq")}) // both in one read
	if _, drains, stops := fake.Seen(); drains != 1 || stops == 0 {
		t.Errorf("drained %d, stopped %d times; want it drained, then stopped", drains, stops)
	}
}

func TestPastedTextIsNoRowOfCommands(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	for _, msg := range []tea.KeyMsg{
		{Type: tea.KeyRunes, Runes: []rune("qqq"), Paste: true},
		{Type: tea.KeyRunes, Runes: []rune("qqq")}, // from a terminal without bracketed paste
		{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true},
		{Type: tea.KeyRunes, Runes: []rune("ü")},
		{Type: tea.KeyF12},
	} {
		if _, cmd := m.Update(msg); quits(cmd) {
			t.Errorf("%v quits", msg)
		}
	}
	if applied, drains, stops := fake.Seen(); len(applied)+drains+stops != 0 {
		t.Errorf("applied %d, drained %d, stopped %d times", len(applied), drains, stops)
	}
}

func TestPauseAppliesAtOnceAndKeepsWhatIsInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		press(r.model, "+", " ")
		applied, _, _ := r.fake.Seen()
		if len(applied) != 1 || !applied[0].Paused || applied[0].Load.Concurrency != 32 {
			t.Fatalf("applied %+v, want paused at 32", applied)
		}
		r.wait(400 * time.Millisecond)
		applied, _, _ = r.fake.Seen()
		if len(applied) != 2 || !applied[1].Paused || applied[1].Load.Concurrency != 36 {
			t.Fatalf("applied %+v, then want paused at 36", applied)
		}
		r.see(t, "PAUSED")
	})
}

func TestRefusedKnobsAreSaidAndDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		r.fake.Refuse = errors.New("the endpoint takes\nno more than 32")
		press(r.model, "+")
		r.wait(400 * time.Millisecond)
		r.see(t, "the endpoint takes; no more than 32")
		r.see(t, "32 ▸")
		r.wait(7 * time.Second)
		if strings.Contains(r.View(), "no more than") {
			t.Error("the message stays for ever")
		}
	})
}

func TestTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		press(r.model, "e", "q", "q") // no commands here
		press(r.model, "enter")
		r.see(t, `"qq" is not a number of requests`)
		press(r.model, "backspace", "backspace", "6", "4", "enter")
		applied, drains, _ := r.fake.Seen()
		if len(applied) != 1 || applied[0].Load.Concurrency != 64 || drains != 0 {
			t.Fatalf("applied %+v, drained %d", applied, drains)
		}
		press(r.model, "e", "9", "esc")
		r.wait(time.Second)
		if applied, _, _ := r.fake.Seen(); len(applied) != 1 {
			t.Errorf("esc set the value: %+v", applied)
		}
	})
}

func TestPasteWhileTypingIsTyped(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	press(m, "e")
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1\x1b[31m2\n8"), Paste: true})
	pagetest.Fits(t, m.View(), 120, 36)
	if got := m.run.desk.Entry.Value(); got != "1[31m28" {
		t.Errorf("typed %q", got)
	}
}

func TestQuitDrainsThenStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		if quits(press(r.model, "q")) {
			t.Fatal("the first q quits at once")
		}
		r.wait(200 * time.Millisecond)
		r.see(t, "DRAINING 32 in flight, q again: now")
		if !quits(press(r.model, "q")) {
			t.Fatal("the second q does not quit")
		}
		if _, drains, stops := r.fake.Seen(); drains != 1 || stops != 1 {
			t.Errorf("drained %d, stopped %d times", drains, stops)
		}
	})
}

func TestQuitLeavesWhenDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		press(r.model, "q")
		if quits(r.wait(time.Second)) {
			t.Fatal("quits while requests run")
		}
		r.fake.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Ended })
		if !quits(r.wait(200 * time.Millisecond)) {
			t.Fatal("stays when all requests have ended")
		}
		if _, drains, stops := r.fake.Seen(); drains != 1 || stops != 0 {
			t.Errorf("drained %d, stopped %d times", drains, stops)
		}
	})
}

func TestControlCStopsAtOnceEverywhere(t *testing.T) {
	for _, before := range [][]string{nil, {"?"}, {"e", "4"}, {"enter"}, {"q"}} {
		m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
		press(m, before...)
		if !quits(press(m, "ctrl+c")) {
			t.Errorf("after %v, ctrl+c does not quit", before)
		}
		if _, _, stops := fake.Seen(); stops != 1 {
			t.Errorf("after %v, ctrl+c stopped the engine %d times", before, stops)
		}
	}
}

func TestAnEndedRunStaysToBeLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		r.fake.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Ended })
		if quits(r.wait(5 * time.Second)) {
			t.Fatal("the console leaves by itself")
		}
		r.see(t, "ENDED")
		press(r.model, "+", " ")
		r.wait(time.Second)
		if applied, _, _ := r.fake.Seen(); len(applied) != 0 {
			t.Errorf("an ended run is still turned: %+v", applied)
		}
		if !quits(press(r.model, "q")) {
			t.Error("q does not leave")
		}
	})
}

func TestAnUnusableEndpointLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Starting())
		r.fake.Change(func(s *snapshot.Snapshot) {
			s.State, s.Err, s.Counts = snapshot.Ended, errors.New("connection refused"), stats.Counts{}
		})
		if !quits(r.wait(200 * time.Millisecond)) {
			t.Error("the console stays with nothing to show")
		}
	})
}

func TestFrozenShowsWhatWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		press(r.model, "f")
		r.fake.Change(func(s *snapshot.Snapshot) {
			s.Elapsed += time.Minute
			s.Live.TTFT.P95 = 777 * time.Millisecond
		})
		r.wait(time.Second)
		r.see(t, "FROZEN at 02:41")
		r.see(t, "345 ms")
		press(r.model, "+")
		r.wait(400 * time.Millisecond)
		r.see(t, "36 ▸") // the knobs are never frozen
		press(r.model, "f")
		r.see(t, "777 ms")
		if strings.Contains(r.View(), "FROZEN") {
			t.Error("still frozen")
		}
	})
}

func TestWindowKeys(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	press(m, "]")
	m.Update(frameMsg{})
	press(m, "[", "[")
	applied, _, _ := fake.Seen()
	if len(applied) != 3 || applied[0].Window != stats.Last1m || applied[2].Window != stats.Last10s {
		t.Errorf("applied %+v", applied)
	}
}

func TestTurningTheRateUpOpensTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		press(r.model, "j", "l")
		r.wait(400 * time.Millisecond)
		applied, _, _ := r.fake.Seen()
		if len(applied) != 1 || applied[0].Load.Mode != load.Open || applied[0].Load.Rate != 8 {
			t.Fatalf("applied %+v", applied)
		}
		r.see(t, "open 8 req/s poisson")
	})
}

func TestSuspensionIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		if cmd := press(r.model, "ctrl+z"); cmd == nil {
			t.Fatal("ctrl+z does nothing")
		} else if _, ok := cmd().(tea.SuspendMsg); !ok {
			t.Fatal("ctrl+z does not suspend")
		}
		time.Sleep(12 * time.Second)
		r.Update(tea.ResumeMsg{})
		r.see(t, "suspended for 12 s: the figures of that time are not valid")
	})
}

func TestAFaultEndsTheConsoleWithAnError(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	fake.Latest = nil
	_, cmd := m.Update(frameMsg{})
	if !quits(cmd) || m.err == nil || !strings.Contains(m.err.Error(), "the console failed") {
		t.Errorf("err = %v", m.err)
	}
}

// What a server says is shown as text, never obeyed.
func TestForeignTextIsHarmless(t *testing.T) {
	g := theme.Unicode()
	for in, want := range map[string]string{
		"plain":                             "plain",
		"a\x1b[31mred\x1b[0m b":             "ared b",
		"two\nlines\tand\r a tab":           "two lines and a tab",
		"\u202ereversed\u200b\ufeff":        "reversed",
		"\x1b]0;title\x07after":             "after",
		"bell\a and del\x7f and c1\u009b1m": "bell and del and c1 1m",
	} {
		if got := cell.Sanitise(in, &g); got != want && ansi.Strip(got) != got {
			t.Errorf("foreign(%q) = %q, want %q", in, got, want)
		}
	}
	s := scene.Failing()
	s.Endpoint.Model = "evil\x1b[2J\nmodel"
	s.GPU = scene.Busy().GPU
	s.GPU.Devices[0].Name = "\x1b[41mgpu\n"
	m, _ := opened(t, s, 200, 50, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	pagetest.Fits(t, m.View(), 200, 50)
}

func BenchmarkFrame(b *testing.B) {
	s := scene.Busy()
	s.History = scene.History(300, s.At)
	for _, size := range []struct {
		name string
		w, h int
	}{{"80x24", 80, 24}, {"120x36", 120, 36}, {"200x50", 200, 50}, {"300x80", 300, 80}} {
		b.Run(size.name, func(b *testing.B) {
			m, _ := opened(b, s, size.w, size.h, pagetest.Theme(b, theme.Dark, termenv.TrueColor, false))
			b.ReportAllocs()
			for b.Loop() {
				m.Update(frameMsg{})
			}
		})
	}
}

func TestAFaultBesideTheConsoleEndsItWithAnError(t *testing.T) {
	m, fake := console(t, scene.Staged(8, 16))
	fake.Values = func(int, slo.Metric) []time.Duration { panic("no such stage") }
	press(m, "5", "enter", "k")
	_, cmd := m.Update(press(m, "enter")())
	if !quits(cmd) || m.err == nil || !strings.Contains(m.err.Error(), "no such stage") {
		t.Errorf("err = %v", m.err)
	}
}

// From a panel of the Live page, and by a command, one gets to the Requests page with a filter.
func TestRequestsAreShown(t *testing.T) {
	m, _ := opened(t, scene.Ladder(), 120, 36, plain(t))
	settle(m, press(m, "b"))
	says(t, m, "slow ttft stage 4")
	press(m, "1", ":")
	for _, r := range "requests failed" {
		press(m, string(r))
	}
	press(m, "enter")
	says(t, m, "Requests")
	press(m, ":")
	for _, r := range "requests filed" {
		press(m, string(r))
	}
	press(m, "enter")
	says(t, m, `"filed" is no filter`)
}

// What a page types goes to it, and its keys mean nothing else meanwhile.
func TestAFilterIsTyped(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, plain(t))
	settle(m, press(m, "3"))
	press(m, "/")
	for _, r := range "failed q" {
		press(m, string(r))
	}
	says(t, m, "failed q")
	if _, drains, _ := fake.Seen(); drains > 0 {
		t.Error("a typed q quits")
	}
	settle(m, press(m, "backspace", "backspace", "enter"))
	says(t, m, "failed  0 of 0")
	press(m, "/", "x", "esc")
	says(t, m, "failed  0 of 0")
}

// On a slow line, or pasted, a filter arrives at once with its key.
func TestAFilterThatArrivesAtOnceIsTyped(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, plain(t))
	settle(m, press(m, "3"))
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/slow ttft")})
	says(t, m, "slow ttft│")
}
