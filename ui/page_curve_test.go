package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/ui/internal/golden"
	"tokdyno/ui/theme"
)

func TestCurveFrames(t *testing.T) {
	checkFrames(t, []shot{
		{name: "curve", snapshot: climbed, keys: []string{"2", "left", "left"}},
		{name: "curve-output", snapshot: searched, keys: []string{"2", "y", "y", "y", "x"}},
		{name: "curve-pareto", snapshot: climbed, keys: []string{"2", "v", "left"}},
		{name: "curve-untried", snapshot: untried, keys: []string{"2"}},
		{name: "curve-no-slo", snapshot: unpromised, keys: []string{"2", "Y"}},
		{name: "curve-starting", snapshot: starting, keys: []string{"2"}},
		{name: "objectives", snapshot: promised},
		{name: "flying", snapshot: climbed},
	}, sampled(climbedLevels()...))
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
			m, fake := opened(t, climbed(), 120, 36, mustTheme(t, look.theme, look.profile, look.ascii))
			fake.values = sampled(climbedLevels()...)
			settle(m, press(m, "2", "left", "left"))
			fits(t, m.View(), 120, 36)
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
