package console

import (
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/indiscreet"
	"tokdyno/ui/internal/scene"
)

// TestNoSecretIsOnAnyScreen runs against a server that quotes what it was sent, and looks at every page, zoomed and not, at the
// help, at what is said of a report, and at the last words.
func TestNoSecretIsOnAnyScreen(t *testing.T) {
	eng, err := engine.New(engine.Config{
		Endpoint: indiscreet.Endpoint(t), Seed: 1, Budget: load.Budget{Requests: 16},
		Knobs: snapshot.Knobs{
			Load:  load.Setting{Mode: load.Closed, Concurrency: 2},
			Shape: shape.Shape{Prompt: shape.Fixed(8), Output: shape.Fixed(4)}, Target: 0.9,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Run(t.Context()); err != nil {
		t.Log(err)
	}
	if c := eng.Snapshot().Counts; c.OK == 0 || c.Failed == 0 {
		t.Fatalf("nothing to be seen: %+v", c)
	}
	t.Chdir(t.TempDir())
	m := newModel(eng, plain(t), scene.Still)
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	quoted := false
	look := func(where string) {
		m.Update(frameMsg{})
		screen := strings.ReplaceAll(m.View(), "\n", "")
		quoted = quoted || strings.Contains(screen, "sig=…")
		if strings.Contains(screen, indiscreet.Secret) {
			t.Errorf("a secret is on %s", where)
		}
	}
	for i := range m.pages {
		m.choosePage(i)
		look("page")
		for range 8 {
			press(m, "tab")
			press(m, "enter")
			look("page, zoomed")
			press(m, "esc")
		}
		press(m, "?")
		look("help")
		press(m, "esc")
	}
	for _, file := range []string{"x.html", "x.md", "x.json", "x.txt", "x.csv", filepath.Join("missing", "x.txt")} {
		press(m, strings.Split(":save "+file, "")...)
		settle(m, press(m, "enter"))
		look("what is said of " + file)
	}
	if !quoted {
		t.Error("the server's error texts are on no screen")
	}
}
