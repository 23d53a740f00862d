// This file holds the flags of commands that draw.

package flags

import (
	"github.com/spf13/pflag"

	"tokdyno/ui/theme"
)

// Look are the flags that say how the console looks.
type Look struct {
	theme string
	ascii bool
	set   *pflag.FlagSet
}

// Bind adds the flags to a command.
func (l *Look) Bind(f *pflag.FlagSet) {
	l.set = f
	f.StringVar(&l.theme, "theme", "", "`colours`: dark, light or mono; default: what the terminal suggests")
	f.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only; default: where the locale or the terminal has no others")
}

// Theme is the name that was given; "" if none was.
func (l *Look) Theme() theme.Name { return theme.Name(l.theme) }

// ASCII reports whether only ASCII characters may be drawn.
func (l *Look) ASCII() bool { return l.ascii }

// Unicode reports whether others may be, whatever the terminal suggests.
func (l *Look) Unicode() bool { return !l.ascii && l.set != nil && l.set.Changed("ascii") }
