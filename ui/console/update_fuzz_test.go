package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// states are what a console may be shown, one after the other.
func states() []*snapshot.Snapshot {
	replay := *scene.Eventful()
	replay.Replay = &snapshot.Replay{At: 65 * time.Second, Length: 10 * time.Minute, Speed: 1, Playing: true}
	seeking := replay
	seeking.Replay = &snapshot.Replay{At: 65 * time.Second, Length: 10 * time.Minute, Speed: 60, Seeking: true, Progress: 0.5}
	requested, _ := scene.Requested(40)
	return []*snapshot.Snapshot{
		scene.Busy(), scene.Starting(), scene.Settling(), scene.Open(), scene.Paused(), scene.NoSLO(), scene.Failing(),
		scene.Eventful(), scene.Down(), scene.Estimated(), scene.Strained(), scene.ClientBound(), scene.Ended(), scene.Broken(),
		scene.EightGPUs(), scene.Quiet(), scene.Canaried(), scene.Climbed(), scene.Searched(), scene.Promised(), scene.Untried(),
		scene.Unpromised(), scene.Observed(), scene.Troubled(), scene.Divided(), scene.Elsewhere(), scene.Speculating(),
		scene.Halved(), scene.Unseen(), scene.Ladder(), scene.Reasoning(), scene.Newborn(), scene.Reshaped(), scene.ManyStages(),
		requested, &replay, &seeking,
	}
}

// hand is what a fuzzer does at a console, byte by byte.
type hand struct {
	*model
	t     *testing.T
	fake  *scene.Engine
	left  []byte
	names []string
	all   []*snapshot.Snapshot
}

// next is the next byte; 0 where there is none.
func (h *hand) next() int {
	if len(h.left) == 0 {
		return 0
	}
	b := h.left[0]
	h.left = h.left[1:]
	return int(b)
}

// some are the next few bytes.
func (h *hand) some() []byte {
	n := min(h.next()%32, len(h.left))
	taken := h.left[:n]
	h.left = h.left[n:]
	return taken
}

// do has one message come.
func (h *hand) do() {
	switch kind := h.next(); kind % 16 {
	case 0, 1, 2, 3, 4, 5:
		h.tell(keyOf(h.names[h.next()%len(h.names)]))
	case 6, 7:
		h.tell(frameMsg{})
	case 8:
		h.tell(tea.WindowSizeMsg{Width: h.next(), Height: h.next() % 80})
	case 9:
		h.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(h.some())), Paste: true})
	case 10:
		h.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(h.some()))})
	case 11:
		h.tell(tea.KeyMsg{Type: tea.KeyType(int8(h.next())), Alt: kind&16 != 0})
	case 12:
		h.tell(tea.MouseMsg{X: h.next() - 3, Y: h.next() - 3, Button: tea.MouseButton(h.next() % 12), Action: tea.MouseAction(h.next() % 3)})
	case 13: // another moment, or another run altogether
		s := h.all[h.next()%len(h.all)]
		h.fake.Change(func(now *snapshot.Snapshot) { *now = *s })
		h.tell(frameMsg{})
	case 14:
		c := &h.commands[h.next()%len(h.commands)]
		h.tell(keyOf("esc"))
		h.tell(keyOf(":"))
		if h.prompt.open {
			h.prompt.entry.Begin(c.usage() + string(h.some()))
			h.tell(keyOf("enter"))
		}
	case 15:
		h.tell(tea.ResumeMsg{})
	}
}

// tell gives the console a message and what comes of it, and looks at the frame.
func (h *hand) tell(msg tea.Msg) {
	h.t.Helper()
	_, cmd := h.Update(msg)
	for depth, then := 0, messages(cmd); depth < 3 && len(then) > 0; depth++ {
		var later []tea.Msg
		for _, one := range then {
			_, cmd := h.Update(one)
			later = append(later, messages(cmd)...)
		}
		then = later
	}
	if h.err != nil {
		h.t.Fatalf("after %#v: %v", msg, h.err)
	}
	if h.w > 0 && h.h > 0 {
		pagetest.Fits(h.t, h.drawn, h.w, h.h)
	}
}

// Whatever comes, the console stands, and draws frames of its terminal's size.
func FuzzUpdate(f *testing.F) {
	folder := f.TempDir() // for reports and pictures
	all := states()
	_, store := scene.Requested(40)
	f.Add([]byte{}, false)
	f.Add([]byte{10, 0}, false)              // keys, but none
	f.Add([]byte{8, 64, 17, 10, 1, 0}, true) // a key that can't be shown
	f.Add([]byte("\x08\x78\x24\x00\x01\x0d\x05\x00\x09\x0e\x03\x06abcdef\x09\x04qqq+\x0c\x10\x10\x01\x01\x0f"), false)
	for i := range all {
		f.Add([]byte{8, byte(60 + 4*i), byte(16 + i), 13, byte(i), 0, byte(i), 0, byte(3 * i), 14, byte(i), 0, 0, byte(7 * i)}, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, moves []byte, watches bool) {
		t.Chdir(folder) // here and not before, or what fails would be kept there too
		if len(moves) > 400 {
			moves = moves[:400]
		}
		fake := scene.New(all[0])
		fake.Store = store
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		clock := func() time.Time {
			now = now.Add(40 * time.Millisecond)
			return now
		}
		m := newModel(fake, pagetest.Theme(t, theme.Dark, termenv.ANSI256, len(moves)%3 == 0), clock)
		m.picker.all = somePresets()
		if m.run.watches = watches; watches {
			m.run.engine = newOnlooker(windowed{fake})
		}
		h := &hand{model: m, t: t, fake: fake, left: moves, all: all}
		for i := range m.keys {
			h.names = append(h.names, m.keys[i].Binding.Keys()...)
		}
		slices.Sort(h.names)
		h.names = slices.Compact(h.names)
		h.tell(tea.WindowSizeMsg{Width: 120, Height: 36})
		for len(h.left) > 0 {
			h.do()
		}
		if text := ansi.Strip(h.View()); strings.ContainsRune(text, '\x1b') {
			t.Error("there are escape sequences that no terminal ends")
		}
	})
}
