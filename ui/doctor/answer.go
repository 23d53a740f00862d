// This file is the findings as text and as JSON.

package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// ErrBlocked says that tokdyno does not work here; what is in the way has been said by Print.
var ErrBlocked = errors.New("tokdyno does not work here; see the lines that begin with ✗")

// Err is ErrBlocked where one of the findings keeps tokdyno from working.
func Err(found []Finding) error {
	if slices.ContainsFunc(found, func(f Finding) bool { return f.State == Blocked }) {
		return ErrBlocked
	}
	return nil
}

// labelWidth is how wide the column of names is.
const labelWidth = 16

// Print writes a line for every finding, and below it what to do, in lines of at most width cells.
func Print(out io.Writer, found []Finding, width int, g *theme.Glyphs) error {
	var b strings.Builder
	// Lines are not broken at hyphens, of which commands and flags are full.
	const hyphen, unbroken = "-", "\u2011"
	whole, again := strings.NewReplacer(hyphen, unbroken), strings.NewReplacer(unbroken, hyphen)
	signs := map[State]string{Fine: g.Check, Advice: g.Alert, Blocked: g.Cross}
	for _, f := range found {
		begin := fmt.Sprintf("%s %-*s", signs[f.State], labelWidth, f.Check)
		indent := strings.Repeat(" ", cell.Width(begin))
		for _, text := range []string{f.Says, f.Do} {
			if text == "" {
				continue
			}
			for _, line := range cell.Wrapped(whole.Replace(cell.Sanitise(text, g)), max(20, width-cell.Width(begin))) {
				fmt.Fprintln(&b, begin+again.Replace(line))
				begin = indent
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// JSON writes the findings, and whether tokdyno works here.
func JSON(out io.Writer, version string, found []Finding) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Version string    `json:"version"`
		Works   bool      `json:"works"`
		Checks  []Finding `json:"checks"`
	}{version, Err(found) == nil, found})
}
