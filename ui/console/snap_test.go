package console

import (
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

func TestTheScreenIsKeptAsAPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	m, _ := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.ANSI, false))
	before := m.View()
	cmd := press(m, "P")
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 || cmd == nil {
		t.Fatalf("in Update it writes %v, %v", left, err)
	}
	does(m, cmd)
	const file = "tokdyno-2026-01-02T03-04-05.svg"
	got, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(got), "<svg") || !strings.Contains(string(got), "#56b3e9") {
		t.Errorf("%.80q, %v; want it in all colours of the theme", got, err)
	}
	if len(got) > 150_000 {
		t.Errorf("it has %d bytes", len(got))
	}
	says(t, m, "picture written: "+file)
	if m.th.Profile() != termenv.ANSI {
		t.Error("the console is no longer drawn for its terminal")
	}

	m.run.hush()
	typed := func(line string) {
		t.Helper()
		press(m, ":")
		m.entry().Paste([]rune(line))
		_, cmd := m.Update(keyOf("enter"))
		does(m, cmd)
	}
	typed("snap screen.txt")
	says(t, m, "picture written: screen.txt")
	shown, err := os.ReadFile("screen.txt")
	if want := strings.Split(ansi.Strip(before), "\n"); err != nil || !equalLines(string(shown), want) {
		t.Errorf("%v, it is not the screen without the command line:\n%s", err, shown)
	}
	typed("snap screen.txt")
	says(t, m, "in place of the file that was there")
	typed("snap missing/screen.png")
	says(t, m, "the picture can't be written: there is no folder missing")
	typed("snap screen.gif")
	says(t, m, "a picture's name ends in .svg, .png or .txt")
	if !m.prompt.open {
		t.Error("what can't be done can't be corrected")
	}
}

// equalLines reports whether a text has the lines, whatever blanks stand at their ends.
func equalLines(text string, want []string) bool {
	got := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != strings.TrimRight(want[i], " ") {
			return false
		}
	}
	return true
}
