// This file is the table of figures: what they are, and what each server calls them.

package server

import (
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// figure is something that servers tell about themselves.
type figure int

const (
	started figure = iota
	running
	waiting
	kvUsage
	hitRate
	acceptRate
	acceptLength
	prefixHits
	prefixQueries
	preemptions
	promptTokens
	generationTokens
	requests
	specDraft
	specAccepted
	specSteps
	specPositions
	ttft
	queueTime
)

// combine is how one figure is made of what several engines say.
type combine int

const (
	added   combine = iota // counts
	highest                // the fullest KV cache binds
	mean                   // rates and lengths, for want of weights
)

// property is what is known about a figure, whoever tells it. Exactly one of value, times and list is set.
type property struct {
	value   func(*Metrics) *optional.Value // where it is kept
	times   func(*Metrics) *Histogram
	list    func(*Metrics) *[]float64 // a value for each position, which a label of that name tells
	counter bool                      // it only rises, until the server starts anew
	combine combine                   // how engines are combined
	most    float64                   // a larger value is a mistake; 0: there is no limit. Below 0 it always is one
}

// properties has an entry for each figure.
var properties = [...]property{
	started:          {value: func(m *Metrics) *optional.Value { return &m.Started }, combine: highest},
	running:          {value: func(m *Metrics) *optional.Value { return &m.Running }},
	waiting:          {value: func(m *Metrics) *optional.Value { return &m.Waiting }},
	kvUsage:          {value: func(m *Metrics) *optional.Value { return &m.KVUsage }, combine: highest, most: 1},
	hitRate:          {value: func(m *Metrics) *optional.Value { return &m.HitRate }, combine: mean, most: 1},
	acceptRate:       {value: func(m *Metrics) *optional.Value { return &m.AcceptRate }, combine: mean, most: 1},
	acceptLength:     {value: func(m *Metrics) *optional.Value { return &m.AcceptLength }, combine: mean},
	prefixHits:       {value: func(m *Metrics) *optional.Value { return &m.PrefixHits }, counter: true},
	prefixQueries:    {value: func(m *Metrics) *optional.Value { return &m.PrefixQueries }, counter: true},
	preemptions:      {value: func(m *Metrics) *optional.Value { return &m.Preemptions }, counter: true},
	promptTokens:     {value: func(m *Metrics) *optional.Value { return &m.PromptTokens }, counter: true},
	generationTokens: {value: func(m *Metrics) *optional.Value { return &m.GenerationTokens }, counter: true},
	requests:         {value: func(m *Metrics) *optional.Value { return &m.Requests }, counter: true},
	specDraft:        {value: func(m *Metrics) *optional.Value { return &m.SpecDraft }, counter: true},
	specAccepted:     {value: func(m *Metrics) *optional.Value { return &m.SpecAccepted }, counter: true},
	specSteps:        {value: func(m *Metrics) *optional.Value { return &m.SpecSteps }, counter: true},
	specPositions:    {list: func(m *Metrics) *[]float64 { return &m.SpecPositions }, counter: true},
	ttft:             {times: func(m *Metrics) *Histogram { return &m.TTFT }, counter: true},
	queueTime:        {times: func(m *Metrics) *Histogram { return &m.QueueTime }, counter: true},
}

// row says what a server calls a figure. A figure may have several rows, newest name first: the first that is on the page
// is taken, never two. A colon may be an underscore on the page (Ray, with ray_ in front), and a counter may lack _total.
type row struct {
	figure figure
	name   string         // of the metric; for times, of the histogram without _bucket
	plus   string         // a second metric to be added where the page has it
	where  promtext.Label // only samples with this label; zero: all
	scale  float64        // to the figure's unit; 0: it is the figure's unit
}

// adapter is what is known of one server.
type adapter struct {
	kind   Kind
	marker string // a metric that only this server has; "": known by its rows
	rows   []row
}

// anyServer has the rows that do not depend on the server: the client libraries' own.
var anyServer = []row{
	{figure: started, name: "process_start_time_seconds"},
}

// adapters are the servers. A page is read as the one that has a marker on it, else as the one with most figures on it; of
// two with as many, the first.
var adapters = []adapter{
	{kind: Simulator, marker: "tokdyno_sim_info", rows: vllmRows},
	{kind: VLLM, rows: vllmRows},
	{kind: SGLang, rows: []row{
		{figure: running, name: "sglang:num_running_reqs"},
		{figure: waiting, name: "sglang:num_queue_reqs"},
		{figure: kvUsage, name: "sglang:token_usage"},
		{figure: hitRate, name: "sglang:cache_hit_rate"},
		{figure: prefixHits, name: "sglang:cached_tokens_total"},
		{figure: prefixQueries, name: "sglang:prompt_tokens_total"}, // those from the cache among them
		{figure: preemptions, name: "sglang:num_retracted_requests_total"},
		{figure: promptTokens, name: "sglang:prompt_tokens_total"},
		{figure: generationTokens, name: "sglang:generation_tokens_total"},
		{figure: requests, name: "sglang:num_requests_total"},
		{figure: acceptLength, name: "sglang:spec_accept_length"},
		{figure: acceptRate, name: "sglang:spec_accept_rate"},
		{figure: ttft, name: "sglang:time_to_first_token_seconds"},
		{figure: queueTime, name: "sglang:queue_time_seconds"},
	}},
	{kind: TGI, rows: []row{
		{figure: running, name: "tgi_batch_current_size"},
		{figure: waiting, name: "tgi_queue_size"},
		{figure: promptTokens, name: "tgi_request_input_length_sum"},
		{figure: generationTokens, name: "tgi_request_generated_tokens_sum"},
		{figure: requests, name: "tgi_request_success"},
		{figure: queueTime, name: "tgi_request_queue_duration"},
	}},
	{kind: LlamaCPP, rows: []row{
		{figure: running, name: "llamacpp:requests_processing"},
		{figure: waiting, name: "llamacpp:requests_deferred"},
		{figure: kvUsage, name: "llamacpp:kv_cache_usage_ratio"}, // until the middle of 2025
		{figure: prefixHits, name: "llamacpp:prompt_tokens_cached_total"},
		// It counts prompt tokens without those from its cache, and those apart.
		{figure: prefixQueries, name: "llamacpp:prompt_tokens_cached_total", plus: "llamacpp:prompt_tokens_total"},
		{figure: promptTokens, name: "llamacpp:prompt_tokens_total", plus: "llamacpp:prompt_tokens_cached_total"},
		{figure: generationTokens, name: "llamacpp:tokens_predicted_total"},
		{figure: specDraft, name: "llamacpp:spec_decode_num_draft_tokens_total"},
		{figure: specAccepted, name: "llamacpp:spec_decode_num_accepted_tokens_total"},
		{figure: specSteps, name: "llamacpp:spec_decode_num_drafts_total"},
	}},
	{kind: TRTLLM, rows: []row{
		{figure: running, name: "trtllm_num_requests_running"},
		{figure: waiting, name: "trtllm_num_requests_waiting"},
		{figure: kvUsage, name: "trtllm_kv_cache_utilization"},
		{figure: hitRate, name: "trtllm_kv_cache_hit_rate"},
		{figure: prefixHits, name: "trtllm_kv_cache_reused_blocks_total"},
		{figure: prefixQueries, name: "trtllm_kv_cache_missed_blocks_total", plus: "trtllm_kv_cache_reused_blocks_total"},
		{figure: promptTokens, name: "trtllm_prompt_tokens_total"},
		{figure: generationTokens, name: "trtllm_generation_tokens_total"},
		{figure: requests, name: "trtllm_request_success_total"},
		{figure: specDraft, name: "trtllm_spec_decode_num_draft_tokens_total"},
		{figure: specAccepted, name: "trtllm_spec_decode_num_accepted_tokens_total"},
		{figure: acceptLength, name: "trtllm_spec_decode_acceptance_length"},
		{figure: ttft, name: "trtllm_time_to_first_token_seconds"},
		{figure: queueTime, name: "trtllm_request_queue_time_seconds"},
	}},
	{kind: Triton, rows: []row{
		{figure: running, name: "nv_trt_llm_request_metrics", where: promtext.Label{Name: "request_type", Value: "scheduled"}},
		{figure: waiting, name: "nv_trt_llm_request_metrics", where: promtext.Label{Name: "request_type", Value: "waiting"}},
		{figure: kvUsage, name: "nv_trt_llm_kv_cache_block_metrics", where: promtext.Label{Name: "kv_cache_block_type", Value: "fraction"}},
		// A request runs through several models, and each counts it, some of them once a token: only the outermost counts.
		{figure: requests, name: "nv_inference_request_success", where: promtext.Label{Name: "model", Value: "ensemble"}},
		{figure: requests, name: "nv_inference_request_success", where: promtext.Label{Name: "model", Value: "tensorrt_llm_bls"}},
		{figure: requests, name: "nv_inference_request_success", where: promtext.Label{Name: "model", Value: "tensorrt_llm"}},
		{figure: ttft, name: "nv_inference_first_response_histogram_ms", scale: 1e-3},
	}},
	{kind: LMDeploy, rows: []row{
		{figure: running, name: "lmdeploy:num_requests_running"},
		{figure: waiting, name: "lmdeploy:num_requests_waiting"},
		{figure: kvUsage, name: "lmdeploy:gpu_cache_usage_perc"},
		{figure: promptTokens, name: "lmdeploy:prompt_tokens_total"},
		{figure: generationTokens, name: "lmdeploy:generation_tokens_total"},
		{figure: requests, name: "lmdeploy:request_success_total"},
		{figure: ttft, name: "lmdeploy:time_to_first_token_seconds"},
		{figure: queueTime, name: "lmdeploy:request_queue_time_seconds"},
	}},
	{kind: Dynamo, rows: []row{
		{figure: running, name: "dynamo_frontend_inflight_requests"},
		{figure: waiting, name: "dynamo_frontend_queued_requests"},
		{figure: kvUsage, name: "dynamo_component_gpu_cache_usage_percent"}, // in spite of its name 0–1
		{figure: kvUsage, name: "dynamo_component_kvstats_gpu_cache_usage_percent"},
		{figure: hitRate, name: "dynamo_component_gpu_prefix_cache_hit_rate"},
		{figure: hitRate, name: "dynamo_component_kvstats_gpu_prefix_cache_hit_rate"},
		{figure: promptTokens, name: "dynamo_frontend_input_sequence_tokens_sum"},
		{figure: generationTokens, name: "dynamo_frontend_output_tokens_total"},
		{figure: generationTokens, name: "dynamo_frontend_output_sequence_tokens_sum"},
		{figure: requests, name: "dynamo_frontend_requests_total", where: promtext.Label{Name: "status", Value: "success"}},
		{figure: ttft, name: "dynamo_frontend_time_to_first_token_seconds"},
	}},
}

// vllmRows are vLLM's, and those of everything that speaks like it. Where two names of a figure follow each other, the
// older one is from before V1 (2025).
var vllmRows = []row{
	{figure: running, name: "vllm:num_requests_running"},
	{figure: waiting, name: "vllm:num_requests_waiting"},
	{figure: kvUsage, name: "vllm:kv_cache_usage_perc"},
	{figure: kvUsage, name: "vllm:gpu_cache_usage_perc"},
	{figure: hitRate, name: "vllm:gpu_prefix_cache_hit_rate"}, // V0 only; −1 before the first look-up
	{figure: prefixHits, name: "vllm:prefix_cache_hits_total"},
	{figure: prefixHits, name: "vllm:gpu_prefix_cache_hits_total"},
	{figure: prefixQueries, name: "vllm:prefix_cache_queries_total"},
	{figure: prefixQueries, name: "vllm:gpu_prefix_cache_queries_total"},
	{figure: preemptions, name: "vllm:num_preemptions_total"},
	{figure: promptTokens, name: "vllm:prompt_tokens_total"},
	{figure: generationTokens, name: "vllm:generation_tokens_total"},
	{figure: requests, name: "vllm:request_success_total"},
	{figure: specDraft, name: "vllm:spec_decode_num_draft_tokens_total"},
	{figure: specAccepted, name: "vllm:spec_decode_num_accepted_tokens_total"},
	{figure: specSteps, name: "vllm:spec_decode_num_drafts_total"},
	{figure: specPositions, name: "vllm:spec_decode_num_accepted_tokens_per_pos_total"},
	{figure: acceptRate, name: "vllm:spec_decode_draft_acceptance_rate"},
	{figure: ttft, name: "vllm:time_to_first_token_seconds"},
	{figure: queueTime, name: "vllm:request_queue_time_seconds"},
}
