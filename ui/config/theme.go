// This file reads themes of one's own.

package config

import (
	"strings"

	"tokdyno/presets/lines"
	"tokdyno/ui/theme"
)

// base is the key of the theme that one's own looks like where it says nothing.
const base = "base"

// readThemes reads all of them; one may stand on another before it.
func (f *File) readThemes(l *lines.Line) error {
	if l.Lines == nil {
		return l.ValueAt.Fault("themes: it holds themes by name, such as mine: {base: dark, good: \"#00FF00\"}")
	}
	for i := range l.Lines {
		if err := f.readTheme(&l.Lines[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) readTheme(l *lines.Line) error {
	from, names := theme.Dark, []string{base}
	roles := make(map[string]theme.Role)
	for _, role := range theme.Roles() {
		roles[role.Name] = role.Role
		names = append(names, role.Name)
	}
	looks := make(map[theme.Role]theme.Look)
	for i := range l.Lines {
		part := &l.Lines[i]
		if part.Key == base {
			from = theme.Name(part.Value())
			if _, err := f.Themes.Lookup(from); err != nil {
				return part.ValueAt.Fault("base: %w", err)
			}
			continue
		}
		role, known := roles[part.Key]
		if !known {
			return part.KeyAt.Fault("%q is no colour of a theme%s", part.Key, lines.Meant(part.Key, names, "there are "+strings.Join(names, ", ")))
		}
		look, err := theme.ParseLook(part.Value())
		if err != nil {
			return part.ValueAt.Fault("%s: %w", part.Key, err)
		}
		looks[role] = look
	}
	if l.Lines == nil {
		return l.ValueAt.Fault("%s: a theme is lines such as base: dark and good: \"#00FF00\"", l.Key)
	}
	if err := f.Themes.Add(theme.Name(l.Key), from, looks); err != nil {
		return l.KeyAt.Fault("%w", err)
	}
	return nil
}
