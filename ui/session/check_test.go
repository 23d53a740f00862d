package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

// noSources reads nothing besides the endpoint.
var noSources = Sources{GPU: []string{"none"}, NoMetrics: true}

// TestMain says of what kind the terminals are, once for tests that run at the same time.
func TestMain(m *testing.M) {
	if err := errors.Join(os.Setenv("TERM", "xterm"), flag.Set("test.parallel", testsAtATime)); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// streams are files in a temporary folder that stand for the process's own.
func streams(t *testing.T) Streams {
	t.Helper()
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	return Streams{In: file("in"), Out: file("out"), Err: file("err"), Version: "1.2.3"}
}

func text(t *testing.T, f *os.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func config(t *testing.T) (engine.Config, *sim.Server) {
	t.Helper()
	server, err := sim.Start(sim.Config{TimeScale: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return engine.Config{
		Endpoint: wire.Endpoint{URL: server.URL(), NoProxy: true},
		Seed:     1,
		Budget:   load.Budget{Requests: 100},
		Knobs: snapshot.Knobs{
			Load:   load.Setting{Mode: load.Closed, Concurrency: 4},
			Shape:  shape.Shape{Prompt: shape.Fixed(32), Output: shape.Fixed(8)},
			SLO:    slo.Criteria{slo.E2EL: time.Minute},
			Target: 0.9, // which takes ten requests
		},
	}, server
}

func TestCheckKeepsDocumentAndTextApart(t *testing.T) {
	t.Parallel()
	std := streams(t)
	cfg, _ := config(t)
	if err := Check(t.Context(), cfg, noSources, Output{JSON: "-"}, std); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(text(t, std.Out)))
	decoder.DisallowUnknownFields()
	var r run.Report
	if err := decoder.Decode(&r); err != nil || decoder.More() {
		t.Fatalf("standard output is not one JSON document: %v\n%s", err, text(t, std.Out))
	}
	if r.Tokdyno != "1.2.3" || r.Requests.OK != 100 || r.SLO.Held == nil || !*r.SLO.Held {
		t.Errorf("document %+v", r)
	}
	people := text(t, std.Err)
	for _, want := range []string{"SIMULATED", "100 ok", "TTFT", "held"} {
		if !strings.Contains(people, want) {
			t.Errorf("the text lacks %q:\n%s", want, people)
		}
	}
	if strings.ContainsAny(people, "\x1b\r") {
		t.Errorf("the text holds control characters: %q", people)
	}
}

// What a server refuses is named wherever a reader looks, though --retry would have it sent again.
func TestRefusalsThatAreToBeSentAgainAreNamed(t *testing.T) {
	t.Parallel()
	cfg, server := config(t)
	faults, err := sim.ParseFaults([]string{"http_429=100%:60s"})
	if err != nil {
		t.Fatal(err)
	}
	server.SetFaults(faults)
	cfg.Endpoint.Retries, cfg.NoProbe, cfg.Knobs.Load.Concurrency = 3, true, 2
	cfg.Budget = load.Budget{Duration: time.Second}
	dir, std := t.TempDir(), streams(t)
	output := Output{JSON: filepath.Join(dir, "result.json"), Records: filepath.Join(dir, "records.jsonl")}
	err = Check(t.Context(), cfg, noSources, output, std)
	if ExitStatus(err) != StatusEndpoint || !strings.Contains(err.Error(), "2 of 2 requests failed") || !strings.Contains(err.Error(), "(429)") {
		t.Errorf("exit status %d: %v", ExitStatus(err), err)
	}
	b, err := os.ReadFile(output.JSON)
	if err != nil {
		t.Fatal(err)
	}
	var r run.Report
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	if r.Requests.Failed != 2 || r.Requests.Cancelled != 0 || len(r.Errors) != 1 || *r.Errors[0].Status != 429 {
		t.Errorf("requests %+v, errors %+v", r.Requests, r.Errors)
	}
	if q := r.Retries; q.Attempts != 0 || q.WaitedS <= 0 || q.Waiting != 0 || len(q.Refused) != 1 || q.Refused[0].Count != 2 {
		t.Errorf("retries %+v", q)
	}
	if people := text(t, std.Out); strings.Count(people, "Retry-After 60 s") < 2 {
		t.Errorf("the text does not say it in the notes and with the failures:\n%s", people)
	}
	if records, err := os.ReadFile(output.Records); err != nil || strings.Count(string(records), `"kind":"http_429"`) != 2 {
		t.Errorf("%v, records %s", err, records)
	}
}

func TestRecordsAddUpToTheReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	output := Output{JSON: filepath.Join(dir, "result.json"), Records: filepath.Join(dir, "records.jsonl")}
	cfg, _ := config(t)
	if err := Check(t.Context(), cfg, noSources, output, streams(t)); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(output.Records)
	if err != nil {
		t.Fatal(err)
	}
	ok := 0
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Scan() {
		var rec struct {
			Outcome      string   `json:"outcome"`
			TTFT         float64  `json:"ttft_ms"`
			E2EL         float64  `json:"e2el_ms"`
			OutputTokens int      `json:"output_tokens"`
			Sent         *float64 `json:"sent_s"`
			Residual     bool     `json:"residual"`
		}
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		if rec.Outcome == "ok" {
			ok++
		}
		if rec.OutputTokens < 1 || rec.OutputTokens > 8 || rec.OutputTokens < 8 && !rec.Residual || rec.TTFT <= 0 || rec.E2EL < rec.TTFT || rec.Sent == nil || *rec.Sent < 0 {
			t.Errorf("record %s", lines.Text())
		}
	}
	if ok != 100 {
		t.Errorf("%d records are ok, want 100", ok)
	}
}

func TestWithoutATerminalTheConsoleIsText(t *testing.T) {
	t.Parallel()
	std := streams(t)
	cfg, _ := config(t)
	if err := Console(t.Context(), cfg, noSources, Output{}, Look{}, std); err != nil {
		t.Fatal(err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "100 ok") || strings.Contains(out, "\x1b") {
		t.Errorf("printed %q", out)
	}
}

func TestAnInterruptedCheckStillReports(t *testing.T) {
	t.Parallel()
	cfg, server := config(t)
	cfg.Budget = load.Budget{}
	ctx, cancel := context.WithCancel(t.Context())
	var watcher sync.WaitGroup
	watcher.Go(func() {
		defer cancel()
		for server.Counters().Finished < 10 && ctx.Err() == nil {
			runtime.Gosched()
		}
	})
	defer watcher.Wait()
	std := streams(t)
	err := Check(ctx, cfg, noSources, Output{JSON: "-"}, std)
	if status := ExitStatus(err); status != StatusInterrupted {
		t.Errorf("status %d (%v), want %d", status, err, StatusInterrupted)
	}
	var r run.Report
	if err := json.Unmarshal([]byte(text(t, std.Out)), &r); err != nil {
		t.Errorf("no report: %v", err)
	}
	if r.Requests.OK == 0 {
		t.Errorf("what was measured before is lost: %+v", r.Requests)
	}
}

func TestVerdict(t *testing.T) {
	bound := "client-bound"
	// of is a run of which so many requests were judged, with that verdict.
	of := func(v slo.Verdict, n int) run.Report {
		text, held := string(v), v == slo.Held
		j := run.Judgement{Verdict: &text, N: n, Needed: new(100)}
		if v != slo.Unknown {
			j.Held = &held
		}
		return run.Report{Figures: run.Figures{Requests: run.Requests{OK: n}, SLO: run.SLO{Text: "ttft=1s", Target: 0.99, Judgement: j, Requests: v}}}
	}
	tests := []struct {
		name        string
		report      run.Report
		interrupted bool
		want        int
	}{
		{"no SLO", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 1}}}, false, StatusOK},
		{"held", of(slo.Held, 100), false, StatusOK},
		{"missed", of(slo.Missed, 100), false, StatusMissed},
		{"could not be judged", of(slo.Unknown, 100), false, StatusUntrusted},
		{"too few to judge", of(slo.Unknown, 99), false, StatusUntrusted},
		{"missed, and few", of(slo.Missed, 12), false, StatusMissed},
		{"client-bound", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 99}}, Client: run.Client{Verdict: &bound}}, false, StatusUntrusted},
		{"arrivals that were never started", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 99}}, Client: run.Client{Dropped: 50}}, false, StatusUntrusted},
		{"all failed", run.Report{Figures: run.Figures{Requests: run.Requests{Failed: 3}}, Errors: []run.Problem{{Example: "no"}}}, false, StatusEndpoint},
		{"nothing completed", run.Report{}, false, StatusUntrusted},
		{"half failed", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 3, Failed: 3}}, Errors: []run.Problem{{Example: "no"}}}, false, StatusEndpoint},
		{"one arrival that still waited", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 50}}, Client: run.Client{Dropped: 1}}, false, StatusOK},
		{"interrupted", run.Report{Figures: run.Figures{Requests: run.Requests{OK: 1}}}, true, StatusInterrupted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ExitStatus(verdict(&tt.report, tt.interrupted, 0)); got != tt.want {
				t.Errorf("status %d, want %d", got, tt.want)
			}
		})
	}
}

func TestVerdictOfASweep(t *testing.T) {
	level, limit := 4.0, 40.0
	estimated, bound := "estimated", "client-bound"
	found := run.Sweep{Kind: "search", Done: true, Judged: true, Found: true, Level: &level}
	doubtful, few, unfinished := found, found, found
	doubtful.Doubtful = true
	few.Rungs = []run.Rung{{Level: level, N: 3, Few: true}}
	unfinished.Done = false
	figures := func(ok, failed int) run.Figures { return run.Figures{Requests: run.Requests{OK: ok, Failed: failed}} }
	errs := []run.Problem{{Example: "too many requests"}}
	estimates := figures(99, 0)
	estimates.SLO = run.SLO{Text: "tpot=40ms", Criteria: run.Criteria{TPOT: &limit}}
	estimates.Tokens.Source = &estimated
	tests := []struct {
		name   string
		report run.Report
		limit  int
		want   int
		says   string
	}{
		{"found", run.Report{Figures: figures(99, 0), Sweep: &found}, 0, StatusOK, ""},
		{"found, and above it nearly all failed", run.Report{Figures: figures(99, 1000), Sweep: &found, Errors: errs}, 0, StatusOK, ""},
		{"no level completed any", run.Report{Figures: figures(0, 9), Sweep: &run.Sweep{Done: true, Judged: true, Missed: &level}, Errors: errs}, 0, StatusEndpoint, "too many requests"},
		{"none held", run.Report{Figures: figures(99, 0), Sweep: &run.Sweep{Done: true, Judged: true, Missed: &level}}, 0, StatusMissed, ""},
		{"nothing asked", run.Report{Figures: figures(99, 0), Sweep: &run.Sweep{Done: true}}, 0, StatusOK, ""},
		{"could not be judged", run.Report{Figures: figures(99, 0), Sweep: &run.Sweep{Done: true, Judged: true}}, 0, StatusUntrusted, "could not be judged"},
		{"on estimated TPOT", run.Report{Figures: estimates, Stages: []run.Stage{{Figures: estimates}}, Sweep: &found}, 0, StatusUntrusted, "TPOT is an estimate"},
		{"client-bound", run.Report{Figures: figures(99, 0), Sweep: &found, Client: run.Client{Verdict: &bound}}, 0, StatusUntrusted, "bottleneck"},
		{"with few requests", run.Report{Figures: figures(99, 0), Sweep: &few}, 0, StatusOK, ""},
		{"at one of two looks", run.Report{Figures: figures(99, 0), Sweep: &doubtful}, 0, StatusOK, ""},
		{"not to its end", run.Report{Figures: figures(99, 0), Sweep: &unfinished}, 0, StatusUntrusted, "more time"},
		{"not to its end, time being short", run.Report{Figures: figures(50, 0), Sweep: &unfinished}, 100, StatusUntrusted, "more time"},
		{"held back", run.Report{Figures: figures(90, 10), Sweep: &unfinished}, 100, StatusUntrusted, "gets 100 requests; allow more with --requests"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := verdict(&tt.report, false, tt.limit)
			if got := ExitStatus(err); got != tt.want {
				t.Errorf("status %d (%v), want %d", got, err, tt.want)
			}
			if tt.says != "" && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("said %q, want it to say %q", err, tt.says)
			}
		})
	}
}

func TestARunInWhichNothingWasDueIsNotTrusted(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(engine.Config, Streams) error{
		"check": func(cfg engine.Config, std Streams) error { return Check(t.Context(), cfg, noSources, Output{}, std) },
		"console, no terminal": func(cfg engine.Config, std Streams) error {
			return Console(t.Context(), cfg, noSources, Output{}, Look{}, std)
		},
	} {
		cfg, _ := config(t)
		cfg.Knobs.Load = load.Setting{Mode: load.Open, Rate: 0.01, Arrival: load.Constant}
		cfg.Budget = load.Budget{Duration: 100 * time.Millisecond}
		err := run(cfg, streams(t))
		if ExitStatus(err) != StatusUntrusted || !strings.HasPrefix(err.Error(), "no request was due in 0.1 s") {
			t.Errorf("%s: status %d, %v", name, ExitStatus(err), err)
		}
	}
}
