package session

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAKeptRunIsReportedAsOtherToolsDo writes a run in each of their formats, and reads those that are read again by the door
// that every command has.
func TestAKeptRunIsReportedAsOtherToolsDo(t *testing.T) {
	t.Parallel()
	std, _ := keptCheck(t, Keeping{})
	dir := t.TempDir()
	file := func(format, name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := Report(std, "last", ReportForm{File: path, Format: format}); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		return path
	}
	for _, path := range []string{
		file("vllm", "v.json"), file("aiperf", "profile_export_aiperf.json"), file("aiperf-jsonl", "profile_export.jsonl"),
	} {
		if err := Report(std, path, ReportForm{File: filepath.Join(dir, "back.json")}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		var back struct{ Notes []string }
		data, err := os.ReadFile(filepath.Join(dir, "back.json"))
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		if err != nil || len(back.Notes) == 0 || !strings.HasPrefix(back.Notes[0], "measured by ") {
			t.Errorf("%s: %v, notes %q", path, err, back.Notes)
		}
	}
	file("otava", "history.csv")
	f, err := os.Open(file("otava", "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != 3 {
		t.Errorf("two rows and their header are %d: %v", len(rows), err)
	}
	other := filepath.Join(dir, "other.csv")
	if err := os.WriteFile(other, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Report(std, "last", ReportForm{File: other, Format: "otava"}); err == nil || !strings.Contains(err.Error(), "other columns") {
		t.Errorf("a row was added to another table: %v", err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "a,b\n1,2\n" {
		t.Errorf("it is now %q, %v", data, err)
	}
}

func TestGapsThatWereNotKeptAreSaidOnce(t *testing.T) {
	t.Parallel()
	std, _ := keptCheck(t, Keeping{NoGaps: true})
	before := text(t, std.Err)
	if err := Report(std, "last", ReportForm{File: filepath.Join(t.TempDir(), "v"), Format: "vllm"}); err != nil {
		t.Fatal(err)
	}
	if said := strings.TrimPrefix(text(t, std.Err), before); strings.Count(said, "gaps") != 1 {
		t.Errorf("said %q", said)
	}
}
