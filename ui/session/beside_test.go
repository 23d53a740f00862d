package session

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tokdyno/engine/run"
)

// TestTheConsoleWritesResults has a console without a terminal write what a check does.
func TestTheConsoleWritesResults(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t)
	std, dir := streams(t), t.TempDir()
	output := Output{JSON: filepath.Join(dir, "result.json"), Records: filepath.Join(dir, "records.jsonl"), Metrics: "127.0.0.1:0"}
	if err := Console(t.Context(), cfg, noSources, output, Look{}, std); err != nil {
		t.Fatal(err)
	}
	var report run.Report
	data, err := os.ReadFile(output.JSON)
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil || report.Requests.OK != 100 {
		t.Errorf("%v: %s", err, data)
	}
	records, err := os.ReadFile(output.Records)
	if n := strings.Count(string(records), "\n"); err != nil || n != 100 {
		t.Errorf("%d records, %v", n, err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "figures are served at http://127.0.0.1:") {
		t.Errorf("printed %s", out)
	}
}

func TestTheConsolesResultOnStandardOutputIsAlone(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t)
	std := streams(t)
	if err := Console(t.Context(), cfg, noSources, Output{JSON: standard}, Look{}, std); err != nil {
		t.Fatal(err)
	}
	if out := text(t, std.Out); !json.Valid([]byte(out)) {
		t.Errorf("standard output has %s", out)
	}
	if err := text(t, std.Err); !strings.Contains(err, "answer ") {
		t.Errorf("standard error has %s", err)
	}
}

// TestAReportIsPrintedThoughAResultCantBeWritten has the disk be full when the run is over.
func TestAReportIsPrintedThoughAResultCantBeWritten(t *testing.T) {
	t.Parallel()
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	cfg, _ := config(t)
	for name, ends := range map[string]func(Output, Streams) error{
		"check":   func(o Output, std Streams) error { return Check(t.Context(), cfg, noSources, o, std) },
		"console": func(o Output, std Streams) error { return Console(t.Context(), cfg, noSources, o, Look{}, std) },
	} {
		std := streams(t)
		err := ends(Output{JSON: full}, std)
		if err == nil || !strings.Contains(err.Error(), "--json /dev/full can't be written") {
			t.Errorf("%s: %v", name, err)
		}
		if out := text(t, std.Out); !strings.Contains(out, "answer ") {
			t.Errorf("%s printed no report: %s", name, out)
		}
	}
}

// TestATakenPortIsRefusedBeforeAnyFileIsTouched gives a check the port of another program.
func TestATakenPortIsRefusedBeforeAnyFileIsTouched(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	cfg, _ := config(t)
	output := Output{JSON: filepath.Join(t.TempDir(), "result.json"), Metrics: other.Addr().String()}
	err = Check(t.Context(), cfg, noSources, output, streams(t))
	if ExitStatus(err) != StatusUsage || err == nil || !strings.Contains(err.Error(), "--serve-metrics: "+other.Addr().String()+" is taken") {
		t.Errorf("status %d, %v", ExitStatus(err), err)
	}
	if _, err := os.Stat(output.JSON); err == nil {
		t.Error("the file is there")
	}
}
