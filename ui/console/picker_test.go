package console

import (
	"errors"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// somePresets are a few of what the console may be given.
func somePresets() []Preset {
	with := func(prompt, output int) func(snapshot.Knobs) (snapshot.Knobs, error) {
		return func(k snapshot.Knobs) (snapshot.Knobs, error) {
			k.Shape = shape.Shape{Prompt: shape.Fixed(prompt), Output: shape.Fixed(output)}
			return k, nil
		}
	}
	return []Preset{
		{
			Name: "chat", Title: "Chat assistant", For: "people who wait for the first words", Knobs: with(512, 256),
			Preview: []string{"shape  512 in, 256 out", "load   c=16", "SLO    ttft=500ms tpot=50ms"},
		},
		{
			Name: "rag", Title: "Retrieval-augmented answers", For: "long prompts with passages that somebody looked up, and answers of a paragraph",
			Knobs: with(6000, 300), Preview: []string{"shape  6000 in, 300 out", "load   8 req/s poisson", "SLO    ttft=2s tpot=50ms"},
		},
		{
			Name: "nightly", Title: "Our nightly batch", For: "the batch team", Own: true,
			Knobs: func(k snapshot.Knobs) (snapshot.Knobs, error) { return k, errors.New("nightly.jsonl can't be\nread") },
		},
	}
}

func picking(t *testing.T) (*model, *scene.Engine) {
	t.Helper()
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	m.picker.all = somePresets()
	return m, fake
}

func TestPickingAPresetSwitchesTheLoad(t *testing.T) {
	m, fake := picking(t)
	press(m, "p", "down")
	settle(m, press(m, "enter"))
	applied, _, _ := fake.Seen()
	if len(applied) != 1 || applied[0].Shape.Prompt != shape.Fixed(6000) || applied[0].Load != scene.Busy().Knobs.Load {
		t.Fatalf("applied %+v", applied)
	}
	if m.picker.open || !strings.Contains(m.View(), "preset rag: Retrieval") {
		t.Errorf("it is not said:\n%s", m.View())
	}
}

func TestLettersFilterPresets(t *testing.T) {
	m, fake := picking(t)
	press(m, "p", "down", "q", "j") // letters, no commands
	if got := m.picker.offered(); len(got) != 0 || !strings.Contains(m.View(), "no preset fits") {
		t.Fatalf("%q leaves %d", m.picker.entry.Value(), len(got))
	}
	if cmd := press(m, "enter"); cmd != nil || !m.picker.open {
		t.Error("enter on nothing does something")
	}
	press(m, "backspace", "backspace")
	for _, r := range "team NIGHT" {
		press(m, string(r))
	}
	if got := m.picker.offered(); len(got) != 1 || got[0].Name != "nightly" {
		t.Fatalf("%q leaves %+v", m.picker.entry.Value(), got)
	}
	settle(m, press(m, "enter"))
	if !strings.Contains(m.View(), "preset nightly: nightly.jsonl can't be; read") {
		t.Errorf("the error is not said:\n%s", m.View())
	}
	if applied, _, _ := fake.Seen(); len(applied) != 0 {
		t.Errorf("applied %+v", applied)
	}
}

func TestLeavingThePickerChangesNothing(t *testing.T) {
	m, fake := picking(t)
	press(m, "p", "r", "down", "up", "esc")
	if applied, _, _ := fake.Seen(); len(applied) != 0 || m.picker.open {
		t.Errorf("applied %+v", applied)
	}
	m.picker.all = nil
	press(m, "p")
	if m.picker.open || !strings.Contains(m.View(), "there are no presets") {
		t.Error("without presets, p opens a list of nothing")
	}
}
