package console

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/ui/internal/golden"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

func TestCurveFrames(t *testing.T) {
	checkFrames(t, []shot{
		{name: "curve", snapshot: scene.Climbed, keys: []string{"2", "left", "left"}},
		{name: "curve-output", snapshot: scene.Searched, keys: []string{"2", "y", "y", "y", "x"}},
		{name: "curve-pareto", snapshot: scene.Climbed, keys: []string{"2", "v", "left"}},
		{name: "curve-untried", snapshot: scene.Untried, keys: []string{"2"}},
		{name: "curve-no-slo", snapshot: scene.Unpromised, keys: []string{"2", "Y"}},
		{name: "curve-starting", snapshot: scene.Starting, keys: []string{"2"}},
		{name: "objectives", snapshot: scene.Promised},
		{name: "flying", snapshot: scene.Climbed},
	}, scene.Sampled(scene.ClimbedLevels()...))
}

func TestCurveLooks(t *testing.T) {
	for _, look := range []struct {
		name    string
		theme   theme.Name
		profile termenv.Profile
		ascii   bool
	}{
		{"dark", theme.Dark, termenv.TrueColor, false},
		{"mono", theme.Mono, termenv.ANSI, false},
		{"ascii", theme.Mono, termenv.Ascii, true},
	} {
		t.Run(look.name, func(t *testing.T) {
			m, fake := opened(t, scene.Climbed(), 120, 36, pagetest.Theme(t, look.theme, look.profile, look.ascii))
			fake.Values = scene.Sampled(scene.ClimbedLevels()...)
			settle(m, press(m, "2", "left", "left"))
			pagetest.Fits(t, m.View(), 120, 36)
			golden.Check(t, "look-"+look.name+"-curve", strings.ReplaceAll(m.View(), "\x1b", "␛"))
			if look.ascii {
				for _, r := range m.View() {
					if r > '~' {
						t.Fatalf("%q is not ASCII", r)
					}
				}
			}
		})
	}
}
