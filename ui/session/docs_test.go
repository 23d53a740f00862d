package session

import (
	"fmt"
	"strings"
	"testing"

	"tokdyno/engine/compare"
	"tokdyno/engine/golden"
)

func TestFiguresInTheDocumentationAreCurrent(t *testing.T) {
	var out strings.Builder
	out.WriteString(`# Figures that can be compared

This list is made from the table of what ` + "`compare`, `--metrics`, `--max-regression` and `--margin`" + ` know. What they mean:
[read the screen](screen.md).

| name | figure | unit | better is | compared |
|---|---|---|---|---|
`)
	for _, m := range compare.Metrics() {
		better, when, unit := "more", "always", m.Unit
		if m.Less {
			better = "less"
		}
		if m.Minor {
			when = "where it is named"
		}
		if m.Share {
			unit = "%, differences in points"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", m.Name, m.Title, unit, better, when)
	}
	want := out.String()
	golden.Page(t, "figures.md", want)
}
