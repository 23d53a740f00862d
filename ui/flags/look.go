// This file holds the flags of commands that draw.

package flags

import (
	"strings"

	"github.com/spf13/pflag"

	"tokdyno/engine/stats"
	"tokdyno/ui/session"
	"tokdyno/ui/theme"
)

// Look are the flags that say how the console looks.
type Look struct {
	Share Share
	theme string
	ascii bool
	mouse session.Mouse
	texts int
	set   *pflag.FlagSet
}

// Bind adds the flags to a command that shows a run while it goes on.
func (l *Look) Bind(f *pflag.FlagSet) {
	l.BindColours(f)
	l.Share.Bind(f)
	countVar(f, &l.texts, "keep-text", stats.Openable, "prompt and answer can be looked at of this `number` of requests, the latest, the failed "+
		"and the slowest; in memory only; off: of none", "requests", "request")
}

// BindColours adds those of a command that shows what was recorded.
func (l *Look) BindColours(f *pflag.FlagSet) {
	l.set = f
	f.StringVar(&l.theme, "theme", "", "`colours`: "+themeNames()+", or your own; default: what the terminal suggests")
	f.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only; default: where the locale or the terminal has no others")
	l.mouse = session.MouseAuto
	f.Var(&unitValue[session.Mouse]{&l.mouse, session.ParseMouse, func(m session.Mouse) string { return string(m) }, "when"},
		"mouse", "`when` the mouse clicks and points: on, off, or auto, which is off over ssh; shift selects text meanwhile")
}

func themeNames() string {
	var names []string
	for _, name := range theme.Names() {
		names = append(names, string(name))
	}
	return strings.Join(names, ", ")
}

// Mouse is when the mouse does something.
func (l *Look) Mouse() session.Mouse { return l.mouse }

// KeepText is of how many requests the texts are kept.
func (l *Look) KeepText() int { return l.texts }

// Theme is the name that was given; "" if none was.
func (l *Look) Theme() theme.Name { return theme.Name(l.theme) }

// ASCII reports whether only ASCII characters may be drawn.
func (l *Look) ASCII() bool { return l.ascii }

// Unicode reports whether others may be, whatever the terminal suggests.
func (l *Look) Unicode() bool { return !l.ascii && l.set != nil && l.set.Changed("ascii") }
