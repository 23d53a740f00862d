// GET /metrics: the page that vLLM serves, as far as tokdyno and dashboards read it.

package sim

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	page := s.engine.metricsPage(nil, s.profile, s.cfg.TimeScale)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(page) // a scraper that went away is no concern
}

// metricsPage appends the page to dst.
func (e *engine) metricsPage(dst []byte, p Profile, scale float64) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.countersLocked()
	labels := fmt.Sprintf(`engine="0",model_name="%s"`, escapeLabel(p.Model))

	dst = appendHead(dst, "tokdyno_sim_info", "gauge", "This server is a simulation: its figures are no measurement of any hardware.")
	dst = appendSample(dst, "tokdyno_sim_info", fmt.Sprintf(`profile="%s",time_scale="%g"`, escapeLabel(p.Name), scale), 1)
	dst = appendHead(dst, "vllm:cache_config_info", "gauge", "Information of the KV cache.")
	dst = appendSample(dst, "vllm:cache_config_info", fmt.Sprintf(`block_size="%d",enable_prefix_caching="True",num_gpu_blocks="%d"`, p.BlockSize, p.KVBlocks), 1)

	for _, m := range []struct {
		name, kind, help string
		value            float64
	}{
		{"vllm:num_requests_running", "gauge", "Requests in the batch.", float64(c.Running)},
		{"vllm:num_requests_waiting", "gauge", "Requests in the queue.", float64(c.Waiting)},
		{"vllm:kv_cache_usage_perc", "gauge", "Share of the KV cache blocks in use, 0-1.", c.KVUsage},
		{"vllm:prefix_cache_queries_total", "counter", "Prompt tokens looked up in the prefix cache.", float64(c.PrefixQueries)},
		{"vllm:prefix_cache_hits_total", "counter", "Prompt tokens found in the prefix cache.", float64(c.PrefixHits)},
		{"vllm:num_preemptions_total", "counter", "Requests that lost their KV cache and were computed anew.", float64(c.Preemptions)},
		{"vllm:prompt_tokens_total", "counter", "Prompt tokens of the requests that got a first token.", float64(c.PromptTokens)},
		{"vllm:generation_tokens_total", "counter", "Tokens generated.", float64(c.GenerationTokens)},
	} {
		dst = appendHead(dst, m.name, m.kind, m.help)
		dst = appendSample(dst, m.name, labels, m.value)
	}

	if p.DraftTokens > 0 {
		dst = c.appendDrafts(dst, labels, p.DraftTokens)
	}

	dst = appendHead(dst, "vllm:request_success_total", "counter", "Requests that came to their end.")
	for reason, n := range e.times.success {
		dst = appendSample(dst, "vllm:request_success_total", fmt.Sprintf(`%s,finished_reason="%s"`, labels, finishReason(reason)), float64(n))
	}
	dst = appendSample(dst, "vllm:request_success_total", labels+`,finished_reason="abort"`, float64(c.Cancelled))

	for _, m := range []struct {
		name, help string
		histogram  *histogram
	}{
		{"vllm:time_to_first_token_seconds", "Arrival to first token.", &e.times.firstToken},
		{"vllm:inter_token_latency_seconds", "Time between two tokens of a request.", &e.times.interToken},
		// The name of the same figure before vLLM 0.11; servers of both ages are in use.
		{"vllm:time_per_output_token_seconds", "Time between two tokens of a request.", &e.times.interToken},
		{"vllm:request_time_per_output_token_seconds", "Mean time per output token of a request.", &e.times.timePerToken},
		{"vllm:e2e_request_latency_seconds", "Arrival to last token.", &e.times.endToEnd},
		{"vllm:request_queue_time_seconds", "Arrival to admission.", &e.times.queue},
		{"vllm:request_prefill_time_seconds", "Admission to first token.", &e.times.prefill},
		{"vllm:request_decode_time_seconds", "First to last token.", &e.times.decode},
		{"vllm:request_prompt_tokens", "Prompt tokens of a request.", &e.times.promptSize},
		{"vllm:request_generation_tokens", "Generated tokens of a request.", &e.times.outputSize},
	} {
		dst = appendHead(dst, m.name, "histogram", m.help)
		dst = m.histogram.appendText(dst, m.name, labels)
	}
	return dst
}

func appendHead(dst []byte, name, kind, help string) []byte {
	return fmt.Appendf(dst, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func appendSample(dst []byte, name, labels string, v float64) []byte {
	dst = append(dst, name...)
	dst = append(dst, '{')
	dst = append(dst, labels...)
	dst = append(dst, "} "...)
	dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	return append(dst, '\n')
}

// escapeLabel makes s fit between the quotes of a label.
func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}
