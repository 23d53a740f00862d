package console

import (
	"errors"
	"slices"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/presets"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// Typist types into a console without a screen, as a person at it would.
type Typist struct{ m *model }

// NewTypist returns one at a console of a run with the knobs.
func NewTypist(k snapshot.Knobs) Typist {
	return Typist{newModel(scene.New(&snapshot.Snapshot{Knobs: k, State: snapshot.Running}), theme.Theme{}, time.Now)}
}

// Knobs are what the run has.
func (w Typist) Knobs() snapshot.Knobs { return w.m.run.latest.Knobs }

// Knob types a value into the knob that turns a setting; it reports false where there is none.
func (w Typist) Knob(s *presets.Setting, text string) (bool, error) {
	for range w.m.run.desk.Len() {
		if w.m.run.desk.Chosen(w.m.run.latest).Name == s.Name {
			w.m.run.desk.StartTyping(w.m)
			return true, w.enter(text)
		}
		w.m.run.desk.Choose(1)
	}
	return false, nil
}

// Command types a line behind a colon.
func (w Typist) Command(line string) error {
	w.m.Update(keyOf(":"))
	return w.enter(line)
}

// enter types a text to its end. The error is what the console answers to what it refuses.
func (w Typist) enter(text string) error {
	w.m.entry().Paste([]rune(text))
	_, cmd := w.m.Update(keyOf("enter"))
	if cmd != nil {
		w.m.Update(cmd())
	}
	w.m.Update(frameMsg{})
	if slices.Contains([]layer{onTyping, onPrompt}, w.m.context().layer) || w.m.run.message.role == theme.Bad {
		return errors.New(w.m.run.message.text)
	}
	return nil
}
