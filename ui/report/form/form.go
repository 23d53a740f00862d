// This file is the tables of forms.

package form

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/run/peers"
	"tokdyno/ui/report"
	"tokdyno/ui/report/web"
)

// Form is one in which a document can be written.
type Form[D any] struct {
	Name   string // as --format takes it
	Ending string // of the names of files that are in it, with the dot; "": no ending means it
	Says   string // what it is, in a few words
	Write  func(io.Writer, *D) error
	// Add, of a form that is a table, adds a row to a file that has the columns already; nil: a file is written anew.
	Add     func(io.Writer, *D) error
	Columns func() []string
}

// Table is the forms of one kind of document.
type Table[D any] struct {
	of  string // "report"
	all []Form[D]
}

// NewTable returns the forms of a kind of document: "picture".
func NewTable[D any](of string, all []Form[D]) Table[D] { return Table[D]{of, all} }

// Reports is the forms of the report of a run.
func Reports() Table[run.Document] {
	return Table[run.Document]{"report", []Form[run.Document]{
		{Name: "html", Ending: ".html", Says: "one page with charts, to be looked at or mailed round", Write: web.Write},
		{Name: "md", Ending: ".md", Says: "Markdown, for a pull request or the summary of a CI job", Write: markdown},
		{Name: "csv", Ending: ".csv", Says: "a row a level, for spreadsheets", Write: table},
		{Name: "json", Ending: ".json", Says: "every figure, for programs", Write: document},
		{Name: "txt", Ending: ".txt", Says: "what a check prints", Write: text},
		{Name: "trace", Says: "requests by slot and phase, for ui.perfetto.dev", Write: trace},
		{Name: "vllm", Says: "result of vllm bench serve --save-result --save-detailed", Write: peers.WriteVLLM},
		{Name: "aiperf", Says: "AIPerf's profile_export_aiperf.json", Write: peers.WriteAIPerf},
		{Name: "aiperf-jsonl", Says: "AIPerf's profile_export.jsonl", Write: peers.WriteAIPerfRequests},
		{Name: "llm-d", Says: "llm-d's Benchmark Report 0.2.1", Write: peers.WriteLLMD},
		{
			Name: "otava", Says: "a row for Apache Otava, added to the file", Write: peers.WriteOtava,
			Add: peers.AddOtava, Columns: peers.OtavaHeader,
		},
	}}
}

// Comparisons is the forms of a comparison of runs.
func Comparisons() Table[compare.Document] {
	return Table[compare.Document]{"comparison", []Form[compare.Document]{
		{Name: "html", Ending: ".html", Says: "one page with charts, to be looked at or mailed round", Write: web.WriteComparison},
		{
			Name: "md", Ending: ".md", Says: "Markdown, for a pull request or the summary of a CI job",
			Write: report.WriteComparisonMarkdown,
		},
		{Name: "json", Ending: ".json", Says: "every figure, for programs", Write: comparison},
		{Name: "txt", Ending: ".txt", Says: "what compare prints", Write: comparisonText},
	}}
}

// Duels is the forms of the result of a duel: those of a comparison, which is what its sides differ by.
func Duels() Table[run.DuelDocument] {
	list := Table[run.DuelDocument]{of: "duel's result"}
	for _, f := range Comparisons().all {
		write := func(w io.Writer, d *run.DuelDocument) error {
			if d.Differences == nil {
				return errors.New(strings.Join(d.Result.Notes, "; "))
			}
			return f.Write(w, d.Differences)
		}
		switch f.Name {
		case "json":
			write = func(w io.Writer, d *run.DuelDocument) error { return d.Result.WriteJSON(w) }
		case "txt":
			f.Says, write = "what a check prints", func(w io.Writer, d *run.DuelDocument) error { return report.WriteDuel(w, d, report.Narrowest, nil) }
		}
		list.all = append(list.all, Form[run.DuelDocument]{Name: f.Name, Ending: f.Ending, Says: f.Says, Write: write})
	}
	return list
}

func text(w io.Writer, d *run.Document) error { return report.Write(w, d.Report, report.Narrowest) }

func markdown(w io.Writer, d *run.Document) error { return report.WriteMarkdown(w, d.Report) }

func table(w io.Writer, d *run.Document) error { return report.WriteCSV(w, d.Report) }

func document(w io.Writer, d *run.Document) error { return d.Report.WriteJSON(w) }

func comparison(w io.Writer, d *compare.Document) error { return d.WriteJSON(w) }

func comparisonText(w io.Writer, d *compare.Document) error {
	return report.WriteComparison(w, d, report.Narrowest)
}

// All returns the forms, in the order in which they are listed.
func (t Table[D]) All() []Form[D] { return t.all }

// Named finds a form by its name. The error lists those that there are.
func (t Table[D]) Named(name string) (Form[D], error) {
	if i := slices.IndexFunc(t.all, func(f Form[D]) bool { return f.Name == name }); i >= 0 {
		return t.all[i], nil
	}
	return Form[D]{}, fmt.Errorf("a %s can't be written as %q; there are %s", t.of, name, t.Names())
}

// ForFile finds a form by how the name of a file ends. The error lists the endings that there are.
func (t Table[D]) ForFile(file string) (Form[D], error) {
	ending := strings.ToLower(filepath.Ext(file))
	if i := slices.IndexFunc(t.all, func(f Form[D]) bool { return ending != "" && f.Ending == ending }); i >= 0 {
		return t.all[i], nil
	}
	return Form[D]{}, fmt.Errorf("a %s's name ends in %s: %s does not", t.of, t.Endings(), file)
}

// List is the forms, a line each: name, ending, what it is.
func (t Table[D]) List() string {
	var b strings.Builder
	for _, f := range t.all {
		fmt.Fprintf(&b, "  %-13s %-6s %s\n", f.Name, f.Ending, f.Says)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Endings lists the endings that say a form: ".txt or .json".
func (t Table[D]) Endings() string { return t.listed(func(f Form[D]) string { return f.Ending }) }

// Names lists the names of forms: "txt or json".
func (t Table[D]) Names() string { return t.listed(func(f Form[D]) string { return f.Name }) }

// listed joins what the forms have of something.
func (t Table[D]) listed(of func(Form[D]) string) string {
	var list []string
	for _, f := range t.all {
		if text := of(f); text != "" {
			list = append(list, text)
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
