package console

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"

	"github.com/muesli/termenv"
)

// recordingFake is an engine that shows a recording, and remembers what is done to it.
type recordingFake struct {
	*scene.Engine
	did []string
}

func (f *recordingFake) change(what string, with func(*snapshot.Replay)) {
	f.did = append(f.did, what)
	f.Change(func(s *snapshot.Snapshot) {
		r := *s.Replay
		with(&r)
		s.Replay = &r
	})
}

func (f *recordingFake) Play(on bool) error {
	f.change("play", func(r *snapshot.Replay) { r.Playing = on })
	return nil
}

func (f *recordingFake) SetSpeed(v float64) {
	f.change("speed", func(r *snapshot.Replay) { r.Speed = v })
}

func (f *recordingFake) Seek(at time.Duration) error {
	f.change("seek", func(r *snapshot.Replay) { r.At = at })
	return nil
}

func (f *recordingFake) Jump(by int) error {
	f.change("jump", func(r *snapshot.Replay) { r.At += time.Duration(by) * time.Minute })
	return nil
}

func TestARecordingIsPlayedByKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := *scene.Busy()
		s.Replay = &snapshot.Replay{At: 65 * time.Second, Length: 10 * time.Minute, Speed: 1, Playing: true}
		fake := &recordingFake{Engine: scene.New(&s)}
		m := newModel(fake, pagetest.Theme(t, theme.Dark, termenv.Ascii, false), time.Now)
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		press := func(keys ...string) {
			for _, k := range keys {
				if _, cmd := m.Update(keyOf(k)); cmd != nil {
					if msg := cmd(); msg != nil {
						m.Update(msg)
					}
				}
				m.Update(frameMsg{})
			}
		}
		press(" ")
		if r := m.run.latest.Replay; r.Playing || !strings.Contains(m.View(), "‖ REPLAY ×1") || !strings.Contains(m.View(), "/10:00") {
			t.Errorf("paused: %+v\n%s", r, m.View())
		}
		press(">", ">", ".", ".", ",", ")", "(", "<")
		r := m.run.latest.Replay
		if r.Speed != 2 || r.At != 75*time.Second {
			t.Errorf("%+v after %v", r, fake.did)
		}
		press("<", "<", "<", "<")
		if r := m.run.latest.Replay; r.Speed != snapshot.SlowestReplay {
			t.Errorf("the slowest is ×%v", r.Speed)
		}
		if err := (Typist{m}).Command("seek 2:05"); err != nil || m.run.latest.Replay.At != 125*time.Second {
			t.Errorf("%v, at %v", err, m.run.latest.Replay.At)
		}
		if err := (Typist{m}).Command("seek nowhere"); err == nil {
			t.Error("it goes nowhere")
		}
		press("esc")
		for _, key := range []string{"n", "a", "m"} {
			before := len(fake.did)
			press(key)
			if len(fake.did) != before || fake.Stages > 0 || len(fake.Marks) > 0 || !strings.Contains(m.View(), "this is a recording") {
				t.Errorf("%s does something to a recording, or does not say why not", key)
			}
			press("esc")
		}
		k := m.run.latest.Knobs
		k.SLO = slo.Criteria{slo.TTFT: time.Second}
		err := m.Set(k)
		press("esc")
		if err != nil || m.run.latest.Knobs.SLO != k.SLO {
			t.Errorf("its SLO can't be turned: %v", err)
		}
		fake.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Ended })
		press(" ")
		if !slices.Contains(fake.did, "play") || m.run.uncontrollable() == "" || m.run.latest.Over() {
			t.Error("at its end it can't be played again")
		}
		if _, cmd := m.Update(keyOf("q")); !quits(cmd) {
			t.Error("q does not leave a recording at once")
		}
	})
}

// TestASeekUnderWayIsShown goes on from where it is going, and esc gives it up.
func TestASeekUnderWayIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := *scene.Busy()
		s.Replay = &snapshot.Replay{
			At: 65 * time.Second, Length: time.Hour, Speed: 1, Seeking: true, Target: 45 * time.Minute, Progress: 0.62,
		}
		fake := &recordingFake{Engine: scene.New(&s)}
		m := newModel(fake, pagetest.Theme(t, theme.Dark, termenv.Ascii, false), time.Now)
		for width, want := range map[int]string{120: "seeking 45:00", 80: "seeking 45:00"} {
			m.Update(tea.WindowSizeMsg{Width: width, Height: 24})
			if !strings.Contains(m.View(), want) {
				t.Errorf("at %d columns, the header does not say %q:\n%s", width, want, m.View())
			}
		}
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		if !strings.Contains(m.View(), "62 %") {
			t.Errorf("it does not say how far it is:\n%s", m.View())
		}
		m.Update(keyOf("."))
		if r := fake.Snapshot().Replay; r.At != 45*time.Minute+10*time.Second {
			t.Errorf("ten seconds on from 45:00 is %v", r.At)
		}
		fake.change("", func(r *snapshot.Replay) { r.At = 65 * time.Second })
		m.Update(frameMsg{})
		m.Update(keyOf("esc"))
		if did := fake.did[len(fake.did)-1]; did != "seek" || fake.Snapshot().Replay.At != 65*time.Second {
			t.Errorf("esc does %q, and leaves it at %v", did, fake.Snapshot().Replay.At)
		}
	})
}

func TestKeysOfARecordingSayThatARunIsLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, scene.Busy())
		r.Update(keyOf("."))
		r.see(t, "this run is live")
		if err := (Typist{r.model}).Command("seek 5s"); err == nil {
			t.Error("a live run is sought in")
		}
	})
}
