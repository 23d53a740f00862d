package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tokdyno/engine"
	"tokdyno/ui/report/form"
)

// old is what a file holds before a run.
const old = "of the run before\n"

// outputs are two files that hold something.
func outputs(t *testing.T) Output {
	t.Helper()
	dir := t.TempDir()
	o := Output{JSON: filepath.Join(dir, "result.json"), Records: filepath.Join(dir, "records.jsonl")}
	for _, name := range []string{o.JSON, o.Records} {
		if err := os.WriteFile(name, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// unusableConfig is of an endpoint at which nothing listens.
func unusableConfig(t *testing.T) engine.Config {
	t.Helper()
	cfg, server := config(t)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnUnusableEndpointLeavesFilesAsTheyWere(t *testing.T) {
	o := outputs(t)
	if err := Check(t.Context(), unusableConfig(t), noSources, o, streams(t)); ExitStatus(err) != StatusEndpoint {
		t.Fatalf("status %d, %v", ExitStatus(err), err)
	}
	for _, name := range []string{o.JSON, o.Records} {
		if got := content(t, name); got != old {
			t.Errorf("%s holds %q", filepath.Base(name), got)
		}
	}
}

func TestAnUnusableEndpointLeavesNoNewFiles(t *testing.T) {
	dir := t.TempDir()
	o := Output{JSON: filepath.Join(dir, "result.json"), Records: filepath.Join(dir, "records.jsonl")}
	if err := Check(t.Context(), unusableConfig(t), noSources, o, streams(t)); ExitStatus(err) != StatusEndpoint {
		t.Fatalf("status %d, %v", ExitStatus(err), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestStandardOutputIsNeverTakenAway is for a standard output that is a file: it is not tokdyno's to remove or to empty.
func TestStandardOutputIsNeverTakenAway(t *testing.T) {
	for _, o := range []Output{{JSON: "-"}, {Records: "-"}} {
		std := streams(t)
		if err := Check(t.Context(), unusableConfig(t), noSources, o, std); ExitStatus(err) != StatusEndpoint {
			t.Fatalf("status %d, %v", ExitStatus(err), err)
		}
		if got := content(t, std.Out.Name()); got != "" {
			t.Errorf("%+v: it holds %q", o, got)
		}
		if _, err := std.Out.WriteString(old); err != nil { // as "cat before; tokdyno …" in a shell would
			t.Fatal(err)
		}
		cfg, _ := config(t)
		if err := Check(t.Context(), cfg, noSources, o, std); err != nil {
			t.Fatal(err)
		}
		if got := content(t, std.Out.Name()); !strings.HasPrefix(got, old+"{") {
			t.Errorf("%+v: it begins with %.40q", o, got)
		}
	}
}

func TestFilesAreReplacedByResults(t *testing.T) {
	t.Parallel()
	o := outputs(t)
	cfg, _ := config(t)
	if err := Check(t.Context(), cfg, noSources, o, streams(t)); err != nil {
		t.Fatal(err)
	}
	if got := content(t, o.JSON); !json.Valid([]byte(got)) {
		t.Errorf("no document: %.40q", got)
	}
	lines := strings.Split(strings.TrimSuffix(content(t, o.Records), "\n"), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no record: %.40q", line)
		}
	}
	if len(lines) != 100 {
		t.Errorf("%d records, want 100", len(lines))
	}
}

func TestRecordsGoToStandardOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	std := streams(t)
	cfg, _ := config(t)
	if err := Check(t.Context(), cfg, noSources, Output{Records: "-"}, std); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(text(t, std.Out), "\n"), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no record: %.40q", line)
		}
	}
	if people := text(t, std.Err); len(lines) != 100 || !strings.Contains(people, "100 ok") {
		t.Errorf("%d records; people read:\n%s", len(lines), people)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestTwoResultsInOnePlaceAreRefused(t *testing.T) {
	cfg, _ := config(t)
	for _, name := range []string{"-", filepath.Join(t.TempDir(), "x")} {
		err := Check(t.Context(), cfg, noSources, Output{JSON: name, Records: name}, streams(t))
		if ExitStatus(err) != StatusUsage || !strings.Contains(err.Error(), "--json and --records can't both go to") {
			t.Errorf("%s: status %d, %v", name, ExitStatus(err), err)
		}
	}
}

// TestARunWithoutRecordsLeavesNone makes sure that the records of the run before are not taken for those of this one.
func TestARunWithoutRecordsLeavesNone(t *testing.T) {
	o := outputs(t)
	records := new(recordFile)
	results, err := openResults(o, form.Reports(), streams(t), records)
	if err != nil {
		t.Fatal(err)
	}
	records.write(nil, 0, "")
	if got := content(t, o.Records); got != old {
		t.Errorf("%q before anything is known", got)
	}
	if err := results.records.sink.complete(results.records.finish); err != nil {
		t.Fatal(err)
	}
	if got := content(t, o.Records); got != "" {
		t.Errorf("it holds %q", got)
	}
}

func TestReportsAreWrittenInTheFormThatTheirNamesSay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := Output{Reports: []string{filepath.Join(dir, "a.json"), filepath.Join(dir, "b.txt")}}
	cfg, _ := config(t)
	if err := Check(t.Context(), cfg, noSources, o, streams(t)); err != nil {
		t.Fatal(err)
	}
	if got := content(t, o.Reports[0]); !json.Valid([]byte(got)) {
		t.Errorf("no document: %.40q", got)
	}
	if got := content(t, o.Reports[1]); !strings.Contains(got, "answer ") {
		t.Errorf("no text: %.40q", got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestAReportOfUnknownFormIsRefusedBeforeTheRun(t *testing.T) {
	cfg, _ := config(t)
	for _, name := range []string{"out.docx", "out", "-"} {
		err := Check(t.Context(), cfg, noSources, Output{Reports: []string{name}}, streams(t))
		if ExitStatus(err) != StatusUsage || !strings.Contains(err.Error(), "a report's name ends in .html") {
			t.Errorf("%s: status %d, %v", name, ExitStatus(err), err)
		}
	}
	folder := filepath.Join(t.TempDir(), "missing", "out.txt")
	if err := Check(t.Context(), cfg, noSources, Output{Reports: []string{folder}}, streams(t)); err == nil || !strings.Contains(err.Error(), "--report can't be written") {
		t.Errorf("%v", err)
	}
}
