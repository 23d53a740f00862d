package session

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/kept"
	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
)

// keptCheck runs a short check that is kept in a folder.
func keptCheck(t *testing.T, keeping Keeping) (Streams, error) {
	t.Helper()
	cfg, _ := config(t)
	cfg.Budget = load.Budget{Requests: 12}
	std := streams(t)
	std.Runs = filepath.Join(t.TempDir(), "runs")
	cfg.Keep = keeping.To(std)
	records := filepath.Join(t.TempDir(), "records")
	err := Check(t.Context(), cfg, noSources, Output{Records: records}, std)
	if err != nil {
		t.Log(err)
	}
	if _, statErr := os.Stat(records); statErr != nil {
		t.Fatal(statErr)
	}
	return std, err
}

func TestACheckIsKept(t *testing.T) {
	std, _ := keptCheck(t, Keeping{})
	list, err := kept.Runs{Folder: std.Runs}.List()
	if err != nil || len(list) != 1 || list[0].Err != nil || list[0].End == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	var report run.Report
	if err := json.Unmarshal(list[0].End.Report, &report); err != nil || report.Requests.OK != 12 || report.Tokdyno != "1.2.3" {
		t.Errorf("the report in it: %+v, %v", report.Requests, err)
	}
	f, err := os.Open(list[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := runfile.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	begun, ended, events := 0, 0, make(map[string]int)
	for {
		b, err := r.Next()
		if err == io.EOF {
			break
		}
		begun, ended = begun+len(b.Begun), ended+len(b.Ended)
		for _, e := range b.Events {
			events[e.Do]++
		}
	}
	if begun != 12 || ended != 12 || events["stage"] == 0 || events["over"] != 1 || r.Damage() != nil {
		t.Errorf("%d begun, %d ended, events %v, damage %v", begun, ended, events, r.Damage())
	}
	if err := ListRuns(std); err != nil || !strings.Contains(text(t, std.Out), "last") {
		t.Errorf("%v: %s", err, text(t, std.Out))
	}
}

func TestARunIsNotKept(t *testing.T) {
	std, _ := keptCheck(t, Keeping{No: true})
	if _, err := os.Stat(std.Runs); !os.IsNotExist(err) {
		t.Errorf("there is a folder: %v", err)
	}
	if (Keeping{}).To(Streams{}) != nil {
		t.Error("a run is kept in no folder")
	}
}

// TestARunThatCantBeKeptGoesOn has the folder be a file.
func TestARunThatCantBeKeptGoesOn(t *testing.T) {
	cfg, _ := config(t)
	cfg.Budget = load.Budget{Requests: 12}
	cfg.Knobs.SLO = slo.Criteria{} // of which so few requests would say nothing
	std := streams(t)
	std.Runs = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(std.Runs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Keep = Keeping{}.To(std)
	if err := Console(t.Context(), cfg, noSources, Output{}, Look{}, std); err != nil {
		t.Fatal(err)
	}
	if out := text(t, std.Out); strings.Count(out, "the run is not kept") != 1 || !strings.Contains(out, "12 ok") {
		t.Error(out)
	}
}

func TestARunInWhichNothingWasSentLeavesNoFile(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t)
	cfg.Knobs.Load = load.Setting{Mode: load.Open, Rate: 0.001, Arrival: load.Constant}
	cfg.Budget = load.Budget{Duration: 300 * time.Millisecond}
	std := streams(t)
	std.Runs = t.TempDir()
	cfg.Keep = Keeping{}.To(std)
	if err := Check(t.Context(), cfg, noSources, Output{}, std); err == nil {
		t.Fatal("something was sent")
	}
	if files, err := os.ReadDir(std.Runs); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestRunsAreNamedMarkedAndRemoved(t *testing.T) {
	std := streams(t)
	std.Runs = t.TempDir()
	runs := kept.Runs{Folder: std.Runs}
	for i := range 3 {
		rec, err := runs.Create(runfile.Header{Started: time.Unix(int64(i)*100, 0)}, runfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(nil, runfile.End{Report: json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		NameRun(std, "last", "good"), NameRun(std, "last~1", "other"), NameRun(std, "other", ""),
		MarkBaseline(std, "last~2", true), RemoveRuns(std, []string{"last~1", "last~2"}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if list, err := runs.List(); err != nil || len(list) != 1 || list[0].Said.Name != "good" {
		t.Errorf("%+v, %v", list, err)
	}
	for what, err := range map[string]error{
		"a name that is taken": NameRun(std, "last", "last"), "a run that is not there": NameRun(std, "nosuch", "x"),
		"one to be removed": RemoveRuns(std, []string{"last", "nosuch"}), "a file of another kind": RemoveRuns(std, []string{std.Out.Name()}),
		"one to be named": NameRun(std, std.Out.Name(), "x"), "one for a baseline": MarkBaseline(std, std.Out.Name(), true),
	} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if list, _ := runs.List(); len(list) != 1 {
		t.Error("a run went although another could not be found")
	}
}

// TestTheReportOfAKeptRunIsTheRuns compares what check wrote when the run was over with what is made of the file.
func TestTheReportOfAKeptRunIsTheRuns(t *testing.T) {
	cfg, _ := config(t)
	cfg.Budget = load.Budget{Requests: 40}
	std := streams(t)
	std.Runs = t.TempDir()
	cfg.Keep = Keeping{}.To(std)
	live, kept := filepath.Join(t.TempDir(), "live.json"), filepath.Join(t.TempDir(), "kept.json")
	if err := Check(t.Context(), cfg, noSources, Output{JSON: live}, std); err != nil {
		t.Log(err)
	}
	if err := Report(std, "last", ReportForm{File: kept}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(live)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	gaps := func(text string) string { // ITL is to a microsecond
		return regexp.MustCompile(`"(itl_ms|chunk_gap_ms)": \{[^}]*\}`).ReplaceAllString(text, "")
	}
	if diff := cmp.Diff(gaps(string(want)), gaps(string(got))); diff != "" {
		t.Errorf("the report of the file differs (-run +file):\n%s", diff)
	}
	printed := text(t, std.Out)
	name := strings.Fields(printed[strings.Index(printed, "tokdyno replay "):])[2]
	if err := ShowRun(std, name); err != nil {
		t.Fatal(err)
	}
	shown := text(t, std.Out)[len(printed):]
	if !strings.Contains(shown, "run         "+name) || !strings.Contains(shown, "whole run   40 ok") {
		t.Error(shown)
	}
}

func TestARunThatCantBeShownIsOneSentence(t *testing.T) {
	std := streams(t)
	std.Runs = t.TempDir()
	other := filepath.Join(std.Runs, "other.tdr")
	if err := os.WriteFile(other, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"no terminal": Replay(t.Context(), "last", Look{}, std), "not a run": ShowRun(std, "last"), "no such run": Report(std, "x", ReportForm{}),
		"a form": Report(std, "last", ReportForm{Format: "pdf"}), "a form by name": Report(std, "last", ReportForm{File: "x.docx"}),
	} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := ListRuns(std); err != nil || !strings.Contains(text(t, std.Out), "not a run of tokdyno's") {
		t.Errorf("%v: %s", err, text(t, std.Out))
	}
}
