// This file shows the themes there are.

package session

import (
	"fmt"
	"strings"

	"golang.org/x/term"

	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// ListThemes shows themes by name, all where none is named: each of their colours with what it is used for, painted where
// there is a terminal, and else in words. The error is a sentence.
func ListThemes(std Streams, look Look, names []string) error {
	here, err := look.choose()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, name := range here.Names() {
			names = append(names, string(name))
		}
	}
	painted := term.IsTerminal(int(std.Out.Fd()))
	var out strings.Builder
	for i, name := range names {
		th, err := here.Switch(theme.Name(name))
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(swatch(&th, look.Themes.Own(th.Name), th.Name == here.Name, painted))
	}
	if painted {
		out.WriteString("\n--theme NAME draws in one; :theme NAME switches to it in the console. \"tokdyno config --help\" says how to make your own.\n")
	}
	_, err = std.Out.WriteString(out.String())
	return err
}

// swatch is a theme's colours, a line each.
func swatch(th *theme.Theme, own, here, painted bool) string {
	var out strings.Builder
	out.WriteString(string(th.Name))
	for _, note := range []struct {
		is   bool
		text string
	}{{own, "yours"}, {here, "drawn in here"}} {
		if note.is {
			out.WriteString("  (" + note.text + ")")
		}
	}
	out.WriteByte('\n')
	for _, role := range theme.Roles() {
		const nameCells, forCells = 10, 32
		look := th.Look(role.Role).String()
		if !painted {
			fmt.Fprintf(&out, "  %-*s %-*s %s\n", nameCells, role.Name, forCells, role.For, look)
			continue
		}
		sample := strings.Repeat(th.Glyphs.Blocks[7], 3) + " " + role.Name
		sample += cell.Blank(nameCells + 4 - cell.Width(sample))
		fmt.Fprintf(&out, "  %s %-*s %s\n", th.Paint(role.Role, sample), forCells, role.For, look)
	}
	return out.String()
}
