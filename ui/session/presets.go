// This file prints presets.

package session

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tokdyno/engine/snapshot"
	"tokdyno/presets"
	"tokdyno/ui/console"
)

// choices are the presets as the console's picker shows them.
func choices(library *presets.Library) []console.Preset {
	if library == nil {
		return nil
	}
	var list []console.Preset
	for _, p := range library.Presets() {
		preview := p.Lines()
		if p.Source != "" {
			preview = append(preview, "", p.Source)
		}
		list = append(list, console.Preset{
			Name: p.Name, Title: p.Title, For: p.For, Own: p.Path != "", Preview: preview,
			Knobs: func(snapshot.Knobs) (snapshot.Knobs, error) { return p.Knobs() },
		})
	}
	return list
}

// ListPresets prints the presets there are, and then what is wrong with files that should be some.
func ListPresets(out, errs io.Writer, library *presets.Library) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range library.Presets() {
		name := p.Name
		if p.Path != "" {
			name += " (yours)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", name, p.Title, p.For)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, err := range library.Broken() {
		fmt.Fprintln(errs, err)
	}
	_, err := fmt.Fprintf(out, "\nYour own go into %s, one file each: copy one with \"tokdyno presets show NAME\".\n", presets.Folder())
	return err
}

// ShowPreset prints a preset as a file to copy.
func ShowPreset(out io.Writer, library *presets.Library, name string) error {
	p, err := library.Lookup(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, p.Text())
	return err
}
