package console

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/scene"
)

// watching is a console that only looks, with what it looks at.
func watching(t *testing.T, s *snapshot.Snapshot) (*model, *scene.Engine) {
	t.Helper()
	m, fake := opened(t, s, 120, 36, plain(t))
	m.run.engine, m.run.watches = newOnlooker(fake), true
	m.Update(frameMsg{})
	return m, fake
}

// Whatever is pressed and typed, a watcher changes nothing of the run, writes no file, and suspends no process.
func TestAWatcherChangesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	busy, store := scene.Requested(30)
	m, fake := watching(t, busy)
	fake.Store = store
	before := fake.Snapshot().Knobs
	run := func(what string, cmd tea.Cmd) {
		t.Helper()
		for _, msg := range messages(cmd) {
			if _, suspends := msg.(tea.SuspendMsg); suspends {
				t.Fatalf("%s suspends the owner's process", what)
			}
			m.Update(msg)
		}
		applied, drains, stops := fake.Seen()
		if n := len(applied) + drains + stops + len(fake.Marks) + fake.Stages + len(fake.Runs) + fake.Releases; n > 0 {
			t.Fatalf("after %s the run was told something: %v", what, applied)
		}
		if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
			t.Fatalf("after %s there are files: %v, %v", what, files, err)
		}
	}
	for i := range m.pages {
		for _, k := range m.keys {
			if k.page != 0 && k.page != i+1 {
				continue
			}
			press(m, "esc", "esc")
			run("turning the page", m.choosePage(i))
			if k.in&(onPage|onZoom) == onZoom {
				press(m, "enter")
			}
			name := k.Binding.Keys()[0]
			run(name, press(m, name))
			run(name+" enter", press(m, "enter"))
		}
	}
	press(m, "esc", "esc", "esc")
	for _, c := range m.commands {
		press(m, ":")
		m.prompt.entry.Begin(c.usage())
		run(":"+c.usage(), press(m, "enter"))
		if !c.looks {
			says(t, m, "read only: you are watching")
		}
		press(m, "esc")
	}
	m.run.settle()
	run("all of it", nil)
	if after := fake.Snapshot().Knobs; after != before {
		t.Errorf("the knobs have become %+v", after)
	}
}

// messages are what a command yields; of several, all that they yield.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if several, ok := msg.(tea.BatchMsg); ok {
		var all []tea.Msg
		for _, one := range several {
			all = append(all, messages(one)...)
		}
		return all
	}
	return []tea.Msg{msg}
}

// windowed is an engine that has its latest moment over any window.
type windowed struct{ *scene.Engine }

func (e windowed) Over(w stats.Window) *snapshot.Snapshot {
	s := *e.Snapshot()
	s.Knobs.Window = w
	return &s
}

func TestAWatcherHasAWindowOfItsOwn(t *testing.T) {
	m, fake := watching(t, scene.Busy())
	before := fake.Snapshot().Knobs
	press(m, "]")
	says(t, m, "read only: you are watching") // this engine has no other
	m.run.engine = newOnlooker(windowed{fake})
	press(m, "]")
	if got, want := m.run.latest.Knobs.Window, before.Window.Longer(); got != want {
		t.Errorf("the window is %v, want %v", got, want)
	}
	press(m, "[", "[")
	if got, want := m.run.latest.Knobs.Window, before.Window.Shorter(); got != want {
		t.Errorf("the window is %v, want %v", got, want)
	}
	if fake.Snapshot().Knobs != before {
		t.Error("the owner's window is another")
	}
}

func TestAWatcherLeavesAlone(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		m, fake := watching(t, scene.Busy())
		if !quits(press(m, key)) {
			t.Errorf("%s does not leave", key)
		}
		if _, drains, stops := fake.Seen(); drains+stops > 0 {
			t.Errorf("%s ends the run of others", key)
		}
	}
	m, _ := watching(t, scene.Busy())
	says(t, m, "READ ONLY")
	press(m, "+")
	says(t, m, "read only: you are watching")
}

// Who comes and goes is said, is counted in the header and stands in the log, in its place.
func TestTheOwnerSeesWhoWatches(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, plain(t))
	var names []string
	m.run.audience.watching = func() []string { return names }
	m.run.audience.shared = "shared at ssh://127.0.0.1:2222"
	m.Update(frameMsg{})
	says(t, m, "shared at ssh://127.0.0.1:2222")
	names = []string{"anna from 10.0.0.5", "ben from 10.0.0.6"}
	m.Update(frameMsg{})
	says(t, m, "2 watch")
	says(t, m, "ben from 10.0.0.6 is watching")
	names = names[1:]
	fake.Change(func(s *snapshot.Snapshot) {
		s.At = s.At.Add(time.Second)
		s.Events = append(s.Events, snapshot.Event{At: s.At.Add(time.Second), Topic: snapshot.OfRun, Text: "later"})
	})
	m.Update(frameMsg{})
	press(m, "6")
	says(t, m, "1 watch")
	frame := m.View()
	last := -1
	for _, text := range []string{"shared at", "anna from 10.0.0.5 is", "anna from 10.0.0.5 no longer watches", "later"} {
		at := strings.Index(frame, text)
		if at <= last {
			t.Errorf("%q is not in its place in the log:\n%s", text, frame)
		}
		last = at
	}
	if n := len(fake.Snapshot().Events); n > 0 && strings.Contains(fake.Snapshot().Events[n-1].Text, "watch") {
		t.Error("the run's own events were changed")
	}
}

// A watcher's console draws at the watcher's size, and ends with its keys or with the run's owner.
func TestWatchRunsUntilTheWatcherLeaves(t *testing.T) {
	for _, leave := range []string{"q", "owner"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, keys := io.Pipe()
		drawn := &written{seen: make(chan struct{})}
		sizes := make(chan Size, 1)
		sizes <- Size{80, 24}
		fake := scene.New(scene.Busy())
		ended := make(chan error, 1)
		go func() {
			ended <- Watch(ctx, fake, Watcher{In: in, Out: drawn, Theme: plain(t), Sizes: sizes})
		}()
		<-drawn.seen
		want := error(nil)
		if leave == "q" {
			io.WriteString(keys, "q")
		} else {
			cancel()
			want = context.Canceled
		}
		if err := <-ended; err != want {
			t.Errorf("%s: %v, want %v", leave, err, want)
		}
		cancel()
		keys.Close()
		if _, drains, stops := fake.Seen(); drains+stops > 0 {
			t.Errorf("%s: the run was ended", leave)
		}
	}
}

// written is a terminal that says when the console has drawn on it.
type written struct {
	seen chan struct{}
	text strings.Builder
	told bool
}

func (w *written) Write(p []byte) (int, error) {
	w.text.Write(p)
	if !w.told && strings.Contains(w.text.String(), "READ ONLY") {
		w.told = true
		close(w.seen)
	}
	return len(p), nil
}
