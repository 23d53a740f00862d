// This file reads one preset file, strictly: what it does not know, it refuses, and says where.

package presets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tokdyno/engine/units"
	"tokdyno/presets/lines"
)

// assignment is one line of a file that sets a setting.
type assignment struct {
	setting *Setting
	nth     int // of the table
	value   string
	at      lines.Place // of the value
}

// assignments are the lines of one file that do.
type assignments []assignment

// parse reads a preset file, by a table of settings. Its errors say in which line and column what is wrong, and what is allowed.
func parse(name string, text []byte, settings Table) (Preset, error) {
	all, err := lines.Read(name, text, lines.Form{Kind: "a preset file"})
	if err != nil {
		return Preset{}, err
	}
	if len(all) == 0 {
		return Preset{}, fmt.Errorf("%s: a preset file is a list of lines such as \"concurrency: 8\"; there is none in this one", name)
	}
	p := Preset{text: text}
	about := map[string]*string{"title": &p.Title, "for": &p.For, "source": &p.Source}
	for i := range all {
		l := &all[i]
		if to := about[l.Key]; to != nil {
			*to = l.Value()
			continue
		}
		setting := settings.named(l.Key)
		if setting == nil {
			return Preset{}, l.KeyAt.Fault("%q is not known here%s", l.Key,
				lines.Meant(l.Key, settings.keys(), "there are "+strings.Join(settings.keys(), ", ")))
		}
		if err := p.settings.add(settings, setting, l); err != nil {
			return Preset{}, err
		}
	}
	if p.Title == "" || p.For == "" {
		return Preset{}, fmt.Errorf("%s: it needs a line \"title:\" and a line \"for:\" that says for whom it is", name)
	}
	return p, nil
}

// add takes in a line that sets a setting of a table, unless it takes no such value.
func (as *assignments) add(settings Table, setting *Setting, l *lines.Line) error {
	value := l.Value()
	if setting.Reads(value) {
		value = rebase(filepath.Dir(l.ValueAt.File), value)
	}
	if !setting.File { // a large file is opened when it is used
		if _, err := setting.Set(Plain(), value); err != nil {
			return l.ValueAt.Fault("%s: %w", l.Key, err)
		}
	}
	if from := func(a assignment) bool { return a.setting.File && !units.Off(a.value) }; setting.File && !units.Off(value) &&
		slices.ContainsFunc(*as, from) {
		return l.KeyAt.Fault("a replay makes prompts as long as those that were recorded, and takes none from a data set; " +
			"leave out data or trace")
	}
	*as = append(*as, assignment{setting, slices.Index(settings, setting), value, l.ValueAt})
	return nil
}

// place is where a setting is set; false where it is not.
func (as assignments) place(setting string) (lines.Place, bool) {
	for _, a := range as {
		if a.setting.Name == setting {
			return a.at, true
		}
	}
	return lines.Place{}, false
}

// rebase makes a file's path, with what may stand before it and a colon, relative to the preset rather than to where
// tokdyno was started.
func rebase(dir, value string) string {
	name, path, ok := strings.Cut(value, ":")
	if !ok || len(name) < 2 || strings.ContainsAny(name, `./\`) {
		name, path = "", value
	} else {
		name += ":"
	}
	if path == "" || filepath.IsAbs(path) {
		return value
	}
	return name + filepath.Join(dir, path)
}

// named returns the setting of a name, as files have it; nil if there is none.
func (t Table) named(name string) *Setting {
	if s := t.Find(name); s != nil && s.Name == name { // what is short for one is for people at a keyboard
		return s
	}
	return nil
}

// keys are all keys that a preset file may have.
func (t Table) keys() []string {
	names := []string{"title", "for", "source"}
	for _, s := range t {
		names = append(names, s.Name)
	}
	return slices.Compact(names)
}
