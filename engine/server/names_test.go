// This file proves the table of servers by a list of its own: every name, what it means, and its unit.

package server

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// nameCase is metrics by a line each, and all that they tell, as "Field=value"; of histograms "Field=count/sum".
type nameCase struct{ page, tells string }

// times is a page with a histogram of two observations.
func times(name string, sum float64) string {
	return fmt.Sprintf("%s_bucket{le=\"+Inf\"} 2\n%s_sum %g\n%s_count 2", name, name, sum, name)
}

// nameCases are written by what the servers' documentation and sources say, not by the table.
func nameCases() map[Kind][]nameCase {
	// https://github.com/vllm-project/vllm: vllm/v1/metrics/loggers.py; the older names vllm/engine/metrics.py.
	vllm := []nameCase{
		{"vllm:num_requests_running 3", "Running=3"},
		{"vllm:num_requests_waiting 3", "Waiting=3"},
		{"vllm:kv_cache_usage_perc 0.5", "KVUsage=0.5"}, // "1 means 100 percent"
		{"vllm:gpu_cache_usage_perc 0.5", "KVUsage=0.5"},
		{"vllm:gpu_prefix_cache_hit_rate 0.5", "HitRate=0.5"},
		{"vllm:prefix_cache_hits_total 3", "PrefixHits=3"},
		{"vllm:gpu_prefix_cache_hits_total 3", "PrefixHits=3"},
		{"vllm:prefix_cache_queries_total 3", "PrefixQueries=3"},
		{"vllm:gpu_prefix_cache_queries_total 3", "PrefixQueries=3"},
		{"vllm:num_preemptions_total 3", "Preemptions=3"},
		{"vllm:prompt_tokens_total 3", "PromptTokens=3"},
		{"vllm:generation_tokens_total 3", "GenerationTokens=3"},
		{"vllm:request_success_total{finished_reason=\"stop\"} 3\nvllm:request_success_total{finished_reason=\"length\"} 4", "Requests=7"},
		{"vllm:spec_decode_num_draft_tokens_total 3", "SpecDraft=3"},
		{"vllm:spec_decode_num_accepted_tokens_total 3", "SpecAccepted=3"},
		{"vllm:spec_decode_num_drafts_total 3", "SpecSteps=3"},
		{
			"vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 3\n" +
				"vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 4", "SpecPositions=[4 3]",
		},
		{"vllm:spec_decode_draft_acceptance_rate 0.5", "AcceptRate=0.5"},
		{times("vllm:time_to_first_token_seconds", 5), "TTFT=2/5"},
		{times("vllm:request_queue_time_seconds", 5), "QueueTime=2/5"},
	}
	simulator := slices.Clone(vllm) // it speaks like vLLM
	for i := range simulator {
		simulator[i].page += "\ntokdyno_sim_info 1"
	}
	return map[Kind][]nameCase{
		VLLM:      vllm,
		Simulator: simulator,
		// https://github.com/sgl-project/sglang: python/sglang/srt/metrics/collector.py.
		SGLang: {
			{"sglang:num_running_reqs 3", "Running=3"},
			{"sglang:num_queue_reqs 3", "Waiting=3"},
			{"sglang:token_usage 0.5", "KVUsage=0.5"},
			{"sglang:cache_hit_rate 0.5", "HitRate=0.5"},
			{"sglang:cached_tokens_total 3", "PrefixHits=3"},
			{"sglang:prompt_tokens_total 3", "PrefixQueries=3 PromptTokens=3"}, // every prompt token is looked up
			{"sglang:num_retracted_requests_total 3", "Preemptions=3"},
			{"sglang:generation_tokens_total 3", "GenerationTokens=3"},
			{"sglang:num_requests_total 3", "Requests=3"},
			{"sglang:spec_accept_length 2.5", "AcceptLength=2.5"},
			{"sglang:spec_accept_rate 0.5", "AcceptRate=0.5"},
			{times("sglang:time_to_first_token_seconds", 5), "TTFT=2/5"},
			{times("sglang:queue_time_seconds", 5), "QueueTime=2/5"},
		},
		// https://github.com/huggingface/text-generation-inference: docs/source/reference/metrics.md. Durations in seconds.
		TGI: {
			{"tgi_batch_current_size 3", "Running=3"},
			{"tgi_queue_size 3", "Waiting=3"},
			{times("tgi_request_input_length", 5), "PromptTokens=5"},
			{times("tgi_request_generated_tokens", 5), "GenerationTokens=5"},
			{"tgi_request_success 3", "Requests=3"},
			{times("tgi_request_queue_duration", 5), "QueueTime=2/5"},
		},
		// https://github.com/ggml-org/llama.cpp: tools/server/README.md, "GET /metrics".
		LlamaCPP: {
			{"llamacpp:requests_processing 3", "Running=3"},
			{"llamacpp:requests_deferred 3", "Waiting=3"},
			{"llamacpp:kv_cache_usage_ratio 0.5", "KVUsage=0.5"},
			{"llamacpp:prompt_tokens_total 3", "PromptTokens=3"},
			// Prompt tokens from the cache are not among those processed.
			{"llamacpp:prompt_tokens_total 3\nllamacpp:prompt_tokens_cached_total 4", "PrefixHits=4 PrefixQueries=7 PromptTokens=7"},
			{"llamacpp:tokens_predicted_total 3", "GenerationTokens=3"},
			{"llamacpp:spec_decode_num_draft_tokens_total 3", "SpecDraft=3"},
			{"llamacpp:spec_decode_num_accepted_tokens_total 3", "SpecAccepted=3"},
			{"llamacpp:spec_decode_num_drafts_total 3", "SpecSteps=3"},
		},
		// https://github.com/NVIDIA/TensorRT-LLM: tensorrt_llm/metrics/collector.py.
		TRTLLM: {
			{"trtllm_num_requests_running 3", "Running=3"},
			{"trtllm_num_requests_waiting 3", "Waiting=3"},
			{"trtllm_kv_cache_utilization 0.5", "KVUsage=0.5"},
			{"trtllm_kv_cache_hit_rate 0.5", "HitRate=0.5"},
			{"trtllm_kv_cache_reused_blocks_total 3", "PrefixHits=3"},
			{"trtllm_kv_cache_missed_blocks_total 3", "PrefixQueries=3"},
			{"trtllm_kv_cache_missed_blocks_total 3\ntrtllm_kv_cache_reused_blocks_total 4", "PrefixHits=4 PrefixQueries=7"},
			{"trtllm_prompt_tokens_total 3", "PromptTokens=3"},
			{"trtllm_generation_tokens_total 3", "GenerationTokens=3"},
			{"trtllm_request_success_total 3", "Requests=3"},
			{"trtllm_spec_decode_num_draft_tokens_total 3", "SpecDraft=3"},
			{"trtllm_spec_decode_num_accepted_tokens_total 3", "SpecAccepted=3"},
			{"trtllm_spec_decode_acceptance_length 2.5", "AcceptLength=2.5"},
			{times("trtllm_time_to_first_token_seconds", 5), "TTFT=2/5"},
			{times("trtllm_request_queue_time_seconds", 5), "QueueTime=2/5"},
		},
		// https://github.com/triton-inference-server: tensorrtllm_backend's README ("Triton Metrics"), and server's
		// docs/user_guide/metrics.md, whose histogram is in milliseconds.
		Triton: {
			{"nv_trt_llm_request_metrics{request_type=\"scheduled\"} 3\nnv_trt_llm_request_metrics{request_type=\"active\"} 9", "Running=3"},
			{"nv_trt_llm_request_metrics{request_type=\"waiting\"} 3\nnv_trt_llm_request_metrics{request_type=\"active\"} 9", "Waiting=3"},
			{"nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=\"fraction\"} 0.5\nnv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=\"used\"} 1", "KVUsage=0.5"},
			{"nv_inference_request_success{model=\"ensemble\"} 3\nnv_inference_request_success{model=\"tensorrt_llm\"} 9", "Requests=3"},
			{"nv_inference_request_success{model=\"tensorrt_llm_bls\"} 3\nnv_inference_request_success{model=\"tensorrt_llm\"} 9", "Requests=3"},
			{"nv_inference_request_success{model=\"tensorrt_llm\"} 3\nnv_inference_request_success{model=\"postprocessing\"} 9", "Requests=3"},
			{times("nv_inference_first_response_histogram_ms", 5000), "TTFT=2/5"},
		},
		// https://github.com/InternLM/lmdeploy: lmdeploy/metrics/loggers.py.
		LMDeploy: {
			{"lmdeploy:num_requests_running 3", "Running=3"},
			{"lmdeploy:num_requests_waiting 3", "Waiting=3"},
			{"lmdeploy:gpu_cache_usage_perc 0.5", "KVUsage=0.5"}, // "1 means 100 percent"
			{"lmdeploy:prompt_tokens_total 3", "PromptTokens=3"},
			{"lmdeploy:generation_tokens_total 3", "GenerationTokens=3"},
			{"lmdeploy:request_success_total 3", "Requests=3"},
			{times("lmdeploy:time_to_first_token_seconds", 5), "TTFT=2/5"},
			{times("lmdeploy:request_queue_time_seconds", 5), "QueueTime=2/5"},
		},
		// https://github.com/ai-dynamo/dynamo: lib/runtime/src/metrics/prometheus_names.rs.
		Dynamo: {
			{"dynamo_frontend_inflight_requests 3", "Running=3"},
			{"dynamo_frontend_queued_requests 3", "Waiting=3"},
			{"dynamo_component_gpu_cache_usage_percent 0.5", "KVUsage=0.5"}, // "0.0-1.0"
			{"dynamo_component_kvstats_gpu_cache_usage_percent 0.5", "KVUsage=0.5"},
			{"dynamo_component_gpu_prefix_cache_hit_rate 0.5", "HitRate=0.5"},
			{"dynamo_component_kvstats_gpu_prefix_cache_hit_rate 0.5", "HitRate=0.5"},
			{times("dynamo_frontend_input_sequence_tokens", 5), "PromptTokens=5"},
			{"dynamo_frontend_output_tokens_total 3", "GenerationTokens=3"},
			{times("dynamo_frontend_output_sequence_tokens", 5), "GenerationTokens=5"},
			{"dynamo_frontend_requests_total{status=\"success\"} 3\ndynamo_frontend_requests_total{status=\"error\"} 9", "Requests=3"},
			{times("dynamo_frontend_time_to_first_token_seconds", 5), "TTFT=2/5"},
		},
	}
}

// told is all that is known of a server, as "Field=value" in the order of the fields.
func told(m Metrics) string {
	var all []string
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch field := v.Field(i).Interface().(type) {
		case optional.Value:
			if field.OK() {
				all = append(all, fmt.Sprintf("%s=%g", name, field.V))
			}
		case []float64:
			if field != nil {
				all = append(all, fmt.Sprintf("%s=%g", name, field))
			}
		case Histogram:
			if field.OK() {
				all = append(all, fmt.Sprintf("%s=%g/%g", name, field.Count, field.Sum))
			}
		}
	}
	return strings.Join(all, " ")
}

func TestEveryServersNameIsReadAsWhatItMeans(t *testing.T) {
	spelled := map[string]*strings.Replacer{
		"":                 strings.NewReplacer(),
		"with underscores": strings.NewReplacer("vllm:", "vllm_", "sglang:", "sglang_", "llamacpp:", "llamacpp_", "lmdeploy:", "lmdeploy_"),
		"under Ray":        strings.NewReplacer("vllm:", "ray_vllm_", "sglang:", "ray_sglang_", "llamacpp:", "ray_llamacpp_", "lmdeploy:", "ray_lmdeploy_"),
		"without _total":   strings.NewReplacer("_total", ""),
	}
	for kind, cases := range nameCases() {
		for _, c := range cases {
			for spelling, to := range spelled {
				page := to.Replace(c.page)
				m, ok := Interpret(promtext.Parse([]byte(page + "\n")))
				if got := told(m); !ok || m.Kind != kind || got != c.tells {
					t.Errorf("%s %s is of %s and tells %s, want %s and %s", page, spelling, m.Kind, got, kind, c.tells)
				}
			}
		}
	}
	m, _ := Interpret(promtext.Parse([]byte("process_start_time_seconds 1764100000\ntgi_queue_size 3\n")))
	if got := told(m); got != "Started=1.7641e+09 Waiting=3" || len(anyServer) != 1 {
		t.Errorf("%d rows of any server; they tell %s", len(anyServer), got)
	}
}

// TestEveryRowOfTheTableIsNeeded takes out one row after another: a case has to miss it.
func TestEveryRowOfTheTableIsNeeded(t *testing.T) {
	cases := nameCases()
	if len(cases) != len(adapters) {
		t.Errorf("%d servers have cases, of %d in the table", len(cases), len(adapters))
	}
	for _, a := range adapters {
		for i, r := range a.rows {
			without := a
			without.rows = slices.Delete(slices.Clone(a.rows), i, i+1)
			if !slices.ContainsFunc(cases[a.kind], func(c nameCase) bool {
				m, _ := newLookup(promtext.Parse([]byte(c.page + "\n"))).read(without)
				return told(m) != c.tells
			}) {
				t.Errorf("nobody misses %s of %s: no case has it, or it does nothing", r.name, a.kind)
			}
		}
	}
}
