// Every server's page, every value.

package server

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func page(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// values are the figures of m by the names of their fields.
func values(m Metrics) map[string]optional.Value {
	all := make(map[string]optional.Value)
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		if value, ok := v.Field(i).Interface().(optional.Value); ok {
			all[v.Type().Field(i).Name] = value
		}
	}
	return all
}

// known are the values of those that are known.
func known(m Metrics) map[string]float64 {
	all := make(map[string]float64)
	for name, value := range values(m) {
		if value.OK() {
			all[name] = value.V
		}
	}
	return all
}

// counts is a histogram's Count and Sum; nil: it is unknown.
func counts(h Histogram) []float64 {
	if !h.OK() {
		return nil
	}
	return []float64{h.Count, h.Sum}
}

func TestEveryServersPageGivesEveryFigure(t *testing.T) {
	for _, test := range []struct {
		page      string
		kind      Kind
		engines   int
		known     map[string]float64
		ttft      []float64 // count and sum
		queueTime []float64
	}{
		{
			page: "vllm.txt", kind: VLLM, engines: 2,
			known: map[string]float64{
				"Started": 1.7641e9,
				"Running": 12, "Waiting": 3, "KVUsage": 0.75,
				"PrefixHits": 1000, "PrefixQueries": 4000, "Preemptions": 6,
				"PromptTokens": 4400, "GenerationTokens": 1200, "Requests": 18,
				"SpecDraft": 300, "SpecAccepted": 200, "SpecSteps": 100,
			},
			ttft: []float64{18, 13}, queueTime: []float64{18, 1.5},
		},
		{
			page: "vllm-v0.txt", kind: VLLM, engines: 1,
			known: map[string]float64{
				"Running": 3, "Waiting": 0, "KVUsage": 0.125,
				"PrefixHits": 20, "PrefixQueries": 80, "Preemptions": 0,
				"PromptTokens": 64, "GenerationTokens": 128, "AcceptRate": 0.625,
			},
			ttft: []float64{8, 0.5},
		},
		{
			page: "vllm-ray.txt", kind: VLLM, engines: 3,
			known: map[string]float64{
				"Running": 18, "Waiting": 9, "KVUsage": 0.625,
				"PrefixHits": 6, "PrefixQueries": 60, "GenerationTokens": 600,
			},
			ttft: []float64{5, 1.5},
		},
		{
			page: "llm-d.txt", kind: VLLM, engines: 1,
			known: map[string]float64{
				"Running": 0, "Waiting": 0, "KVUsage": 0, "PrefixHits": 0, "PrefixQueries": 25,
				"PromptTokens": 25, "GenerationTokens": 44, "Requests": 3,
			},
			ttft: []float64{3, 0.092},
		},
		{
			page: "sglang.txt", kind: SGLang, engines: 2,
			known: map[string]float64{
				"Running": 24, "Waiting": 3, "KVUsage": 0.875, "HitRate": 0.5,
				"PrefixHits": 2000, "PrefixQueries": 9000, "Preemptions": 6,
				"PromptTokens": 9000, "GenerationTokens": 4000, "Requests": 40,
				"AcceptLength": 2.5, "AcceptRate": 0.625,
			},
			ttft: []float64{40, 6}, queueTime: []float64{40, 1},
		},
		{
			page: "tgi.txt", kind: TGI, engines: 1,
			known: map[string]float64{
				"Running": 12, "Waiting": 4, "PromptTokens": 3456, "GenerationTokens": 2048, "Requests": 27,
			},
			queueTime: []float64{27, 0.875},
		},
		{
			page: "llamacpp.txt", kind: LlamaCPP, engines: 1,
			known: map[string]float64{
				"Running": 0, "Waiting": 0, "PrefixHits": 51, "PrefixQueries": 85, "PromptTokens": 85, "GenerationTokens": 61,
				"SpecDraft": 0, "SpecAccepted": 0, "SpecSteps": 0,
			},
		},
		{
			page: "llamacpp-old.txt", kind: LlamaCPP, engines: 1,
			known: map[string]float64{
				"Running": 2, "Waiting": 1, "KVUsage": 0.0625, "PromptTokens": 700, "GenerationTokens": 90,
			},
		},
		{
			page: "trtllm.txt", kind: TRTLLM, engines: 1,
			known: map[string]float64{
				"Running": 9, "Waiting": 2, "KVUsage": 0.4375, "HitRate": 0.3125, "PrefixHits": 250, "PrefixQueries": 1000,
				"PromptTokens": 32000, "GenerationTokens": 6400, "Requests": 64,
			},
			ttft: []float64{64, 4}, queueTime: []float64{64, 0.5},
		},
		{
			page: "triton.txt", kind: Triton, engines: 1,
			known: map[string]float64{"Running": 14, "Waiting": 3, "KVUsage": 0.1875, "Requests": 48},
			ttft:  []float64{47, 9.4},
		},
		{
			page: "lmdeploy.txt", kind: LMDeploy, engines: 1,
			known: map[string]float64{
				"Running": 6, "Waiting": 0, "KVUsage": 0.28125, "PromptTokens": 7200, "GenerationTokens": 3600, "Requests": 18,
			},
			ttft: []float64{18, 1}, queueTime: []float64{18, 0.125},
		},
		{
			page: "dynamo.txt", kind: Dynamo, engines: 1,
			known: map[string]float64{
				"Running": 20, "Waiting": 5, "KVUsage": 0.9375, "HitRate": 0.375,
				"PromptTokens": 140000, "GenerationTokens": 17600, "Requests": 70,
			},
			ttft: []float64{70, 21},
		},
	} {
		t.Run(test.page, func(t *testing.T) {
			m, ok := Interpret(promtext.Parse(page(t, test.page)))
			if !ok || m.Kind != test.kind || m.Engines != test.engines || m.Skipped != 0 || m.Simulated {
				t.Errorf("%v: %s, %d engines, %d skipped, simulated %v", ok, m.Kind, m.Engines, m.Skipped, m.Simulated)
			}
			if diff := cmp.Diff(test.known, known(m)); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.ttft, counts(m.TTFT)); diff != "" {
				t.Errorf("TTFT (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.queueTime, counts(m.QueueTime)); diff != "" {
				t.Errorf("queue time (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnUnknownFigureSaysWhy(t *testing.T) {
	for _, test := range []struct{ page, field, want string }{
		{"tgi_queue_size 1", "KVUsage", "TGI does not tell"},
		{"tgi_queue_size 1", "Running", "not on the server's page"},
		{"tgi_queue_size 1\ntgi_batch_current_size NaN", "Running", "the server says NaN"},
		{"tgi_queue_size 1\ntgi_batch_current_size -1", "Running", "out of range"},
		{"tgi_queue_size 1\ntgi_batch_current_size 9223372036854775794", "Running", "out of range"},
		{"vllm:num_requests_running 1\nvllm:kv_cache_usage_perc 37.5", "KVUsage", "out of range"},
		{"vllm:num_requests_running 1\nvllm:gpu_prefix_cache_hit_rate -1", "HitRate", "out of range"},
		{"vllm:num_requests_running 1\nvllm:kv_cache_usage_perc NaN\nvllm:gpu_cache_usage_perc 0.5", "KVUsage", "the server says NaN"},
	} {
		m, ok := Interpret(promtext.Parse([]byte(test.page)))
		if got := values(m)[test.field]; !ok || got != optional.NA(test.want) {
			t.Errorf("%q: %s is %+v, want the reason %q", test.page, test.field, got, test.want)
		}
	}
	m, _ := Interpret(promtext.Parse([]byte("tgi_queue_size 1")))
	if m.TTFT.NA != "TGI does not tell" || m.QueueTime.NA != "not on the server's page" {
		t.Errorf("histograms say %q and %q", m.TTFT.NA, m.QueueTime.NA)
	}
}

func TestTheNewNameCountsAndNeverBoth(t *testing.T) {
	m, _ := Interpret(promtext.Parse([]byte("vllm:gpu_cache_usage_perc 0.9\nvllm:kv_cache_usage_perc 0.2\n" +
		"vllm:prefix_cache_hits_total 5\nvllm:gpu_prefix_cache_hits_total 7\nvllm_prefix_cache_hits_total 11\nvllm:num_requests_running 1")))
	if m.KVUsage != optional.Of(0.2) || m.PrefixHits != optional.Of(5) {
		t.Errorf("KV use %+v, hits %+v; want the new names' 0.2 and 5", m.KVUsage, m.PrefixHits)
	}
}

func TestUnderscoresForColonsReadTheSame(t *testing.T) {
	for _, name := range []string{"vllm.txt", "sglang.txt", "llamacpp.txt", "lmdeploy.txt"} {
		text := string(page(t, name))
		want, _ := Interpret(promtext.Parse([]byte(text)))
		var flat []string
		for line := range strings.Lines(text) {
			before, after, _ := strings.Cut(line, " ")
			if !strings.HasPrefix(line, "#") {
				line = strings.ReplaceAll(before, ":", "_") + " " + after
			}
			flat = append(flat, line)
		}
		got, ok := Interpret(promtext.Parse([]byte(strings.Join(flat, ""))))
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s (-with colons +with underscores):\n%s", name, diff)
		}
	}
}

func TestAPageOfSeveralServersIsTheOneThatTellsMost(t *testing.T) {
	// A Dynamo worker passes on what its vLLM says.
	both := slices.Concat(page(t, "vllm.txt"), []byte("dynamo_component_gpu_cache_usage_percent 0.1\n"))
	if m, _ := Interpret(promtext.Parse(both)); m.Kind != VLLM || m.KVUsage != optional.Of(0.75) {
		t.Errorf("read as %s, KV use %+v", m.Kind, m.KVUsage)
	}
	// The simulator speaks like vLLM, but says who it is.
	sim := slices.Concat(page(t, "vllm.txt"), []byte("tokdyno_sim_info{profile=\"small-gpu\"} 1\n"))
	if m, _ := Interpret(promtext.Parse(sim)); m.Kind != Simulator || !m.Simulated || m.Running != optional.Of(12) {
		t.Errorf("read as %s, simulated %v, running %+v", m.Kind, m.Simulated, m.Running)
	}
	for _, none := range []string{"", "process_start_time_seconds 1\n", "vllm:cache_config_info 1\n", "<html>"} {
		if m, ok := Interpret(promtext.Parse([]byte(none))); ok {
			t.Errorf("%q was read as %s", none, m.Kind)
		}
	}
}

func TestACacheALittleOverFullIsFull(t *testing.T) {
	m, _ := Interpret(promtext.Parse([]byte("sglang:num_running_reqs 1\nsglang:token_usage 1.02\n")))
	if m.KVUsage != optional.Of(1) {
		t.Errorf("KV use %+v, want 1", m.KVUsage)
	}
}

func TestOllamaTellsWhatItHasLoaded(t *testing.T) {
	m, ok := InterpretOllama(page(t, "ollama.json"))
	want := []LoadedModel{
		{Name: "llama3.2:latest", VRAMBytes: optional.Of(2913205248), ContextTokens: optional.Of(4096)},
		{Name: "nomic-embed-text:latest", VRAMBytes: optional.Of(0), ContextTokens: optional.NA(reasonNotOnPage)},
	}
	if diff := cmp.Diff(want, m.Loaded); diff != "" || !ok || m.Kind != Ollama || len(known(m)) != 0 {
		t.Errorf("%v, %s, known %v (-want +got):\n%s", ok, m.Kind, known(m), diff)
	}
	if m, ok := InterpretOllama([]byte(`{"models":[]}`)); !ok || m.Loaded == nil {
		t.Errorf("nothing loaded: %v, %v", ok, m.Loaded)
	}
	for _, other := range []string{"", "[]", "{}", `{"models":null}`, `{"models":7}`, "a 1"} {
		if _, ok := InterpretOllama([]byte(other)); ok {
			t.Errorf("%q was taken for Ollama's", other)
		}
	}
}

func TestTheTableIsWhole(t *testing.T) {
	fields := make(map[any]bool)
	var m Metrics
	for f, p := range properties {
		switch {
		case p.list != nil && p.value == nil && p.times == nil:
			fields[p.list(&m)] = true
		case (p.value == nil) == (p.times == nil) || p.list != nil:
			t.Errorf("figure %d needs one of value, times and list", f)
		case p.value != nil:
			fields[p.value(&m)] = true
		default:
			fields[p.times(&m)] = true
		}
	}
	if len(fields) != len(properties) || len(values(m)) != len(properties)-3 {
		t.Errorf("%d figures, %d fields of their own, %d values in Metrics", len(properties), len(fields), len(values(m)))
	}
	told := make(map[figure]bool)
	names := make(map[string]Kind)
	for _, a := range adapters {
		for _, r := range a.rows {
			told[r.figure] = true
			if other, taken := names[r.name]; taken && other != a.kind && a.kind != VLLM {
				t.Errorf("%s is both %s's and %s's", r.name, other, a.kind)
			}
			names[r.name] = a.kind
			if properties[r.figure].times != nil && (r.plus != "" || r.where != (promtext.Label{})) {
				t.Errorf("%s: plus and where are for values", r.name)
			}
		}
	}
	for _, r := range anyServer {
		told[r.figure] = true
	}
	if len(told) != len(properties) {
		t.Errorf("only %v are told by any server", slices.Sorted(maps.Keys(told)))
	}
}
