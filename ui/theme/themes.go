// The themes there are by name: those built in, and a user's own.

package theme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muesli/termenv"
)

// named is a palette with its name.
type named struct {
	name    Name
	palette *palette
}

// Themes are those that can be had by name: the built-in ones, and those that were added. A nil *Themes has the built-in
// ones. It is not to be added to while somebody else looks.
type Themes struct{ own []named }

// all are the built-in ones and then the user's.
func (t *Themes) all() []named {
	if t == nil {
		return builtIn()
	}
	return append(builtIn(), t.own...)
}

// Names are the names of all, in the order shown to people.
func (t *Themes) Names() []Name {
	var names []Name
	for _, n := range t.all() {
		names = append(names, n.name)
	}
	return names
}

// Own reports whether a name is that of a theme that was added.
func (t *Themes) Own(name Name) bool {
	return t != nil && slices.ContainsFunc(t.own, func(n named) bool { return n.name == name })
}

// Lookup returns the theme called name, with all colours and Unicode glyphs; [Theme.On] and [Theme.With] fit it to the
// terminal. The error names the themes there are.
func (t *Themes) Lookup(name Name) (Theme, error) {
	var names []string
	for _, n := range t.all() {
		if n.name == name {
			return Theme{Name: name, Glyphs: Unicode(), palette: n.palette, among: t}.On(termenv.TrueColor), nil
		}
		names = append(names, string(n.name))
	}
	return Theme{}, fmt.Errorf("unknown theme %q; the themes are %s", string(name), strings.Join(names, ", "))
}

// Add adds a theme that looks as its base does but for some roles. The error is a sentence: for a base that is not there, a
// name that is taken, or one that could not be typed.
func (t *Themes) Add(name, base Name, looks map[Role]Look) error {
	if strings.ContainsAny(string(name), " \t\n") || name == "" || string(name) != strings.ToLower(string(name)) {
		return fmt.Errorf("%q is no name for a theme: small letters, without blanks", string(name))
	}
	if slices.Contains(t.Names(), name) {
		return fmt.Errorf("there is a theme %s already", name)
	}
	from, err := t.Lookup(base)
	if err != nil {
		return err
	}
	own := *from.palette
	for role, look := range looks {
		own[role] = look
	}
	t.own = append(t.own, named{name, &own})
	return nil
}

// Look is how a theme draws a role.
func (t Theme) Look(r Role) Look {
	if t.palette == nil || r >= roleCount {
		return Look{}
	}
	return t.palette[r]
}

// Names returns the names of the built-in themes, in the order shown to people.
func Names() []Name { return (*Themes)(nil).Names() }

// Lookup returns a built-in theme, as [Themes.Lookup] does.
func Lookup(name Name) (Theme, error) { return (*Themes)(nil).Lookup(name) }
