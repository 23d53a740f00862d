// This file has the flags that were not given take what the file says.

package config

import (
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"tokdyno/presets/lines"
)

// Apply has the flags of a command that were not given take what the file says of them. What the environment says is stronger:
// a key there than the name of a file that holds one. The error is a sentence.
func (f *File) Apply(set *pflag.FlagSet, getenv func(string) string) error {
	for _, key := range slices.Sorted(maps.Keys(f.lines)) {
		l := f.lines[key]
		flag := set.Lookup(flagOf(key))
		if flag == nil || flag.Changed || key == "theme" || key == keyURL {
			continue
		}
		if key == "api_key_file" && getenv(f.keyVariable(set)) != "" {
			continue
		}
		if err := give(set, l); err != nil {
			return l.ValueAt.Fault("%s: %w", key, err)
		}
	}
	return nil
}

// keyVariable is the environment variable that holds the API key.
func (f *File) keyVariable(set *pflag.FlagSet) string {
	const name = "api-key-env"
	if l := f.lines[keyOf(name)]; l != nil && !set.Changed(name) {
		return l.Value()
	}
	if flag := set.Lookup(name); flag != nil {
		return flag.Value.String()
	}
	return ""
}

// give gives a flag what a line says: of one that may be repeated, each value.
func give(set *pflag.FlagSet, l *lines.Line) error {
	name := flagOf(l.Key)
	if _, repeats := set.Lookup(name).Value.(pflag.SliceValue); !repeats {
		return set.Set(name, l.Value())
	}
	for _, value := range l.Values {
		if err := set.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
