// Themes: how a run of text is painted for what it is.

package theme

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// reset ends every run. It resets all attributes, so runs do not nest.
const reset = "\x1b[0m"

// Theme is a palette on a terminal: the escape sequence of each role, made once, and the glyphs. It is an immutable
// value; the zero Theme paints nothing and has no glyphs, so start from [Lookup], [Themes] or [Choose].
type Theme struct {
	Name   Name
	Glyphs Glyphs

	profile termenv.Profile
	open    [roleCount]string
	palette *palette // that open was made of
	among   *Themes  // that it can be switched to
}

// Profile is how many colours the theme was made for.
func (t Theme) Profile() termenv.Profile { return t.profile }

// Open returns the escape sequence that starts a run in role r, empty where the role looks like plain text.
// A run is closed with [Theme.Close] of the same role.
func (t Theme) Open(r Role) string {
	if r >= roleCount {
		return ""
	}
	return t.open[r]
}

// Close returns the escape sequence that ends a run in role r, empty where Open is.
func (t Theme) Close(r Role) string {
	if t.Open(r) == "" {
		return ""
	}
	return reset
}

// Paint returns s in role r: one escape sequence before and one after, whatever the length of s.
// Text that is itself painted, or holds a line break, is the caller's mistake: the first reset inside would end the run.
func (t Theme) Paint(r Role, s string) string {
	open := t.Open(r)
	if open == "" || s == "" {
		return s
	}
	return open + s + reset
}

// Append appends s in role r to dst, as [Theme.Paint] would return it.
func (t Theme) Append(dst []byte, r Role, s string) []byte {
	open := t.Open(r)
	if open == "" || s == "" {
		return append(dst, s...)
	}
	dst = append(dst, open...)
	dst = append(dst, s...)
	return append(dst, reset...)
}

// Status returns word in role r behind the glyph that says the same without colour: ✓ for Good, ✗ for Bad, ! for Warn,
// none for the other roles.
func (t Theme) Status(r Role, word string) string {
	glyph := ""
	switch r {
	case Good:
		glyph = t.Glyphs.Check
	case Bad:
		glyph = t.Glyphs.Cross
	case Warn:
		glyph = t.Glyphs.Alert
	default:
		return t.Paint(r, word)
	}
	return t.Paint(r, glyph+" "+word)
}

// On returns the theme for a terminal of the given profile. [termenv.Ascii] means no escape sequences at all, not even
// bold: for a dumb terminal. A terminal that is only to have no colours takes the theme [Mono].
func (t Theme) On(profile termenv.Profile) Theme {
	t.profile = profile
	t.open = [roleCount]string{}
	if t.palette != nil {
		t.open = sequences(t.palette, profile)
	}
	return t
}

// With returns the theme with other glyphs.
func (t Theme) With(g Glyphs) Theme {
	t.Glyphs = g
	return t
}

// Names are the themes that it can be switched to.
func (t Theme) Names() []Name { return t.among.Names() }

// Switch returns the theme called name, of those among which this one was found, for the same terminal: same profile, same
// glyphs.
func (t Theme) Switch(name Name) (Theme, error) {
	next, err := t.among.Lookup(name)
	if err != nil {
		return t, err
	}
	return next.On(t.profile).With(t.Glyphs), nil
}

// sequences renders each role's style once and keeps what comes before the text.
func sequences(p *palette, profile termenv.Profile) [roleCount]string {
	renderer := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(profile))
	renderer.SetColorProfile(profile)

	var open [roleCount]string
	for role, look := range p {
		style := renderer.NewStyle().Bold(look.bold).Faint(look.faint).Underline(look.underline).Reverse(look.reverse)
		if look.colour != nil {
			style = style.Foreground(look.colour)
		}
		// lipgloss underlines and reverses cell by cell; one cell shows the whole prefix.
		open[role], _, _ = strings.Cut(style.Render("x"), "x")
	}
	return open
}
