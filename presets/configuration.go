// This file is what a person's configuration sets of a load: it holds where neither a preset nor a flag says otherwise.

package presets

import (
	"tokdyno/engine/snapshot"
	"tokdyno/presets/lines"
)

// configuration is the settings of a configuration file. What a preset that it names says holds unless the file itself says
// otherwise, or another preset is chosen.
type configuration struct {
	preset   Preset
	presetAt lines.Place
	own      assignments
}

// NamedPreset is the preset that a configuration names, and where.
type NamedPreset struct {
	Name string
	At   lines.Place
}

// ConfiguredPreset is the preset that the configuration names; false where it names none.
func (l *Library) ConfiguredPreset() (NamedPreset, bool) {
	return NamedPreset{l.config.preset.Name, l.config.presetAt}, l.config.presetAt.Line > 0
}

// Configure takes a line of a configuration file that sets something of the load: "preset", or a setting by its name in a
// preset. It reports false for a key that is neither. The error is a sentence with the line's place. It comes before
// anything of the library is used.
func (l *Library) Configure(line *lines.Line) (bool, error) {
	table := l.Settings()
	if line.Key == "preset" {
		p, err := l.Lookup(line.Value())
		if err != nil {
			return true, line.ValueAt.Fault("preset: %w", err)
		}
		l.config.preset, l.config.presetAt = p, line.ValueAt
		return true, nil
	}
	setting := table.named(line.Key)
	if setting == nil {
		return false, nil
	}
	return true, l.config.own.add(table, setting, line)
}

// Configured reports whether the configuration sets a setting, itself or by its preset.
func (l *Library) Configured(setting string) bool { return l.Nothing().Origin(setting) != "" }

// Origin says what sets a setting of the preset, by its name in a file: "preset chat", or the place in the configuration; "" where
// nothing does.
func (p Preset) Origin(setting string) string {
	if _, set := p.settings.place(setting); set {
		return "preset " + p.Name
	}
	if p.library == nil {
		return ""
	}
	if at, set := p.library.config.own.place(setting); set {
		return at.String()
	}
	if _, set := p.beneath().settings.place(setting); set {
		return "preset " + p.library.config.preset.Name
	}
	return ""
}

// beneath is the preset that holds where this one says nothing: that of the configuration for one without a name, and none for
// one that was chosen instead.
func (p Preset) beneath() Preset {
	if p.library == nil || p.Name != "" {
		return Preset{}
	}
	return p.library.config.preset
}

// defaults are the knobs where the preset says nothing.
func (p Preset) defaults() (snapshot.Knobs, error) {
	k, err := p.beneath().settings.onto(Plain())
	if err != nil || p.library == nil {
		return k, err
	}
	return p.library.config.own.onto(k)
}
