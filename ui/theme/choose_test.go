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
		{"16 colours", theme.Terminal{}, map[string]string{"TERM": "xterm-16color"}, theme.Dark, termenv.ANSI, true},
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
		{"the console of Linux", theme.Terminal{}, map[string]string{"TERM": "linux"}, theme.Dark, termenv.ANSI, false},
		{"a real terminal", theme.Terminal{}, map[string]string{"TERM": "vt100-am"}, theme.Dark, termenv.ANSI, false},
		{"--ascii=false", theme.Terminal{Unicode: true}, map[string]string{"TERM": "linux"}, theme.Dark, termenv.ANSI, true},
		{"another locale", theme.Terminal{}, map[string]string{"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, theme.Dark, termenv.ANSI, false},
		{"the locale of C", theme.Terminal{}, map[string]string{"TERM": "xterm", "LANG": "C"}, theme.Dark, termenv.ANSI, false},
		{"LC_ALL beats LANG", theme.Terminal{}, map[string]string{"TERM": "xterm", "LC_ALL": "POSIX"}, theme.Dark, termenv.ANSI, false},
		{"LC_CTYPE beats LANG", theme.Terminal{}, map[string]string{"TERM": "xterm", "LANG": "C", "LC_CTYPE": "en_US.utf8"}, theme.Dark, termenv.ANSI, true},
		{"no locale", theme.Terminal{}, map[string]string{"TERM": "xterm", "LANG": ""}, theme.Dark, termenv.ANSI, false},
		{"no locale, on Windows", theme.Terminal{NoLocale: true}, map[string]string{"LANG": ""}, theme.Dark, termenv.ANSI, true},
		{"no environment", theme.Terminal{}, nil, theme.Dark, termenv.ANSI, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.env != nil {
				tt.terminal.Getenv = func(key string) string {
					if value, said := tt.env[key]; said || key != "LANG" {
						return value
					}
					return "en_US.UTF-8"
				}
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
