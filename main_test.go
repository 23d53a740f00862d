package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"tokdyno/engine/run"
	"tokdyno/engine/sim"
	"tokdyno/ui/cell"
	"tokdyno/ui/session"
)

// TestMain keeps what the tester's environment says of an endpoint, and the tester's own files, from the tests.
func TestMain(m *testing.M) {
	os.Unsetenv("OPENAI_BASE_URL")
	os.Unsetenv("OPENAI_API_KEY")
	folder, err := os.MkdirTemp("", "tokdyno-config") // nor what a tester's own presets and configuration say
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CONFIG_HOME", folder)
	xdg.Reload()
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// execute runs a command line and returns its exit status and the sentence that goes with it.
func execute(t *testing.T, args ...string) (status int, said string) {
	t.Helper()
	sink, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	root, err := newRoot(session.Streams{In: sink, Out: sink, Err: sink, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return session.ExitStatus(err), sentence(err)
	}
	return 0, ""
}

// answer serves the same status and body for every request, and a model list with the given ids.
func answer(t *testing.T, status int, contentType, body string, models ...string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") && models != nil {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"object": "list", "data": [{"id": "` + strings.Join(models, `"}, {"id": "`) + `"}]}`))
			return
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestBadInputIsOneSentenceAndAStatus(t *testing.T) {
	const jsonType = "application/json"
	unauthorized := answer(t, 401, jsonType, `{"error": {"message": "Incorrect API key", "type": "invalid_request_error"}}`, "m")
	notFound := answer(t, 404, jsonType, `{"detail": "Not Found"}`)
	html := answer(t, 200, "text/html", "<!DOCTYPE html><html><body>Welcome to nginx</body></html>")
	several := answer(t, 200, jsonType, "{}", "qwen3-8b", "llama-3.1-8b")
	noModel := answer(t, 200, jsonType, `{"object": "list", "data": []}`)

	tests := []struct {
		name   string
		args   []string
		status int
		says   []string
	}{
		{"unknown flag", []string{"check", "h:1", "--nosuch"}, 2, []string{"--nosuch", "tokdyno check --help"}},
		{"SLO without a unit", []string{"check", "h:1", "--slo", "ttft=500"}, 2, []string{"--slo: 500 of what? ttft=500ms"}},
		{"not a number", []string{"check", "h:1", "--requests", "abc"}, 2, []string{"--requests: ", `"abc" is not a whole number`}},
		{"time without a unit", []string{"check", "h:1", "--duration", "20"}, 2, []string{"--for: 20 of what? 20s"}},
		{"bad length", []string{"check", "h:1", "--prompt-tokens", "lots"}, 2, []string{"--prompt-tokens", `"lots"`}},
		{"bad share", []string{"check", "h:1", "--slo-target", "110%"}, 2, []string{"--slo-target", "at most 100%"}},
		{"bad concurrency", []string{"check", "h:1", "-c", "0"}, 2, []string{"--concurrency", `"0"`}},
		{"bad rate", []string{"check", "h:1", "--rate", "-3"}, 2, []string{"--rate", `"-3"`}},
		{"open-loop flag in a closed loop", []string{"check", "h:1", "--arrival", "constant"}, 2, []string{"--rate"}},
		{"bad arrival", []string{"check", "h:1", "--rate", "1", "--arrival", "bursty"}, 2, []string{"bursty", "poisson"}},
		{"bad preset", []string{"check", "h:1", "--preset", "nosuch"}, 2, []string{"nosuch", "tokdyno presets"}},
		{"a preset's file that is not there", []string{"check", "h:1", "--preset", "./nosuch.yaml"}, 2, []string{"./nosuch.yaml", "no such file"}},
		{"a trace that is not there", []string{"check", "h:1", "--trace", "/nosuch.jsonl"}, 2, []string{"--trace", "/nosuch.jsonl"}},
		{"a data set that is not there", []string{"check", "h:1", "--data", "/nosuch.jsonl"}, 2, []string{"--data", "/nosuch.jsonl"}},
		{"bad objective", []string{"check", "h:1", "--objectives", "ttft p99 <= 500"}, 2, []string{"--objectives", "500"}},
		{"bad ramp", []string{"check", "h:1", "--ramp", "slowly"}, 2, []string{"--ramp", "slowly"}},
		{"bad levels", []string{"sweep", "h:1", "--levels", "1,x"}, 2, []string{"--levels", "x"}},
		{"search without an SLO", []string{"sweep", "127.0.0.1:1", "--search", "--gpu", "none"}, 2, []string{"needs an SLO"}},
		{"bad GPU source", []string{"gpu", "--gpu", "nosuch"}, 2, []string{"--gpu", "nosuch"}},
		{"GPU source that is not there", []string{"check", "h:1", "--gpu", "smi"}, 2, []string{"--gpu smi", "nvidia-smi"}},
		{"bad price", []string{"check", "h:1", "--gpu-hour-price", "-1"}, 2, []string{"price"}},
		{"preset that is not there, shown", []string{"presets", "show", "nosuch"}, 2, []string{"nosuch"}},
		{"bad API", []string{"check", "h:1", "--api", "grpc"}, 2, []string{"grpc", "completions"}},
		{"header without a value", []string{"check", "h:1", "--header", "s3cret"}, 2, []string{"--header"}},
		{"extra body that is no object", []string{"check", "h:1", "--extra-body", "[]"}, 2, []string{"--extra-body"}},
		{"key file that is not there", []string{"check", "h:1", "--api-key-file", "/nosuch/key"}, 2, []string{"--api-key-file"}},
		{"CA file that is not there", []string{"check", "https://h:1", "--ca", "/nosuch/ca.pem"}, 2, []string{"/nosuch/ca.pem"}},
		{"result that can't be written", []string{"check", "h:1", "--json", "/nosuch/result.json"}, 2, []string{"--json"}},
		{"URL of another scheme", []string{"check", "ftp://h"}, 2, []string{"ftp://", "http://"}},
		{"one of two URLs", []string{"check", "127.0.0.1:1", "ftp://h"}, 2, []string{"ftp"}},
		{"no URL", []string{"check"}, 2, []string{"no endpoint", "OPENAI_BASE_URL"}},
		{"no URL for the console", nil, 2, []string{"no endpoint", "tokdyno demo"}},
		{"several errors", []string{"report", "no\nsuch"}, 2, []string{`no run "no\nsuch"`}},
		{"an empty allowance", []string{"check", "h:1", "--baseline", "last", "--max-regression", ""}, 2, []string{"--max-regression", "is empty"}},
		{"an empty baseline", []string{"check", "h:1", "--baseline", " "}, 2, []string{"--baseline", "is empty"}},
		{"mistyped command", []string{"chek"}, 2, []string{`did you mean check?`}},
		{"unknown profile", []string{"demo", "--profile", "tpu"}, 2, []string{"tpu", "small-gpu"}},
		{"unknown theme", []string{"demo", "--theme", "pink"}, 2, []string{"pink", "dark"}},
		{"nothing listens", []string{"check", "http://127.0.0.1:1"}, 3, []string{"127.0.0.1:1"}},
		{"unknown host", []string{"check", "http://nosuch.invalid"}, 3, []string{"nosuch.invalid"}},
		{"key refused", []string{"check", unauthorized}, 3, []string{"401", "--api-key"}},
		{"not found", []string{"check", notFound, "--model", "m"}, 3, []string{"404", notFound + "/v1/chat/completions"}},
		{"a page instead of an API", []string{"check", html}, 3, []string{"web page"}},
		{"a page instead of an API, model given", []string{"check", html, "--model", "m"}, 3, []string{"web page"}},
		{"several models", []string{"check", several}, 3, []string{"--model", "qwen3-8b", "llama-3.1-8b"}},
		{"no model", []string{"check", noModel}, 3, []string{"--model"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, said := execute(t, tt.args...)
			if status != tt.status {
				t.Errorf("status %d, want %d; said %q", status, tt.status, said)
			}
			for _, want := range tt.says {
				if !strings.Contains(said, want) {
					t.Errorf("said %q, want it to name %q", said, want)
				}
			}
			if strings.Contains(said, "\n") || strings.Contains(said, "s3cret") || len(said) > 400 {
				t.Errorf("not one plain sentence: %q", said)
			}
		})
	}
}

// TestTheConfigurationFileHolds follows a setting from the file into a run, past flags and environment.
func TestTheConfigurationFileHolds(t *testing.T) {
	server, err := sim.Start(sim.Config{TimeScale: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	file := filepath.Join(t.TempDir(), "config.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const load = "\nno_keep: true\ngpu: none\nrequests: 10\nconcurrency: 4\noutput_tokens: 8\n"
	result := filepath.Join(t.TempDir(), "result.json")
	for _, tt := range []struct {
		name, file string
		args       []string
		limit      float64 // of E2EL, in ms, that the run had
	}{
		{"a limit", "url: " + server.URL() + "\nslo: e2el=1us" + load, []string{"check"}, 0.001},
		{"a flag over it", "url: " + server.URL() + "\nslo: e2el=1us" + load, []string{"check", "--slo", "e2el=1m"}, 60_000},
		{"an argument over its endpoint", "url: http://127.0.0.1:1\nslo: e2el=2m" + load, []string{"check", server.URL()}, 120_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write(tt.file)
			_, said := execute(t, append([]string{"--config", file, "--json", result}, tt.args...)...)
			var r run.Report
			text, err := os.ReadFile(result)
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err != nil || r.Load.Concurrency == nil || *r.Load.Concurrency != 4 || r.SLO.Criteria.E2EL == nil || *r.SLO.Criteria.E2EL != tt.limit {
				t.Errorf("%v, said %q: %s", err, said, text)
			}
		})
	}
	for _, tt := range []struct {
		name, file string
		args       []string
		status     int
		says       string
	}{
		{"what it may not hold", "api_key: s3cret", []string{"check", server.URL()}, 2, "config.yaml:1:1: api_key: "},
		{"nothing, where it is off", "api_key: s3cret", []string{"check", "--config", "off", "h:1", "--rate", "-3"}, 2, "--rate"},
		{"a theme that is not there", "theme: pink", []string{"themes"}, 2, "config.yaml:1:8: theme: unknown theme"},
		{"where a worker joins", "join: http://no-nats:1", []string{"worker"}, 2, "http://no-nats:1"},
		{"nothing to those who do not read it", "theme: pink", []string{"runs"}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write(tt.file)
			status, said := execute(t, append([]string{"--config", file}, tt.args...)...)
			if status != tt.status || !strings.Contains(said, tt.says) || strings.Contains(said, "s3cret") {
				t.Errorf("status %d, said %q; want %d, and %q", status, said, tt.status, tt.says)
			}
		})
	}
}

// TestHelpFitsATerminal looks at the help of every command.
func TestHelpFitsATerminal(t *testing.T) {
	root, err := newRoot(session.Streams{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	root.InitDefaultCompletionCmd()
	for commands := []*cobra.Command{root}; len(commands) > 0; commands = commands[1:] {
		c := commands[0]
		if c.Name() == "completion" {
			continue // its text is cobra's
		}
		commands = append(commands, c.Commands()...)
		for line := range strings.SplitSeq(c.Long+"\n"+c.UsageString(), "\n") {
			if n := cell.Width(line); n > helpColumns {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), n, line)
			}
		}
	}
}

func TestCheckTellsByItsStatusWhetherTheSLOHeld(t *testing.T) {
	server, err := sim.Start(sim.Config{TimeScale: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	tests := []struct {
		name   string
		args   []string
		status int
	}{
		{"held", []string{"--slo", "e2el=1m"}, 0},
		{"none set", nil, 0},
		{"missed", []string{"--slo", "e2el=1us"}, 1},
		{"nothing completed", []string{"--duration", "100ms", "--requests", "0", "--output-tokens", "7000", "--start", "together"}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"check", server.URL(), "--no-proxy", "--requests", "100", "-c", "4", "--output-tokens", "8", "--slo-target", "90%"}, tt.args...)
			if status, said := execute(t, args...); status != tt.status {
				t.Errorf("status %d, want %d; said %q", status, tt.status, said)
			}
		})
	}
}

func TestCheckWritesItsResults(t *testing.T) {
	server, err := sim.Start(sim.Config{TimeScale: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	result, records := filepath.Join(dir, "result.json"), filepath.Join(dir, "records.jsonl")
	status, said := execute(t, "check", server.URL(), "--no-proxy", "--requests", "20", "-c", "4", "--output-tokens", "8",
		"--json", result, "--records", records)
	if status != 0 {
		t.Fatalf("status %d, said %q", status, said)
	}
	for name, want := range map[string]int{result: 1, records: 20} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		documents := 0
		for decoder := json.NewDecoder(bytes.NewReader(b)); decoder.More(); documents++ {
			var document map[string]any
			if err := decoder.Decode(&document); err != nil {
				t.Fatalf("%s: %v", filepath.Base(name), err)
			}
		}
		if documents != want {
			t.Errorf("%s holds %d documents, want %d", filepath.Base(name), documents, want)
		}
	}
}

// A server that sends more than its answer has net/http log that, on standard error or into the console.
func TestNothingIsLogged(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	const body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		c, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s\r\nsurplus\n", len(body), body)
		_ = out.Flush()
		_, _ = io.Copy(io.Discard, c) // until the client hangs up
	}))
	defer server.Close()
	if status, said := execute(t, "check", server.URL, "--no-probe", "--model", "m", "--requests", "2", "-c", "1"); status > 1 && status != 4 {
		t.Errorf("status %d: %s", status, said)
	}
	if logged.Len() > 0 {
		t.Errorf("logged: %s", &logged)
	}
}
