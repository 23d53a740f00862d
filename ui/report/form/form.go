// This file is the table of forms.

package form

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/engine/run/peers"
	"tokdyno/ui/report"
	"tokdyno/ui/report/web"
)

// Form is one in which a report can be written.
type Form struct {
	Name   string // as --format takes it
	Ending string // of the names of files that are in it, with the dot; "": no ending means it
	Says   string // what it is, in a few words
	Write  func(io.Writer, *run.Document) error
	// Add, of a form that is a table, adds a row to a file that has the columns already; nil: a file is written anew.
	Add     func(io.Writer, *run.Document) error
	Columns func() []string
	Kept    bool // it takes the requests one by one, so a run that is kept
}

// All returns the forms, in the order in which they are listed.
func All() []Form {
	return []Form{
		{Name: "html", Ending: ".html", Says: "one page with charts, to be looked at or mailed round", Write: web.Write},
		{Name: "md", Ending: ".md", Says: "Markdown, for a pull request or the summary of a CI job", Write: markdown},
		{Name: "csv", Ending: ".csv", Says: "a row a level, for spreadsheets", Write: table},
		{Name: "json", Ending: ".json", Says: "every figure, for programs", Write: document},
		{Name: "txt", Ending: ".txt", Says: "what a check prints", Write: text},
		{Name: "trace", Says: "each request by its slot, with its phases, for ui.perfetto.dev", Write: trace, Kept: true},
		{Name: "vllm", Says: "result of vllm bench serve --save-result --save-detailed", Write: peers.WriteVLLM, Kept: true},
		{Name: "aiperf", Says: "AIPerf's profile_export_aiperf.json", Write: peers.WriteAIPerf, Kept: true},
		{Name: "aiperf-jsonl", Says: "AIPerf's profile_export.jsonl", Write: peers.WriteAIPerfRequests, Kept: true},
		{Name: "llm-d", Says: "llm-d's Benchmark Report 0.2.1", Write: peers.WriteLLMD, Kept: true},
		{
			Name: "otava", Says: "a row for Apache Otava, added to the file", Write: peers.WriteOtava, Kept: true,
			Add: peers.AddOtava, Columns: peers.OtavaHeader,
		},
	}
}

func text(w io.Writer, d *run.Document) error { return report.Write(w, d.Report, report.Narrowest) }

func markdown(w io.Writer, d *run.Document) error { return report.WriteMarkdown(w, d.Report) }

func table(w io.Writer, d *run.Document) error { return report.WriteCSV(w, d.Report) }

func document(w io.Writer, d *run.Document) error { return d.Report.WriteJSON(w) }

// Named finds a form by its name. The error lists those that there are.
func Named(name string) (Form, error) {
	all := All()
	if i := slices.IndexFunc(all, func(f Form) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Form{}, fmt.Errorf("a report can't be written as %q; there are %s", name, listed(all, func(f Form) string { return f.Name }))
}

// ForFile finds a form by how the name of a file ends. The error lists the endings that there are.
func ForFile(file string) (Form, error) {
	all := All()
	ending := strings.ToLower(filepath.Ext(file))
	if i := slices.IndexFunc(all, func(f Form) bool { return ending != "" && f.Ending == ending }); i >= 0 {
		return all[i], nil
	}
	return Form{}, fmt.Errorf("a report's name ends in %s: %s does not", listed(all, func(f Form) string { return f.Ending }), file)
}

// List is the forms, a line each: name, ending, what it is.
func List() string {
	var b strings.Builder
	for _, f := range All() {
		fmt.Fprintf(&b, "  %-13s %-6s %s\n", f.Name, f.Ending, f.Says)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Endings lists the endings that say a form: ".txt or .json".
func Endings() string { return listed(All(), func(f Form) string { return f.Ending }) }

// Names lists the names of forms: "txt or json".
func Names() string { return listed(All(), func(f Form) string { return f.Name }) }

// listed joins what forms have of something.
func listed(all []Form, of func(Form) string) string {
	var list []string
	for _, f := range all {
		if text := of(f); text != "" {
			list = append(list, text)
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
