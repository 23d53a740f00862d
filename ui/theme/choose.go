// Which theme a terminal gets.

package theme

import (
	"io"
	"strings"

	"github.com/muesli/termenv"
)

// Terminal is all the choice depends on, handed in so that the choice is a function of it and nothing else.
type Terminal struct {
	Flag            Name                // the user's --theme; empty if not given
	Preferred       Name                // what the user's configuration says; empty if nothing
	Themes          *Themes             // among which both are; nil: the built-in ones
	ASCII           bool                // the user's --ascii
	Unicode         bool                // the user's --ascii=false
	Getenv          func(string) string // NO_COLOR, TERM, COLORTERM, LANG, …; nil reads as an empty environment
	NoLocale        bool                // the environment tells of no locale, as on Windows, and all terminals show Unicode
	LightBackground bool                // what the terminal said of its background; false if it did not say
	LineCells       int                 // [LineCells]; zero if not measured
}

// Choose returns the theme for a terminal. The palette follows the first of: the flag, NO_COLOR (mono: no colours, but
// bold and reverse stay), TERM=dumb (mono without any escape sequence, ASCII glyphs), the configuration, the background. How many colours
// it may use is read from TERM and COLORTERM. Glyphs are ASCII on request, where a line would be two cells wide, on terminals
// that show no others, and without a locale of UTF-8, unless the user says that they are not to be.
// The error is that of [Lookup], for a name of no theme.
func Choose(t Terminal) (Theme, error) {
	env := environ{t.Getenv}
	dumb := env.Getenv("TERM") == "dumb"

	chosen, err := t.Themes.Lookup(t.palette(env.Getenv("NO_COLOR") != "", dumb))
	if err != nil {
		return Theme{}, err
	}

	profile := env.profile()
	if profile == termenv.Ascii && (t.Flag != "" || !dumb) {
		// An unknown TERM still has the 16 colours, bold and reverse; and a theme asked for by name is given.
		profile = termenv.ANSI
	}
	chosen = chosen.On(profile)

	plain := t.LineCells > 1 || dumb && t.Flag == "" || plainTerminal(env.Getenv("TERM")) || !t.NoLocale && !env.utf8()
	if t.ASCII || plain && !t.Unicode {
		chosen = chosen.With(ASCII())
	}
	return chosen, nil
}

// plainTerminal reports whether a TERM is one of those whose fonts lack the glyphs of charts: consoles of kernels, and real
// terminals.
func plainTerminal(term string) bool {
	name, _, _ := strings.Cut(term, "-")
	switch name {
	case "linux", "cons25", "console", "ansi", "sun", "wsvt25", "pcansi",
		"vt52", "vt100", "vt102", "vt220", "vt320", "vt420":
		return true
	}
	return false
}

// utf8 reports whether the locale's characters are UTF-8, as POSIX looks for it: LC_ALL, else LC_CTYPE, else LANG.
func (e environ) utf8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := e.Getenv(name); locale != "" {
			low := strings.ToLower(locale)
			return strings.Contains(low, "utf-8") || strings.Contains(low, "utf8")
		}
	}
	return false
}

func (t Terminal) palette(noColor, dumb bool) Name {
	switch {
	case t.Flag != "":
		return t.Flag
	case noColor, dumb:
		return Mono
	case t.Preferred != "":
		return t.Preferred
	case t.LightBackground:
		return Light
	default:
		return Dark
	}
}

// environ shows a getenv function to termenv.
type environ struct{ getenv func(string) string }

func (e environ) Getenv(key string) string {
	if e.getenv == nil {
		return ""
	}
	return e.getenv(key)
}

func (e environ) Environ() []string { return nil }

// profile reads the colour depth from the environment. NO_COLOR has no say here: it picks the palette, and taking the
// colours away by profile would take bold and reverse with them.
func (e environ) profile() termenv.Profile {
	output := termenv.NewOutput(io.Discard, termenv.WithEnvironment(e), termenv.WithTTY(true), termenv.WithProfile(termenv.Ascii))
	return output.ColorProfile()
}
