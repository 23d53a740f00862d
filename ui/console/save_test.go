package console

import (
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// does has the console do what a command is for, and tells it the outcome.
func does(m *model, cmd tea.Cmd) {
	if cmd != nil {
		if msg := cmd(); msg != nil {
			m.Update(msg)
		}
	}
}

func TestTheReportIsWrittenFromTheConsole(t *testing.T) {
	t.Chdir(t.TempDir())
	m, _ := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	m.run.version = "1.2.3"
	_, cmd := m.Update(keyOf("w"))
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 || cmd == nil {
		t.Fatalf("in Update it writes %v, %v", left, err)
	}
	does(m, cmd)
	const page = "tokdyno-2026-01-02T03-04-05.html"
	got, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(got), "tokdyno 1.2.3") {
		t.Errorf("%.80q, %v", got, err)
	}
	if !strings.Contains(m.View(), page) {
		t.Errorf("it does not say where:\n%s", m.View())
	}

	save := func(rest string) error {
		cmd, err := saveCommand().do(m, rest)
		does(m, cmd)
		return err
	}
	if err := save("run.md"); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile("run.md"); err != nil || !strings.HasPrefix(string(got), "### tokdyno") {
		t.Errorf("%.80q, %v", got, err)
	}
	if err := save("run.docx"); err == nil || !strings.Contains(err.Error(), ".html, .md") {
		t.Errorf("%v", err)
	}
	if err := save("missing/run.md"); err != nil {
		t.Error(err)
	}
	if !strings.Contains(m.View(), "can't be written") {
		t.Errorf("it does not say that it can't be written:\n%s", m.View())
	}
}

func TestARunThatHasNotBegunHasNoReport(t *testing.T) {
	t.Chdir(t.TempDir())
	m, _ := opened(t, scene.Starting(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	_, cmd := m.Update(keyOf("w"))
	does(m, cmd)
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 || !strings.Contains(m.View(), "nothing to report") {
		t.Errorf("%v, %v\n%s", left, err, m.View())
	}
}
