// This file writes the Benchmark Report of llm-d.

package peers

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
)

// llmdSchema is the version of the format. Source: llm-d/llm-d-benchmark, br_v0_2_1_json_schema.json at 3b7decf.
const llmdSchema = "0.2.1"

// WriteLLMD writes a run as a Benchmark Report 0.2.1 in JSON. Its time per output token leaves the first token out, as TPOT does;
// the normalized one is the whole request by all its tokens.
func WriteLLMD(w io.Writer, d *run.Document) error {
	m, err := measure(d)
	if err != nil {
		return err
	}
	first := sent(m.requests[0].Record)
	return write(w, object{
		{"version", llmdSchema},
		{"run", object{
			{"uid", id(m.Document)},
			{"eid", nil},
			{"cid", nil},
			{"pid", nil},
			{"time", object{
				{"start", m.clock(first)},
				{"end", m.clock(first.Add(m.duration()))},
				{"duration", fmt.Sprintf("PT%.3fS", m.duration().Seconds())},
			}},
			{"user", nil},
			{"description", nil},
			{"keywords", nil},
		}},
		{"scenario", object{{"stack", m.llmdStack()}, {"load", m.llmdLoad()}}},
		{"results", object{
			{"request_performance", object{
				{"aggregate", object{
					{"requests", m.llmdRequests()}, {"latency", m.llmdLatency()}, {"throughput", m.llmdThroughput()},
				}},
				{"time_series", nil},
			}},
			{"session_performance", nil},
			{"observability", nil},
			{"profiling", nil},
			{"component_health", nil},
		}},
	})
}

// llmdStack is the server, where it says what it is.
func (m *measured) llmdStack() any {
	tool, version, named := strings.Cut(m.Last.Endpoint.Server, " ")
	if !named {
		return nil
	}
	return []object{{
		{"metadata", object{{"label", "endpoint"}, {"cfg_id", id(m.Document)}}},
		{"standardized", object{{"kind", "generic"}, {"tool", tool}, {"tool_version", version}, {"model", m.Last.Endpoint.Model}}},
		{"native", object{}},
	}}
}

// llmdLoad says what was asked for.
func (m *measured) llmdLoad() any {
	k := &m.row.Knobs
	source := "random"
	if k.Shape.Data != nil || k.Load.Mode == load.Replay {
		source = "sampled"
	}
	lengths, _, _ := m.tokens(inputTokens)
	if lengths.n() == 0 {
		return nil // input_seq_len is required
	}
	var rate, concurrency any
	switch k.Load.Mode {
	case load.Closed:
		concurrency = k.Load.Concurrency
	case load.Open:
		rate = k.Load.MeanRate()
	}
	return object{
		{"metadata", object{{"cfg_id", k.ShapeHash()}, {"description", k.LoadString()}}},
		{"standardized", object{
			{"tool", "tokdyno"},
			{"tool_version", m.Header.Tokdyno},
			{"source", source},
			{"stage", m.row.Number},
			{"input_seq_len", llmdLength(lengths)},
			{"output_seq_len", nil}, // that which is enforced
			{"rate_qps", rate},
			{"concurrency", concurrency},
		}},
		{"native", object{{"config", m.Report.Load}}},
	}
}

// llmdLength is how long prompts were, as the server counted.
func llmdLength(s spread) object {
	kind := "other"
	if s.min() == s.max() {
		kind = "fixed"
	}
	return object{{"distribution", kind}, {"value", s.mean()}, {"min", int64(s.min())}, {"max", max(int64(s.max()), 1)}}
}

func (m *measured) llmdRequests() object {
	input, _, _ := m.tokens(inputTokens)
	output, _, _ := m.tokens(outputTokens)
	return object{
		{"total", len(m.requests)},
		{"failures", len(m.requests) - m.completed()},
		{"incomplete", 0}, // those that were cancelled are not among them
		{"input_length", llmdStatistics("count", input)},
		{"output_length", llmdStatistics("count", output)},
		{"request_size", nil},
		{"multimodal", nil},
	}
}

func (m *measured) llmdLatency() object {
	return object{
		{"time_to_first_token", llmdStatistics("ms", m.latencies((*record.Record).TTFT))},
		{"normalized_time_per_output_token", llmdStatistics("ms/token", m.latencies(normalized))},
		{"time_per_output_token", llmdStatistics("ms/token", m.latencies((*record.Record).TPOT))},
		{"inter_token_latency", llmdStatistics("ms/token", m.gapSpread())},
		{"request_latency", llmdStatistics("ms", m.latencies((*record.Record).E2EL))},
	}
}

// normalized is the whole request by all its tokens, the first one's included.
func normalized(r *record.Record) (time.Duration, bool) {
	d, ok := r.E2EL()
	n, counted := r.OutputTokens.Get()
	if !ok || !counted || n < 1 {
		return 0, false
	}
	return d / time.Duration(n), true
}

func (m *measured) llmdThroughput() object {
	_, input, inputKnown := m.tokens(inputTokens)
	_, output, outputKnown := m.tokens(outputTokens)
	rate := func(units string, n int64, known bool) any {
		v := m.perSecond(n, known)
		if v != v {
			return nil
		}
		return object{{"units", units}, {"mean", v}}
	}
	return object{
		{"input_token_rate", rate("tokens/s", input, inputKnown)},
		{"output_token_rate", rate("tokens/s", output, outputKnown)},
		{"total_token_rate", rate("tokens/s", input+output, inputKnown && outputKnown)},
		{"request_rate", rate("queries/s", int64(m.completed()), true)},
		{"image_rate", nil},
		{"video_rate", nil},
		{"audio_rate", nil},
	}
}

// llmdStatistics describes values; null where there is none.
func llmdStatistics(units string, s spread) any {
	if s.n() == 0 {
		return nil
	}
	return object{
		{"units", units},
		{"mean", s.mean()},
		{"mode", nil},
		{"stddev", s.deviation(0)},
		{"min", s.min()},
		{"p0p1", s.at(0.001)},
		{"p1", s.at(0.01)},
		{"p5", s.at(0.05)},
		{"p10", s.at(0.10)},
		{"p25", s.at(0.25)},
		{"p50", s.at(0.50)},
		{"p75", s.at(0.75)},
		{"p90", s.at(0.90)},
		{"p95", s.at(0.95)},
		{"p99", s.at(0.99)},
		{"p99p9", s.at(0.999)},
		{"max", s.max()},
	}
}
