// This file reads the file, strictly.

package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"tokdyno/engine/textfile"
	"tokdyno/presets"
	"tokdyno/presets/lines"
	"tokdyno/ui/flags"
	"tokdyno/ui/theme"
)

// Off is the name of no file: nothing is read.
const Off = "off"

// Path is where the file is that nobody named. It need not exist.
func Path() string { return filepath.Join(xdg.ConfigHome, "tokdyno", "config.yaml") }

// PathOf is where the file of a name is: that of Path for none.
func PathOf(name string) string { return cmp.Or(name, Path()) }

// File is what a configuration file says. The zero File says nothing.
type File struct {
	Path   string        // "": none was read
	Themes *theme.Themes // those built in, and the file's

	url   []string
	theme theme.Name
	lines map[string]*lines.Line // by key, of what is not of the load
}

// maxFile is as large as one may be: a thousand times what one needs.
const maxFile = 1 << 20

// Read reads the file at a path; Off is none, and "" the one at Path, if there is one. What it says of the load is put into the
// library. The error is a sentence with the place in the file.
func Read(path string, library *presets.Library) (*File, error) {
	f := &File{Themes: new(theme.Themes), lines: make(map[string]*lines.Line)}
	named := path != ""
	switch path {
	case Off:
		return f, nil
	case "":
		path = PathOf(path)
	}
	text, err := textfile.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return f, nil
	case err != nil:
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, fmt.Errorf("the configuration file %s can't be read: %w", path, err)
	}
	f.Path = path
	all, err := lines.Read(path, text, lines.Form{
		Kind: "a configuration file", Nested: func(key string) bool { return key == keyThemes },
	})
	if err != nil {
		return nil, err
	}
	known, err := newFlags(library)
	if err != nil {
		return nil, err
	}
	for i := range all { // before what draws in one of them is looked at
		if all[i].Key == keyThemes {
			if err := f.readThemes(&all[i]); err != nil {
				return nil, err
			}
		}
	}
	for i := range all {
		if err := f.take(&all[i], known.keys(), library); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// take takes in a line.
func (f *File) take(l *lines.Line, keys []string, library *presets.Library) error {
	if why := refused(l.Key); why != "" {
		return l.KeyAt.Fault("%s: %s", l.Key, why)
	}
	for _, value := range l.Values {
		if secret(l.Key, value) {
			return l.ValueAt.Fault("%s: this looks like a key or a password: %s", l.Key, refused("api_key"))
		}
	}
	if ofLoad, err := library.Configure(l); ofLoad {
		return err
	}
	switch l.Key {
	case keyThemes:
	case keyURL:
		f.url = l.Values
		f.lines[l.Key] = l
	case "theme":
		f.theme = theme.Name(l.Value())
		f.lines[l.Key] = l
		if _, err := f.Themes.Lookup(f.theme); err != nil {
			return l.ValueAt.Fault("theme: %w", err)
		}
	default:
		return f.takeFlag(l, keys, library)
	}
	return nil
}

// takeFlag takes in a line that a flag stands for: what the flag would refuse is refused with its sentence.
func (f *File) takeFlag(l *lines.Line, keys []string, library *presets.Library) error {
	alone, err := newFlags(library)
	if err != nil {
		return err
	}
	if alone.flag(l.Key) == nil {
		otherwise := "\"tokdyno config --all\" lists what may be set"
		if key := keyOf(l.Key); key != l.Key && alone.flag(key) != nil {
			return l.KeyAt.Fault("%q is written %s here", l.Key, key)
		}
		return l.KeyAt.Fault("%q is not known here%s", l.Key, lines.Meant(l.Key, keys, otherwise))
	}
	if what, _ := pflag.UnquoteUsage(alone.flag(l.Key)); what == "file" { // it is beside the configuration, as data sets are
		for i, value := range l.Values {
			if !filepath.IsAbs(value) {
				l.Values[i] = filepath.Join(filepath.Dir(f.Path), value)
			}
		}
	}
	err = give(alone.set, l)
	if err == nil && l.Key != "api_key_env" && l.Key != "api_key_file" { // whether there is a key is seen when it is needed
		_, _, err = alone.run.Config([]string{"http://localhost"})
	}
	if err == nil {
		_, err = alone.autopilot.Config()
	}
	if err != nil {
		said := strings.TrimPrefix(strings.TrimPrefix(flags.Explain(err).Error(), "--"+flagOf(l.Key)), ": ")
		return l.ValueAt.Fault("%s: %s", l.Key, strings.TrimSpace(said))
	}
	f.lines[l.Key] = l
	return nil
}

// URL are the endpoints that the file names.
func (f *File) URL() []string { return f.url }

// Theme is the one that it names; "" if none.
func (f *File) Theme() theme.Name { return f.theme }
