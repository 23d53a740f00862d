// This file is what there is to say in a report, before it takes a form: sentences, facts and tables.

package report

import (
	"fmt"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// Item is a piece of a report. It is a table, facts, or a sentence; where it is none of these, it is a gap.
type Item struct {
	Label string   // what it is of, in a word; "": the same as the item before
	Text  string   // a sentence
	Facts []string // names, each with its value
	Table []Column // of the same number of cells each
}

// Column is one of a table.
type Column struct {
	Head  string
	Rank  int  // of those that don't fit, the highest goes first; 0 stays
	Left  bool // it is text, not numbers
	Cells []string
}

// Content is what there is to say of a run, by what it is of. What is empty does not apply to the run. Nothing in it has
// control characters.
type Content struct {
	Answer     []Item // whether the load held, how much of it does, and what to do next
	Baseline   []Item // how the run stands against an earlier one
	Levels     []Item
	Sweep      []Item // what an autopilot found
	Load       []Item // who was asked for what, and what to know of it
	Latencies  []Item
	Figures    []Item // rates
	Objectives []Item
	Endpoints  []Item // of several
	WholeRun   []Item // what became of all requests
	Telemetry  []Item // of accelerators and the server, and what output cost
	Client     []Item // whether the load generator can be trusted
}

// ContentOf is that of a run.
func ContentOf(r *run.Report) Content {
	gather := func(write func(*sheet, *run.Report)) []Item {
		var s sheet
		write(&s, r)
		return s
	}
	return Content{
		Answer: gather((*sheet).answer), Baseline: gather((*sheet).baseline), Levels: gather((*sheet).levels), Sweep: gather((*sheet).sweep), Load: gather((*sheet).head),
		Latencies: gather((*sheet).latencies), Figures: gather((*sheet).figures), Objectives: gather((*sheet).objectives),
		Endpoints: gather((*sheet).endpoints), WholeRun: gather((*sheet).wholeRun), Telemetry: gather((*sheet).telemetry),
		Client: gather((*sheet).client),
	}
}

// sheet gathers what is to be said.
type sheet []Item

// line adds a sentence behind a label.
func (p *sheet) line(label, format string, args ...any) {
	*p = append(*p, Item{Label: label, Text: OneLine(fmt.Sprintf(format, args...))})
}

// facts adds facts behind a label, each a name with its value, which stay together. Empty ones are left out.
func (p *sheet) facts(label string, facts ...string) {
	kept := []string{}
	for _, f := range facts {
		if f = OneLine(f); f != "" {
			kept = append(kept, f)
		}
	}
	*p = append(*p, Item{Label: label, Facts: kept})
}

// table adds a table.
func (p *sheet) table(columns []Column) {
	for i := range columns {
		for j, s := range columns[i].Cells {
			columns[i].Cells[j] = Plain(s)
		}
	}
	*p = append(*p, Item{Table: columns})
}

// blank adds a gap.
func (p *sheet) blank() { *p = append(*p, Item{}) }

// OneLine is text in one line, without what is not to be seen: control characters, and those that turn the direction round.
func OneLine(s string) string { return strings.Join(strings.Fields(Plain(s)), " ") }

// fact is a name with its value, n/a where it has none.
func fact(name, value string) string {
	if value == "" {
		value = cell.Unknown
	}
	return name + " " + value
}
