// This file writes the summary of AIPerf.

package peers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
)

// aiperfSchema is the version of the format. Source: ai-dynamo/aiperf, docs/reference/json-export-schema.md.
const aiperfSchema = "1.5"

// WriteAIPerf writes a run as AIPerf's profile_export_aiperf.json. AIPerf's inter_token_latency is TPOT, one figure a request; the
// gaps themselves are inter_chunk_latency. What is not known is left out, as AIPerf does.
func WriteAIPerf(w io.Writer, d *run.Document) error {
	m, err := measure(d)
	if err != nil {
		return err
	}
	id := id(m.Document)
	o := object{
		{"schema_version", aiperfSchema},
		{"benchmark_id", id},
		{"start_time", m.clock(sent(m.requests[0].Record))},
		{"end_time", m.clock(sent(m.requests[0].Record).Add(m.duration()))},
		{"was_cancelled", cancelled(m.Document)},
		{"input_config", m.aiperfConfig()},
		{"run_info", object{{"benchmark_id", id}, {"random_seed", run.Seed(m.Header.Seed)}}},
		{"error_summary", m.aiperfErrors()},
	}
	m.aiperfDistributions(&o)
	m.aiperfTotals(&o)
	return write(w, o)
}

// id tells a run from others.
func id(d *run.Document) string {
	h := &d.Header
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%d", h.Started.UTC().Format(time.RFC3339Nano), h.URL, h.Model, h.Seed))
	return hex.EncodeToString(sum[:8])
}

// cancelled reports whether a person ended the run before it had come to its end.
func cancelled(d *run.Document) bool {
	s := d.Last
	return !s.Complete() && (s.Pilot == nil || !s.Pilot.Finished)
}

// aiperfConfig is what was asked for, as far as AIPerf has words for it.
func (m *measured) aiperfConfig() object {
	kind := "chat"
	if m.Last.Endpoint.API == endpoint.Completions {
		kind = "completions"
	}
	whom := object{{"model_names", []string{m.Last.Endpoint.Model}}, {"type", kind}, {"streaming", true}}
	if m.Header.URL != "" {
		whom.add("url", m.Header.URL)
	}
	var gen object
	switch set := &m.row.Knobs.Load; set.Mode {
	case load.Closed:
		gen.add("concurrency", set.Concurrency)
	case load.Open:
		gen.add("request_rate", set.MeanRate())
		if set.MaxInFlight > 0 {
			gen.add("concurrency", set.MaxInFlight)
		}
	}
	return object{{"endpoint", whom}, {"loadgen", gen}}
}

// aiperfErrors counts failures of one kind.
func (m *measured) aiperfErrors() []object {
	type failure struct{ kind, message string }
	counts := make(map[failure]int)
	list := []object{}
	var order []failure
	codes := make(map[failure]int)
	for i := range m.requests {
		r := m.requests[i].Record
		if r.Outcome == record.OK {
			continue
		}
		f := failure{string(r.Kind), cmp.Or(r.Error, string(r.Kind))}
		if counts[f] == 0 {
			order = append(order, f)
		}
		counts[f]++
		codes[f] = r.Status
	}
	for _, f := range order {
		list = append(list, object{{"error_details", aiperfError(codes[f], f.kind, f.message)}, {"count", counts[f]}})
	}
	return list
}

func aiperfError(status int, kind, message string) object {
	var code any
	if status != 0 {
		code = status
	}
	return object{{"code", code}, {"type", kind}, {"message", message}}
}

// aiperfDistributions are the metrics that every request has one of, or several.
func (m *measured) aiperfDistributions(o *object) {
	add := func(tag, unit string, s spread) {
		if s.n() == 0 {
			return
		}
		block := object{{"unit", unit}, {"avg", s.mean()}, {"min", s.min()}, {"max", s.max()}}
		for _, p := range []int{1, 5, 10, 25, 50, 75, 90, 95, 99} {
			block.add(fmt.Sprint("p", p), s.at(float64(p)/100))
		}
		if d := s.deviation(1); !math.IsNaN(d) {
			block.add("std", d)
		}
		block.add("count", s.n())
		block.add("sum", s.total())
		o.add(tag, block)
	}
	tokens := func(of func(*record.Record) (int64, bool)) spread {
		s, _, _ := m.tokens(of)
		return s
	}
	add("request_latency", "ms", m.latencies((*record.Record).E2EL))
	add("time_to_first_token", "ms", m.latencies((*record.Record).TTFT))
	if m.gaps {
		add("time_to_second_token", "ms", m.secondTokens())
	}
	add("time_to_first_output_token", "ms", m.latencies((*record.Record).FirstAnswerLatency))
	add("inter_token_latency", "ms", m.latencies((*record.Record).TPOT))
	add("inter_chunk_latency", "ms", m.gapSpread())
	add("output_token_throughput_per_user", "tokens/sec/user", m.latencies(perUser))
	add("output_sequence_length", "tokens", tokens(outputTokens))
	add("input_sequence_length", "tokens", tokens(inputTokens))
	add("output_token_count", "tokens", tokens(answerTokens))
	add("reasoning_token_count", "tokens", tokens(reasoningTokens))
	if s := m.failedInput(); s.n() > 0 {
		add("error_isl", "tokens", s)
		o.add("total_error_isl", object{{"unit", "tokens"}, {"avg", s.total()}})
	}
}

// perUser is tokens a second of one stream, 1/TPOT, as a spread has them.
func perUser(r *record.Record) (time.Duration, bool) {
	d, ok := r.TPOT()
	if !ok || d <= 0 {
		return 0, false
	}
	return time.Duration(math.Round(unit / d.Seconds())), true
}

func reasoningTokens(r *record.Record) (int64, bool) { return r.ReasoningTokens.Get() }

// answerTokens are output tokens without those of reasoning. Where the server says nothing of those, there were none that it
// bills apart.
func answerTokens(r *record.Record) (int64, bool) {
	n, ok := r.OutputTokens.Get()
	return n - r.ReasoningTokens.Or(0), ok
}

// secondTokens are the times from the first chunk to the second.
func (m *measured) secondTokens() spread {
	var list []time.Duration
	for q := range m.ok() {
		if len(q.Gaps) > 0 {
			list = append(list, q.Gaps[0])
		}
	}
	return newSpread(list)
}

// failedInput are the prompts' tokens of requests that failed, where they are known.
func (m *measured) failedInput() spread {
	var list []time.Duration
	for i := range m.requests {
		r := m.requests[i].Record
		if n, ok := r.InputTokens.Get(); ok && r.Outcome != record.OK {
			list = append(list, time.Duration(n)*unit)
		}
	}
	return newSpread(list)
}

// aiperfTotals are the metrics of the run.
func (m *measured) aiperfTotals(o *object) {
	add := func(tag, unit string, v any, known bool) {
		if f, ok := v.(float64); known && (!ok || !math.IsNaN(f)) {
			o.add(tag, object{{"unit", unit}, {"avg", v}})
		}
	}
	_, input, inputKnown := m.tokens(inputTokens)
	_, output, outputKnown := m.tokens(outputTokens)
	_, reasoning, reasoningKnown := m.tokens(reasoningTokens)
	completed, first := m.completed(), sent(m.requests[0].Record)
	failed, dated := len(m.requests)-completed, !m.Header.Started.IsZero()
	add("request_throughput", "requests/sec", m.perSecond(int64(completed), true), true)
	add("request_count", "requests", completed, true)
	add("output_token_throughput", "tokens/sec", m.perSecond(output, outputKnown), true)
	add("goodput", "requests/sec", m.perSecond(int64(m.good), m.scored), true)
	add("good_request_count", "requests", m.good, m.scored)
	add("good_request_fraction", "ratio", float64(m.good)/float64(len(m.requests)), m.scored)
	add("total_output_tokens", "tokens", output, outputKnown)
	add("total_osl", "tokens", output, outputKnown)
	add("total_reasoning_tokens", "tokens", reasoning, reasoningKnown && completed > 0)
	add("total_isl", "tokens", input, inputKnown)
	add("benchmark_duration", "sec", m.duration().Seconds(), true)
	add("error_request_count", "requests", failed, failed > 0)
	add("min_request_timestamp", "ns", m.nanoseconds(first), dated)
	add("max_response_timestamp", "ns", m.nanoseconds(first.Add(m.duration())), dated)
}
