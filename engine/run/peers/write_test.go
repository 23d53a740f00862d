package peers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tokdyno/engine/load"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server"
	"tokdyno/engine/slo"
	"tokdyno/gpu/optional"
)

// ordered are the keys of an object in the order in which they stand, and their values.
func ordered(t *testing.T, text []byte) (keys []string, values map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return keys, values
		}
		if err != nil {
			t.Fatal(err)
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 1 {
				keys = append(keys, v)
				var skip json.RawMessage
				if err := d.Decode(&skip); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// vllmKeys are those of vllm bench serve --save-result --save-detailed with --percentile-metrics ttft,tpot,itl,e2el,… and
// --metric-percentiles 50,90,95,99, in its order, each with the kind of its value: s text, n number, i whole number, l list,
// - null, because tokdyno does not know it.
const vllmKeys = `date s, endpoint_type s, backend s, label -, model_id s, tokenizer_id -, num_prompts i, request_rate s, burstiness -,
max_concurrency i, duration n, completed i, failed i, total_input_tokens i, total_output_tokens i, request_throughput n,
request_goodput n, output_throughput n, total_token_throughput n, input_lens l, output_lens l, ttfts l, itls l, latencies l,
start_times l, queue_times l, generated_texts -, errors l, max_output_tokens_per_s n, max_concurrent_requests i, rtfx n`

func TestVLLMHasItsKeysInOrder(t *testing.T) {
	want := make(map[string]string)
	var order []string
	for _, entry := range strings.Split(strings.ReplaceAll(vllmKeys, "\n", " "), ",") {
		words := strings.Fields(entry)
		order, want[words[0]] = append(order, words[0]), words[1]
	}
	for _, metric := range []string{"ttft", "tpot", "itl", "e2el", "client_queue_time"} {
		for _, statistic := range []string{"mean", "median", "std", "p50", "p90", "p95", "p99"} {
			key := statistic + "_" + metric + "_ms"
			order, want[key] = append(order, key), "n"
		}
	}
	keys, values := ordered(t, written(t, "vllm", example()))
	if !slices.Equal(keys, order) {
		t.Errorf("keys are\n%v\nwant\n%v", keys, order)
	}
	for key, kind := range want {
		if got := kindOf(values[key]); got != kind && (kind != "n" || got != "i") {
			t.Errorf("%s is %s (%s), want %s", key, values[key], got, kind)
		}
	}
}

func kindOf(text json.RawMessage) string {
	var v any
	_ = json.Unmarshal(text, &v)
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return "s"
	case []any:
		return "l"
	case float64:
		if v == math.Trunc(v) {
			return "i"
		}
		return "n"
	}
	return fmt.Sprintf("%T", v)
}

func TestVLLMByHand(t *testing.T) {
	var v struct {
		NumPrompts        int `json:"num_prompts"`
		Completed, Failed int
		Duration          float64
		In                int     `json:"total_input_tokens"`
		Out               int     `json:"total_output_tokens"`
		Rate              float64 `json:"request_throughput"`
		Goodput           float64 `json:"request_goodput"`
		OutRate           float64 `json:"output_throughput"`
		TotalRate         float64 `json:"total_token_throughput"`
		TTFTs, Latencies  []float64
		ITLs              [][]float64
		Errors            []string
		OutputLens        []int     `json:"output_lens"`
		InputLens         []*int    `json:"input_lens"`
		StartTimes        []float64 `json:"start_times"`
		QueueTimes        []float64 `json:"queue_times"`
		Mean              float64   `json:"mean_ttft_ms"`
		Median            float64   `json:"median_ttft_ms"`
		Std               float64   `json:"std_ttft_ms"`
		P99               float64   `json:"p99_ttft_ms"`
		TPOT              float64   `json:"mean_tpot_ms"`
		ITL               float64   `json:"p99_itl_ms"`
		E2EL              float64   `json:"mean_e2el_ms"`
		Queue             float64   `json:"mean_client_queue_time_ms"`
		Peak              float64   `json:"max_output_tokens_per_s"`
		Concurrent        int       `json:"max_concurrent_requests"`
	}
	if err := json.Unmarshal(written(t, "vllm", example()), &v); err != nil {
		t.Fatal(err)
	}
	if v.NumPrompts != 11 || v.Completed != 10 || v.Failed != 1 || v.In != 1000 || v.Out != 100 {
		t.Errorf("counts: %+v", v)
	}
	// From the first send, at 10 s, to the last token: sent at 19 s, 2400 + 90 ms.
	near(t, "duration", v.Duration, 11.49)
	near(t, "request_throughput", v.Rate, 10/11.49)
	near(t, "request_goodput", v.Goodput, 8/11.49) // 800 and 2400 ms miss 500 ms
	near(t, "output_throughput", v.OutRate, 100/11.49)
	near(t, "total_token_throughput", v.TotalRate, 1100/11.49)
	near(t, "mean", v.Mean, 415.2)
	near(t, "median", v.Median, 97.5)
	near(t, "std", v.Std, 694.835491321507)
	near(t, "p99", v.P99, 2256)
	near(t, "tpot", v.TPOT, 10)
	near(t, "itl", v.ITL, 10)
	near(t, "e2el", v.E2EL, 505.2)
	near(t, "queue", v.Queue, 2)
	// The failed one is the fourth: sent just after 12 s.
	if n := len(v.TTFTs); n != 11 || v.TTFTs[3] != 0 || v.Latencies[3] != 0 || len(v.ITLs[3]) != 0 || v.OutputLens[3] != 0 ||
		v.InputLens[3] != nil || v.Errors[3] != "the server said: overloaded" || v.Errors[2] != "" {
		t.Errorf("%d requests, the failed one is %v %v %v %v", n, v.TTFTs[3], v.Latencies[3], v.ITLs[3], v.Errors[3])
	}
	near(t, "first ttft", v.TTFTs[0], 0.080)
	near(t, "first gap", v.ITLs[0][0], 0.010)
	near(t, "start", v.StartTimes[1]-v.StartTimes[0], 1)
	near(t, "queue time", v.QueueTimes[0], 0.002)
	if !slices.IsSorted(v.StartTimes) {
		t.Errorf("not in order of sending: %v", v.StartTimes)
	}
	near(t, "peak", v.Peak, 10) // each is alone in its second
	if v.Concurrent != 1 {
		t.Errorf("%d at once, want 1", v.Concurrent)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// aiperfMetrics are the metrics of AIPerf's summary that a run may have, with their units: those with a distribution first.
const aiperfDistributed = `request_latency ms, time_to_first_token ms, time_to_second_token ms, time_to_first_output_token ms,
inter_token_latency ms, inter_chunk_latency ms, output_token_throughput_per_user tokens/sec/user, output_sequence_length tokens,
input_sequence_length tokens, output_token_count tokens`

const aiperfSingle = `request_throughput requests/sec, request_count requests, output_token_throughput tokens/sec, goodput requests/sec,
good_request_count requests, good_request_fraction ratio, total_output_tokens tokens, total_osl tokens, total_isl tokens,
benchmark_duration sec, error_request_count requests, min_request_timestamp ns, max_response_timestamp ns`

func unitsOf(list string) map[string]string {
	units := make(map[string]string)
	for _, entry := range strings.Split(strings.ReplaceAll(list, "\n", " "), ",") {
		words := strings.Fields(entry)
		units[words[0]] = words[1]
	}
	return units
}

func TestAIPerfHasItsMetrics(t *testing.T) {
	_, values := ordered(t, written(t, "aiperf", example()))
	head := []string{"schema_version", "benchmark_id", "start_time", "end_time", "was_cancelled", "input_config", "run_info", "error_summary"}
	for _, key := range head {
		if values[key] == nil {
			t.Errorf("there is no %s", key)
		}
		delete(values, key)
	}
	want := map[string][]string{
		aiperfDistributed: {"unit", "avg", "min", "max", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "std", "count", "sum"},
		aiperfSingle:      {"unit", "avg"},
	}
	for list, fields := range want {
		for tag, unit := range unitsOf(list) {
			if values[tag] == nil {
				t.Errorf("there is no %s", tag)
				continue
			}
			keys, block := ordered(t, values[tag])
			if !slices.Equal(keys, fields) || string(block["unit"]) != `"`+unit+`"` {
				t.Errorf("%s is %s, want %v in %s", tag, values[tag], fields, unit)
			}
			delete(values, tag)
		}
	}
	for key := range values {
		t.Errorf("AIPerf has no %s", key)
	}
}

func TestAIPerfByHand(t *testing.T) {
	type block struct{ Avg, P99, Std, Sum, Count, Max float64 }
	var v struct {
		Start   string `json:"start_time"`
		End     string `json:"end_time"`
		TTFT    block  `json:"time_to_first_token"`
		Second  block  `json:"time_to_second_token"`
		ITL     block  `json:"inter_token_latency"`
		Chunk   block  `json:"inter_chunk_latency"`
		User    block  `json:"output_token_throughput_per_user"`
		OSL     block  `json:"output_sequence_length"`
		Goodput block
		Share   block `json:"good_request_fraction"`
		Errors  []struct {
			Details struct {
				Code    int
				Type    string
				Message string
			} `json:"error_details"`
			Count int
		} `json:"error_summary"`
		Failed block `json:"error_request_count"`
	}
	if err := json.Unmarshal(written(t, "aiperf", example()), &v); err != nil {
		t.Fatal(err)
	}
	near(t, "ttft", v.TTFT.Avg, 415.2)
	near(t, "its p99", v.TTFT.P99, 2256)
	near(t, "its std, of a sample", v.TTFT.Std, 732.4209172327071)
	near(t, "its sum", v.TTFT.Sum, 4152)
	near(t, "its count", v.TTFT.Count, 10)
	near(t, "second token", v.Second.Avg, 10)
	near(t, "ITL, which is TPOT", v.ITL.Count, 10)
	near(t, "gaps", v.Chunk.Count, 90)
	near(t, "per user", v.User.Avg, 100)
	near(t, "osl", v.OSL.Max, 10)
	near(t, "goodput", v.Goodput.Avg, 8/11.49)
	near(t, "share", v.Share.Avg, 8.0/11)
	near(t, "failed", v.Failed.Avg, 1)
	if len(v.Errors) != 1 || v.Errors[0].Details.Code != 503 || v.Errors[0].Details.Type != "http_5xx" || v.Errors[0].Count != 1 {
		t.Errorf("errors %+v", v.Errors)
	}
	if v.Start != "2026-11-30T04:25:32Z" || v.End != "2026-11-30T04:25:43.49Z" { // the load began at 1 s of the clock
		t.Errorf("from %s to %s", v.Start, v.End)
	}
}

func TestAIPerfRequests(t *testing.T) {
	lines := bytes.Split(bytes.TrimSpace(written(t, "aiperf-jsonl", example())), []byte("\n"))
	if len(lines) != 11 {
		t.Fatalf("%d lines", len(lines))
	}
	metadata := strings.Fields(`session_num x_request_id x_correlation_id conversation_id turn_index request_start_ns request_ack_ns
		request_end_ns worker_id record_processor_id benchmark_phase was_cancelled cancellation_time_ns`)
	metrics := unitsOf(`input_sequence_length tokens, time_to_first_token ms, time_to_second_token ms, time_to_first_output_token ms,
		request_latency ms, output_token_count tokens, inter_chunk_latency ms, output_sequence_length tokens, inter_token_latency ms,
		output_token_throughput_per_user tokens/sec/user`)
	for i, line := range lines {
		keys, values := ordered(t, line)
		if !slices.Equal(keys, []string{"metadata", "metrics", "error"}) {
			t.Fatalf("line %d has %v", i, keys)
		}
		if keys, _ := ordered(t, values["metadata"]); !slices.Equal(keys, metadata) {
			t.Errorf("line %d: metadata has %v", i, keys)
		}
		_, has := ordered(t, values["metrics"])
		if failed := i == 3; failed {
			if len(has) != 0 || string(values["error"]) == "null" {
				t.Errorf("the failed one: %s", line)
			}
			continue
		}
		if len(has) != len(metrics) || string(values["error"]) != "null" {
			t.Errorf("line %d: %s", i, line)
		}
		for tag, unit := range metrics {
			var v struct{ Unit string }
			if err := json.Unmarshal(has[tag], &v); err != nil || v.Unit != unit {
				t.Errorf("line %d: %s is %s", i, tag, has[tag])
			}
		}
	}
	if !bytes.Contains(lines[0], []byte(`"request_start_ns": 1796012732000000000`)) {
		t.Errorf("the first line: %s", lines[0])
	}
}

// llmdTree are the objects of a Benchmark Report 0.2.1 with all that may be in them, by their path.
func llmdTree() map[string]string {
	return map[string]string{
		"":                           "version run scenario results",
		"run":                        "uid eid cid pid time user description keywords",
		"run.time":                   "start end duration",
		"scenario":                   "stack load",
		"scenario.load":              "metadata standardized native",
		"scenario.load.metadata":     "schema_version cfg_id description",
		"scenario.load.standardized": "tool tool_version parallelism source stage input_seq_len output_seq_len prefix multi_turn rate_qps concurrency",
		"scenario.load.standardized.input_seq_len":         "distribution value std_dev min max",
		"scenario.load.native":                             "args envars config",
		"results":                                          "request_performance session_performance observability profiling component_health",
		"results.request_performance":                      "aggregate time_series",
		"results.request_performance.aggregate":            "requests latency throughput",
		"results.request_performance.aggregate.requests":   "total failures incomplete input_length output_length request_size multimodal",
		"results.request_performance.aggregate.latency":    "time_to_first_token normalized_time_per_output_token time_per_output_token inter_token_latency request_latency",
		"results.request_performance.aggregate.throughput": "input_token_rate output_token_rate total_token_rate request_rate image_rate video_rate audio_rate",
	}
}

func TestLLMDHasNoKeyThatIsNotInItsSchema(t *testing.T) {
	text := written(t, "llm-d", example())
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	statistics := strings.Fields("units mean mode stddev min p0p1 p1 p5 p10 p25 p50 p75 p90 p95 p99 p99p9 max")
	units := strings.Fields("count ms ms/token tokens/s queries/s")
	tree, seen := llmdTree(), 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			return
		}
		may := strings.Fields(tree[path])
		if unit, ok := o["units"].(string); ok {
			if _, ok := o["mean"].(float64); !ok || !slices.Contains(units, unit) {
				t.Errorf("%s has units %v and mean %v", path, unit, o["mean"])
			}
			may = statistics
		} else if tree[path] == "" {
			return
		}
		seen++
		for key, value := range o {
			if !slices.Contains(may, key) {
				t.Errorf("%s has no %s", path, key)
			}
			walk(strings.TrimPrefix(path+"."+key, "."), value)
		}
	}
	walk("", root)
	if seen < 24 {
		t.Errorf("%d objects looked at", seen)
	}
	var v struct {
		Version string
		Run     struct{ UID string }
		Results struct {
			Performance struct {
				Aggregate struct {
					Requests struct{ Total, Failures int }
					Latency  map[string]struct {
						Units                  string
						Mean, Stddev, P99, Max float64
					}
				}
			} `json:"request_performance"`
		}
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	a := &v.Results.Performance.Aggregate
	if v.Version != "0.2.1" || v.Run.UID == "" || a.Requests.Total != 11 || a.Requests.Failures != 1 {
		t.Errorf("%+v", v)
	}
	near(t, "ttft p99", a.Latency["time_to_first_token"].P99, 2256)
	near(t, "tpot", a.Latency["time_per_output_token"].Mean, 10)
	near(t, "normalized", a.Latency["normalized_time_per_output_token"].Mean, 50.52)
}

func TestOtavaAddsARow(t *testing.T) {
	var b bytes.Buffer
	d := example()
	d.Report.Judged, d.Report.Figures.Requests.Failed = 11, 1
	p95 := 12.5
	d.Report.TTFT.P95 = &p95
	if err := errors.Join(WriteOtava(&b, d), AddOtava(&b, d)); err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(table) != 3 || !slices.Equal(table[0], OtavaHeader()) || !slices.Equal(table[1], table[2]) {
		t.Fatalf("%v: %v", err, table)
	}
	row := make(map[string]string)
	for i, name := range table[0] {
		row[name] = table[1][i]
	}
	if row["time"] != "2026-11-30 04:25:23 +0000" || row["ttft_p95_ms"] != "12.5" || row["tpot_p50_ms"] != "" || row["model"] != "m" {
		t.Errorf("%v", row)
	}
}

func TestGapsThatAreNotKeptAreNotThere(t *testing.T) {
	d := example()
	var told []string
	d.Warn = func(sentence string) { told = append(told, sentence) }
	all := d.Requests
	d.Requests = func(yield func(runfile.Request, error) bool) {
		for q, err := range all {
			if q.Gaps = nil; !yield(q, err) {
				return
			}
		}
	}
	_, values := ordered(t, written(t, "vllm", d))
	if len(told) != 1 || !strings.Contains(told[0], "gaps") {
		t.Errorf("told %q", told)
	}
	for _, key := range []string{"itls", "max_output_tokens_per_s", "std_itl_ms"} {
		if string(values[key]) != "null" {
			t.Errorf("%s is %s", key, values[key])
		}
	}
	if strings.Contains(string(written(t, "aiperf-jsonl", d)), "inter_chunk_latency") {
		t.Error("AIPerf's lines have gaps")
	}
}

func TestWithoutAnSLOThereIsNoGoodput(t *testing.T) {
	d := example()
	d.Last.Knobs.SLO = slo.Criteria{}
	_, values := ordered(t, written(t, "vllm", d))
	if string(values["request_goodput"]) != "null" {
		t.Errorf("goodput is %s", values["request_goodput"])
	}
	if strings.Contains(string(written(t, "aiperf", d)), "good") {
		t.Error("AIPerf's summary has a goodput")
	}
}

// TestVLLMTellsOfAnOpenLoopAndOfSpeculation has arrivals that wait for a place, and speculative decoding that the server counts.
func TestVLLMTellsOfAnOpenLoopAndOfSpeculation(t *testing.T) {
	d := example()
	row := &d.Last.Stages[0]
	row.Knobs.Load = load.Setting{Mode: load.Open, Rate: 4, Arrival: load.Gamma(2), MaxInFlight: 8}
	row.Telemetry.Server = &server.Summary{Window: server.Window{Speculation: server.Speculation{
		Rate: optional.Of(0.6), Length: optional.Of(2.8), Drafts: optional.Of(100), Drafted: optional.Of(300), Positions: []float64{0.8, 0.5},
	}}}
	all := d.Requests
	d.Requests = func(yield func(runfile.Request, error) bool) {
		for q, err := range all {
			if q.Record.Scheduled = q.Record.Sent.Add(-3 * ms); !yield(q, err) {
				return
			}
		}
	}
	_, values := ordered(t, written(t, "vllm", d))
	for key, want := range map[string]string{
		"request_rate": "4", "burstiness": "0.25", "max_concurrency": "8", "mean_client_queue_time_ms": "3",
		"mean_e2el_including_client_queue_ms": "508.2", "spec_decode_acceptance_rate": "60", "spec_decode_acceptance_length": "2.8",
		"spec_decode_num_drafts": "100", "spec_decode_draft_tokens": "300", "spec_decode_accepted_tokens": "null",
		"spec_decode_per_position_acceptance_rates": "[0.8,0.5]",
	} {
		if string(values[key]) != want {
			t.Errorf("%s is %s, want %s", key, values[key], want)
		}
	}
}

func TestNothingMeasuredIsNothingToWrite(t *testing.T) {
	d := example()
	d.Requests, d.Report.Judged = each(nil), 0
	for name, write := range writers() {
		if err := write(io.Discard, d); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// TestPythonReadsThem reads the formats by the keys of the tools that they are of, in the language of their scripts.
func TestPythonReadsThem(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	dir := t.TempDir()
	args := []string{filepath.Join("testdata", "read.py")}
	for _, name := range []string{"vllm", "aiperf", "aiperf-jsonl", "llm-d"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, written(t, name, example()), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	out, err := exec.Command(python, args...).CombinedOutput()
	if err != nil || string(out) != "vllm 2256.000 aiperf 2256.000 jsonl 10 llm-d 2256.000\n" {
		t.Errorf("%v: %s", err, out)
	}
}
