// This file tests that what a page has both as a total and broken down is counted once.

package server

import (
	"testing"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

func TestTotalsAndTheirBreakdownsCountOnce(t *testing.T) {
	m, ok := Interpret(promtext.Parse(page(t, "sglang-priorities.txt")))
	if !ok || m.Running != optional.Of(5) || m.Waiting != optional.Of(4) || m.Engines != 1 {
		t.Errorf("running %+v, waiting %+v of %d engines", m.Running, m.Waiting, m.Engines)
	}
	for _, c := range []struct{ name, page, tells string }{
		{"an empty label", "vllm:num_requests_running{p=\"\"} 5\nvllm:num_requests_running{p=\"1\"} 3\nvllm:num_requests_running{p=\"2\"} 2", "Running=5"},
		{"a missing label", "vllm:num_requests_running 5\nvllm:num_requests_running{p=\"1\"} 5", "Running=5"},
		{"two labels", "tgi_queue_size 5\ntgi_queue_size{a=\"1\"} 5\ntgi_queue_size{b=\"1\"} 5\ntgi_queue_size{a=\"1\",b=\"1\"} 5", "Waiting=5"},
		{"two labels at once", "tgi_queue_size{a=\"\",b=\"\"} 5\ntgi_queue_size{a=\"1\",b=\"1\"} 5", "Waiting=5"},
		{
			"of one engine of two", "vllm:num_requests_running{engine=\"0\",p=\"\"} 5\nvllm:num_requests_running{engine=\"0\",p=\"1\"} 5\n" +
				"vllm:num_requests_running{engine=\"1\",p=\"1\"} 7", "Running=12",
		},
		{"nothing but a breakdown", "vllm:num_requests_running{p=\"1\"} 3\nvllm:num_requests_running{p=\"2\"} 2", "Running=5"},
		{"engines that share no label", "vllm:num_requests_running{a=\"1\"} 3\nvllm:num_requests_running{b=\"2\",c=\"1\"} 2", "Running=5"},
		{"a counter", "lmdeploy:prompt_tokens_total 9\nlmdeploy:prompt_tokens_total{source=\"cache\"} 4", "PromptTokens=9"},
		{"only the part that is asked for", "dynamo_frontend_requests_total{status=\"\"} 9\ndynamo_frontend_requests_total{status=\"success\"} 7", "Requests=7"},
		{"a rate", "trtllm_kv_cache_utilization 0.5\ntrtllm_kv_cache_utilization{pool=\"1\"} 0.9", "KVUsage=0.5"},
		{"of llama.cpp", "llamacpp:requests_processing 3\nllamacpp:requests_processing{slot=\"0\"} 3", "Running=3"},
		{"of Triton", "nv_trt_llm_request_metrics{request_type=\"waiting\"} 3\nnv_trt_llm_request_metrics{request_type=\"waiting\",p=\"1\"} 3", "Waiting=3"},
		{
			"a histogram", times("vllm:time_to_first_token_seconds", 5) + "\nvllm:time_to_first_token_seconds_bucket{p=\"1\",le=\"+Inf\"} 2\n" +
				"vllm:time_to_first_token_seconds_sum{p=\"1\"} 5\nvllm:time_to_first_token_seconds_count{p=\"1\"} 2", "TTFT=2/5",
		},
	} {
		m, ok := Interpret(promtext.Parse([]byte(c.page + "\n")))
		if got := told(m); !ok || got != c.tells {
			t.Errorf("%s: %s, want %s", c.name, got, c.tells)
		}
	}
}
