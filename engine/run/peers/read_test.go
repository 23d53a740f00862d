package peers

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
)

// TestWhatIsWrittenIsRead holds requests that were written in a format against those that are read of it.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, name := range []string{"vllm", "aiperf-jsonl"} {
		d := example()
		m, err := measure(d)
		if err != nil {
			t.Fatal(err)
		}
		summary := written(t, "aiperf", d)
		f, err := Read(written(t, name, d), func(name string) ([]byte, error) {
			if name == aiperfSummary {
				return summary, nil
			}
			return nil, errors.New("no")
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.Requests) != len(m.requests) || f.Load.Mode != load.Closed || f.Load.Concurrency != 4 || f.Model != "m" {
			t.Fatalf("%s: %d requests of %q under %+v", name, len(f.Requests), f.Model, f.Load)
		}
		for i := range f.Requests {
			got, want := f.Requests[i].Record, m.requests[i].Record
			if got.Outcome != want.Outcome || got.OutputTokens != want.OutputTokens || (got.Error == "") != (want.Error == "") {
				t.Errorf("%s: request %d is %+v, want %+v", name, i, got, want)
			}
			for which, of := range map[string]func(*record.Record) (time.Duration, bool){
				"TTFT": (*record.Record).TTFT, "TPOT": (*record.Record).TPOT, "E2EL": (*record.Record).E2EL,
			} {
				a, aOK := of(got)
				b, bOK := of(want)
				if aOK != bOK || math.Abs(float64(a-b)) > 1 {
					t.Errorf("%s: %s of request %d is %v, want %v", name, which, i, a, b)
				}
			}
			if len(f.Requests[i].Gaps) != len(m.requests[i].Gaps) {
				t.Errorf("%s: request %d has %d gaps", name, i, len(f.Requests[i].Gaps))
			}
			if off := (got.Sent - f.Requests[0].Record.Sent) - (want.Sent - m.requests[0].Record.Sent); off < -10 || off > 10 {
				t.Errorf("%s: request %d was sent %v later than it was", name, i, time.Duration(off))
			}
		}
	}
}

// TestFilesOfTheTools reads what the tools themselves write, as far as it is told of them: with what is left out, in other
// units, in any order.
func TestFilesOfTheTools(t *testing.T) {
	for _, tt := range []struct {
		file             string
		tool, mode       string
		requests, failed int
		note             string
	}{
		{"vllm_rate.json", vllmTool, "2 req/s gamma:2, max 8 in flight", 3, 1, ""},
		{"vllm_no_gaps.json", vllmTool, "c=2", 2, 0, "ITL is not known"},
		{"aiperf.jsonl", aiperfTool, "c=2", 3, 1, "1 requests of the warm-up"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(data, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		failed := 0
		for _, q := range f.Requests {
			if q.Record.Outcome == record.Failed {
				failed++
			}
		}
		if f.Tool != tt.tool || f.Load.String() != tt.mode || len(f.Requests) != tt.requests || failed != tt.failed {
			t.Errorf("%s: %s under %s, %d requests, %d failed", tt.file, f.Tool, f.Load, len(f.Requests), failed)
		}
		if !strings.Contains(strings.Join(f.Notes, "; "), tt.note) {
			t.Errorf("%s: notes %q", tt.file, f.Notes)
		}
	}
}

func TestBadFilesAreRefusedInASentence(t *testing.T) {
	whole := string(written(t, "vllm", example()))
	lines := string(written(t, "aiperf-jsonl", example()))
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":           {"", "neither a run of tokdyno's nor"},
		"other JSON":        {`{"a": 1}`, "neither"},
		"no JSON":           {"ttft,tpot\n1,2\n", "neither"},
		"cut":               {whole[:len(whole)/2], "cut short"},
		"no list":           {strings.Replace(whole, `"ttfts": [`, `"ttfts": "x", "was": [`, 1), "ttfts is of type string where array should be"},
		"no requests":       {`{"duration": 1, "completed": 2, "request_throughput": 2}`, "--save-detailed"},
		"several":           {whole + whole, "several results"},
		"lists that differ": {strings.Replace(whole, `"ttfts": [`, `"ttfts": [0.5, `, 1), "12 ttfts"},
		"a text":            {strings.Replace(whole, `"ttfts": [`, `"ttfts": ["x", `, 1), "is of type string where number should be"},
		"no time":           {strings.Replace(whole, `"start_times": [`, `"start_times": [-1e300, `, 1), "12 start_times"},
		"summary":           {string(written(t, "aiperf", example())), "give profile_export.jsonl"},
		"damaged line":      {strings.Replace(lines, `{"value": 100`, `{"value": 100 100`, 1), "neither"},
		"damaged later":     {lines + `{"metadata": {`, "line 12"},
		"no instant":        {`{"metadata": {}, "metrics": {}}`, "no request_start_ns"},
		"far away": {
			`{"metadata": {"request_start_ns": 1, "request_end_ns": 2}, "metrics": {}}` + "\n" +
				`{"metadata": {"request_start_ns": 9000000000000000000, "request_end_ns": 9000000000000000001}, "metrics": {}}`, "too far",
		},
		"warm-up alone": {`{"metadata": {"request_start_ns": 1, "benchmark_phase": "warmup"}, "metrics": {}}`, "no request"},
	} {
		_, err := Read([]byte(tt.text), nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q in it", name, err, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.json*"))
	if err != nil || len(files) < 3 {
		f.Fatal(files, err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(written(f, "vllm", example()))
	f.Add(written(f, "aiperf-jsonl", example()))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(data, nil)
		if err != nil {
			if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\r") {
				t.Fatalf("%q", text)
			}
			return
		}
		before := record.Instant(0)
		for i, q := range got.Requests {
			r := q.Record
			if r.Sent < before || r.Sent < 1 || r.End < r.Sent || r.LastToken != 0 && r.LastToken < r.FirstToken {
				t.Fatalf("request %d of %d: %+v", i, len(got.Requests), r)
			}
			if q.GapsKnown() != (q.Gaps != nil) && r.Gaps != 0 {
				t.Fatalf("request %d has %d gaps of %d", i, len(q.Gaps), r.Gaps)
			}
			before = r.Sent
		}
		if err := got.Load.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
