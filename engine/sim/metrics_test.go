// Tests of the /metrics page.

package sim

import (
	"strconv"
	"strings"
	"testing"
)

// samples reads a page in the text format: name and labels to value. Every sample needs its HELP and TYPE first.
func samples(t *testing.T, page string) map[string]float64 {
	t.Helper()
	if !strings.HasSuffix(page, "\n") {
		t.Error("the page does not end with a newline")
	}
	family := ""
	got := make(map[string]float64)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			family, _, _ = strings.Cut(rest, " ")
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(line[i+1:], 64)
		if err != nil || !strings.HasPrefix(line, family) {
			t.Errorf("in the family %s: %q", family, line)
		}
		if _, twice := got[line[:i]]; twice {
			t.Errorf("twice: %s", line)
		}
		got[line[:i]] = v
	}
	return got
}

func TestMetricsPage(t *testing.T) {
	s := serve(t, Config{})
	body := `{"prompt":"` + strings.Repeat("word ", 40) + `","max_tokens":5,"ignore_eos":true}`
	for range 3 {
		_, _ = ask(t, s, "POST", "/v1/completions", body)
	}
	resp, page := ask(t, s, "GET", "/metrics", "")
	if got := resp.Header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	got := samples(t, page)
	const labels = `{engine="0",model_name="sim-4b"}`
	for name, want := range map[string]float64{
		"vllm:num_requests_running" + labels:                                                         0,
		"vllm:num_requests_waiting" + labels:                                                         0,
		"vllm:kv_cache_usage_perc" + labels:                                                          0,
		"vllm:prefix_cache_queries_total" + labels:                                                   3 * 41,
		"vllm:prefix_cache_hits_total" + labels:                                                      2 * 32,
		"vllm:num_preemptions_total" + labels:                                                        0,
		"vllm:prompt_tokens_total" + labels:                                                          3 * 41,
		"vllm:generation_tokens_total" + labels:                                                      3 * 5,
		`vllm:request_success_total{engine="0",model_name="sim-4b",finished_reason="length"}`:        3,
		`vllm:request_success_total{engine="0",model_name="sim-4b",finished_reason="stop"}`:          0,
		`vllm:request_success_total{engine="0",model_name="sim-4b",finished_reason="abort"}`:         0,
		"vllm:time_to_first_token_seconds_count" + labels:                                            3,
		"vllm:time_per_output_token_seconds_count" + labels:                                          12,
		"vllm:inter_token_latency_seconds_count" + labels:                                            12,
		"vllm:e2e_request_latency_seconds_count" + labels:                                            3,
		"vllm:request_queue_time_seconds_count" + labels:                                             3,
		`vllm:request_queue_time_seconds_bucket{engine="0",model_name="sim-4b",le="+Inf"}`:           3,
		`vllm:request_generation_tokens_bucket{engine="0",model_name="sim-4b",le="2"}`:               0,
		`vllm:request_generation_tokens_bucket{engine="0",model_name="sim-4b",le="5"}`:               3,
		`tokdyno_sim_info{profile="small-gpu",time_scale="1000"}`:                                    1,
		`vllm:cache_config_info{block_size="16",enable_prefix_caching="True",num_gpu_blocks="1536"}`: 1,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (there: %v), want %v", name, v, ok, want)
		}
	}
	if v := got["vllm:time_to_first_token_seconds_sum"+labels]; !(v > 0) {
		t.Errorf("TTFT sum %v", v)
	}
}

func TestRunningAndWaitingShow(t *testing.T) {
	p := smallGPU()
	p.MaxNumSeqs = 1
	s := serve(t, Config{Profile: p, TimeScale: 1})
	long := order(20, 4000)
	first, second := s.engine.submit(long, nil), s.engine.submit(long, nil)
	until(t, s, func(c Counters) bool { return c.Running == 1 && c.Waiting == 1 })
	_, page := ask(t, s, "GET", "/metrics", "")
	got := samples(t, page)
	const labels = `{engine="0",model_name="sim-4b"}`
	if got["vllm:num_requests_running"+labels] != 1 || got["vllm:num_requests_waiting"+labels] != 1 || !(got["vllm:kv_cache_usage_perc"+labels] > 0) {
		t.Errorf("the page does not show the batch and the queue:\n%s", page[:1500])
	}
	s.engine.cancel(first)
	s.engine.cancel(second)
}

func TestLabelsAreEscaped(t *testing.T) {
	if got, want := escapeLabel("a\\b\"c\nd"), `a\\b\"c\nd`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
