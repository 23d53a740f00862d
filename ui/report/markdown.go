// This file writes a report as Markdown, for a pull request or the summary of a CI job.

package report

import (
	"fmt"
	"io"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
)

// Headline is the answer in a few words: "✓ held".
func Headline(r *run.Report) string {
	var text string
	switch Outcome(r) {
	case slo.Held:
		text = "✓ held"
	case slo.Missed:
		text = "✗ missed"
	case slo.Unknown:
		text = "? not yet known"
	default:
		if r.Name == "" || r.Requests.OK == 0 {
			return "✗ nothing was measured"
		}
		text = "no SLO was set"
	}
	switch {
	case r.Baseline.Is(compare.Missed) && Outcome(r) == slo.Held:
		text = "✗ worse than the baseline, though the SLO held"
	case r.Baseline.Is(compare.Missed):
		text += ", and worse than the baseline"
	case r.Baseline.Is(compare.NotYetKnown):
		text += ", but not yet known against the baseline"
	}
	if Distrust(r) != "" {
		text += ", but not to be trusted"
	}
	return text
}

// mostNotes is how many notes, and kinds of failures, a report has room for that is read between other things.
const mostNotes = 8

// WriteMarkdown writes a report in short: its answer, a table, what to know, and the rest behind a fold. What a server said
// is text in it: it makes no table, no markup and calls nobody.
func WriteMarkdown(w io.Writer, r *run.Report) error {
	c := ContentOf(r)
	m := markdown{new(strings.Builder)}
	simulated := ""
	if r.Simulated {
		simulated = " (SIMULATED)"
	}
	m.line("### tokdyno: %s%s", Headline(r), simulated)
	m.line("")
	for i, item := range c.Answer[1:] { // the first is a gap
		if i == 0 {
			m.line("**%s**", escaped(item.Text))
			m.line("")
			continue
		}
		m.item(&item)
	}
	m.items(c.Baseline)
	m.tables(c.Levels)
	if r.Name != "" {
		m.line("")
		for _, item := range c.Load {
			if item.Label == "figures" {
				m.line("Figures %s:", escaped(item.Text))
			}
		}
		m.tables(c.Latencies)
		m.line("")
		m.items(c.Figures)
		m.items(c.Objectives)
	}
	m.items(c.WholeRun)
	var notes []Item
	for _, item := range c.Load {
		if item.Label == "note" {
			notes = append(notes, item)
		}
	}
	m.items(notes)
	m.line("")
	m.line("<details><summary>Load and environment</summary>")
	m.line("")
	for _, item := range c.Load {
		if item.Label != "note" && item.Label != "figures" {
			m.item(&item)
		}
	}
	for _, items := range [][]Item{c.Telemetry, c.Client} {
		m.items(items)
	}
	m.line("- tokdyno %s, shape %s", escaped(r.Tokdyno), escaped(r.Load.ShapeHash))
	m.line("")
	m.line("</details>")
	_, err := io.WriteString(w, m.b.String())
	return err
}

type markdown struct{ b *strings.Builder }

func (m markdown) line(format string, args ...any) { fmt.Fprintf(m.b, format+"\n", args...) }

// items writes some, and says how many are left out.
func (m markdown) items(items []Item) {
	for i := range items {
		if i >= mostNotes {
			m.line("- … and %d more", len(items)-i)
			return
		}
		m.item(&items[i])
	}
}

// item writes a sentence, or facts, as a point of a list.
func (m markdown) item(i *Item) {
	text := escaped(i.Text)
	if i.Facts != nil {
		facts := make([]string, len(i.Facts))
		for j, f := range i.Facts {
			facts[j] = escaped(f)
		}
		text = strings.Join(facts, " · ")
	}
	switch {
	case text == "" || i.Table != nil:
	case i.Label == "":
		m.line("- %s", text)
	default:
		m.line("- %s: %s", i.Label, text)
	}
}

// tables writes the tables among some items. Their first column is text.
func (m markdown) tables(items []Item) {
	for _, item := range items {
		if item.Table == nil {
			continue
		}
		m.line("")
		row := func(of func(*Column) string) {
			for i := range item.Table {
				m.b.WriteString("| " + of(&item.Table[i]) + " ")
			}
			m.b.WriteString("|\n")
		}
		row(func(c *Column) string { return escaped(c.Head) })
		row(func(c *Column) string {
			if c.Left {
				return ":--"
			}
			return "--:"
		})
		for j := range item.Table[0].Cells {
			row(func(c *Column) string { return escaped(c.Cells[j]) })
		}
	}
}

// escaped is text that Markdown takes for nothing else.
func escaped(s string) string { return escapes.Replace(OneLine(s)) }

// escapes are what means something in Markdown, in HTML, or to the site that shows it: @ calls people, # names issues.
var escapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "#", "&#35;", "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`,
	"]", `\]`, "~", `\~`, `\`, `\\`,
)
