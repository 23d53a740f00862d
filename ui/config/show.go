// This file prints each setting with where its value comes from.

package config

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"tokdyno/presets"
	"tokdyno/presets/lines"
)

// Row is a setting as it holds at present.
type Row struct {
	Key, Value string
	Origin     string // "flag", "config.yaml:3", "preset chat", the name of an environment variable, or Default
	Set        bool   // somebody set it, or something that it follows from
}

// Default is the origin of what nobody set.
const Default = "default"

// unset is the value of what is empty.
const unset = "not set"

// URLVariable is the environment's endpoint.
const URLVariable = "OPENAI_BASE_URL"

// Rows are all settings as the flags, the environment and the file have them. Neither a key nor what a header holds is among
// them. The error is a sentence.
func (e *Flags) Rows(f *File, library *presets.Library, getenv func(string) string) ([]Row, error) {
	given := make(map[string]bool)
	e.set.Visit(func(flag *pflag.Flag) { given[flag.Name] = true })
	if err := f.Apply(e.set, getenv); err != nil {
		return nil, err
	}
	cfg, _, err := e.run.Config([]string{"http://localhost"})
	if err != nil {
		return nil, err
	}
	table, plain := library.Settings(), presets.Plain()
	rows := []Row{f.urlRow(getenv), f.keyRow(e.set, getenv)}
	for _, name := range e.names {
		key, flag := keyOf(name), e.set.Lookup(name)
		row := Row{Key: key, Value: valueOf(flag), Origin: f.origin(key, given[flag.Name])}
		row.Set = row.Origin != Default
		if s := table.Find(key); s != nil && s.Name == key {
			row.Value = cmp.Or(s.Print(cfg.Knobs), "off")
			row.Origin = cmp.Or(short(e.run.Load.Origin(s)), Default)
			if row.Set = row.Origin != Default; !row.Set && s.Print(cfg.Knobs) != s.Print(plain) {
				row.Origin, row.Set = "follows from the others", true
			}
		}
		switch {
		case key == "preset":
			if at, ok := library.ConfiguredPreset(); ok && !given[flag.Name] {
				row.Value, row.Origin, row.Set = at.Name, short(at.At.String()), true
			}
		case key == "theme" && !given[flag.Name] && getenv("NO_COLOR") != "":
			row.Value, row.Origin, row.Set = "mono", "NO_COLOR", true
		case key == "theme" && !given[flag.Name]:
			row.Value = cmp.Or(string(f.theme), "as the terminal suggests")
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// origin is where the value of a flag comes from that is none of the load's.
func (f *File) origin(key string, given bool) string {
	switch l := f.lines[key]; {
	case given:
		return "flag"
	case l != nil:
		return placeOf(l)
	}
	return Default
}

// placeOf is a line's place without its folder and its column.
func placeOf(l *lines.Line) string { return short(l.KeyAt.String()) }

// short takes the folder and the column from the place of a file; what is none stays.
func short(origin string) string {
	at := strings.LastIndexByte(origin, ':')
	if at < 0 || strings.HasPrefix(origin, "preset ") {
		return origin
	}
	return filepath.Base(origin[:at])
}

// urlRow is the endpoint.
func (f *File) urlRow(getenv func(string) string) Row {
	switch l := f.lines[keyURL]; {
	case getenv(URLVariable) != "":
		return Row{keyURL, redacted(getenv(URLVariable)), URLVariable, true}
	case l != nil:
		return Row{keyURL, redacted(l.Value()), placeOf(l), true}
	}
	return Row{keyURL, unset, Default, false}
}

// keyRow says whether there is a key, and never which.
func (f *File) keyRow(set *pflag.FlagSet, getenv func(string) string) Row {
	const key = "api_key"
	if set.Lookup("api-key-file").Value.String() != "" {
		return Row{key, "in a file", "api_key_file", true}
	}
	if variable := f.keyVariable(set); getenv(variable) != "" {
		return Row{key, "set", variable, true}
	}
	return Row{key, unset, Default, false}
}

// redacted is a URL without its password.
func redacted(text string) string {
	if u, err := url.Parse(text); err == nil {
		return u.Redacted()
	}
	return text
}

// valueOf is a flag's value as text; of headers only what they are called.
func valueOf(flag *pflag.Flag) string {
	list, ok := flag.Value.(pflag.SliceValue)
	if !ok {
		return cmp.Or(flag.Value.String(), unset)
	}
	var values []string
	for _, value := range list.GetSlice() {
		if flag.Name == "header" {
			name, _, _ := strings.Cut(value, ":")
			value = name + ": …"
		}
		values = append(values, value)
	}
	return cmp.Or(strings.Join(values, "; "), unset)
}

// Show prints rows: all of them, or those that somebody set.
func Show(out io.Writer, f *File, rows []Row, all bool) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	shown := 0
	for _, r := range rows {
		if all || r.Set {
			fmt.Fprintf(t, "%s\t%s\t%s\n", r.Key, r.Value, r.Origin)
			shown++
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	file := f.Path
	if file == "" {
		file = "none; it would be " + Path()
	}
	if shown > 0 {
		file = "\nfile: " + file
	} else {
		file = "Everything is at its default.\nfile: " + file
	}
	_, err := fmt.Fprintln(out, file)
	return err
}
