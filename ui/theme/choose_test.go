package theme_test

import (
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/ui/theme"
)

func TestChoose(t *testing.T) {
	tests := []struct {
		name     string
		terminal theme.Terminal
		env      map[string]string
		want     theme.Name
		profile  termenv.Profile
		unicode  bool
	}{
		{"true colour", theme.Terminal{}, map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, theme.Dark, termenv.TrueColor, true},
		{"256 colours", theme.Terminal{}, map[string]string{"TERM": "screen-256color"}, theme.Dark, termenv.ANSI256, true},
		{"16 colours", theme.Terminal{}, map[string]string{"TERM": "linux"}, theme.Dark, termenv.ANSI, true},
		{"an unknown terminal has 16 colours", theme.Terminal{}, map[string]string{"TERM": "vt999"}, theme.Dark, termenv.ANSI, true},
		{"light background", theme.Terminal{LightBackground: true}, map[string]string{"TERM": "xterm-kitty"}, theme.Light, termenv.TrueColor, true},
		{"NO_COLOR keeps bold", theme.Terminal{}, map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, theme.Mono, termenv.ANSI256, true},
		{"an empty NO_COLOR is none", theme.Terminal{}, map[string]string{"TERM": "xterm-256color", "NO_COLOR": ""}, theme.Dark, termenv.ANSI256, true},
		{"the flag beats NO_COLOR", theme.Terminal{Flag: theme.Light}, map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, theme.Light, termenv.ANSI256, true},
		{"the flag beats the background", theme.Terminal{Flag: theme.Dark, LightBackground: true}, map[string]string{"TERM": "xterm"}, theme.Dark, termenv.ANSI, true},
		{"a dumb terminal gets no escapes", theme.Terminal{}, map[string]string{"TERM": "dumb"}, theme.Mono, termenv.Ascii, false},
		{"NO_COLOR on a dumb terminal too", theme.Terminal{}, map[string]string{"TERM": "dumb", "NO_COLOR": "1"}, theme.Mono, termenv.Ascii, false},
		{"the flag beats a dumb terminal", theme.Terminal{Flag: theme.Dark}, map[string]string{"TERM": "dumb"}, theme.Dark, termenv.ANSI, true},
		{"--ascii", theme.Terminal{ASCII: true}, map[string]string{"TERM": "xterm"}, theme.Dark, termenv.ANSI, false},
		{"wide lines", theme.Terminal{LineCells: 2}, map[string]string{"TERM": "xterm"}, theme.Dark, termenv.ANSI, false},
		{"no environment", theme.Terminal{}, nil, theme.Dark, termenv.ANSI, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.env != nil {
				tt.terminal.Getenv = func(key string) string { return tt.env[key] }
			}
			got, err := theme.Choose(tt.terminal)
			if err != nil {
				t.Fatal(err)
			}
			if got.Name != tt.want || got.Profile() != tt.profile || got.Glyphs.Braille != tt.unicode {
				t.Errorf("chose %s at %s, unicode %v; want %s at %s, unicode %v",
					got.Name, got.Profile().Name(), got.Glyphs.Braille, tt.want, tt.profile.Name(), tt.unicode)
			}
		})
	}
}

func TestChooseRejectsAnUnknownFlag(t *testing.T) {
	if _, err := theme.Choose(theme.Terminal{Flag: "neon"}); err == nil {
		t.Error("no error for --theme neon")
	}
}
