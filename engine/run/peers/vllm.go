// This file writes the result of vllm bench serve.

package peers

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/gpu/optional"
)

// WriteVLLM writes a run as "vllm bench serve --save-result --save-detailed" does, with the percentiles 50, 90, 95 and 99. Source
// of keys and definitions: vllm-project/vllm, vllm/benchmarks/serve.py at 009e6d4. The texts of answers are not kept, so they
// are null, and so are the gaps (itls) where the recording has chunks by number only.
func WriteVLLM(w io.Writer, d *run.Document) error {
	m, err := measure(d)
	if err != nil {
		return err
	}
	o := m.vllmHead()
	m.vllmTotals(&o)
	m.vllmRequests(&o)
	m.vllmSpeculation(&o)
	m.vllmLatencies(&o)
	return write(w, o)
}

// vllmHead says what the load was.
func (m *measured) vllmHead() object {
	backend := "openai-chat"
	if m.Last.Endpoint.API == endpoint.Completions {
		backend = "openai"
	}
	set := &m.row.Knobs.Load
	var rate, burstiness, most any // not known
	switch set.Mode {
	case load.Closed:
		rate, most = "inf", set.Concurrency
	case load.Open:
		rate, burstiness = set.MeanRate(), vllmBurstiness(set.Arrival)
		if set.MaxInFlight > 0 {
			most = set.MaxInFlight
		}
	}
	return object{
		{"date", m.vllmDate()},
		{"endpoint_type", backend},
		{"backend", backend},
		{"label", nil},
		{"model_id", textOrNull(m.Last.Endpoint.Model)},
		{"tokenizer_id", nil},
		{"num_prompts", len(m.requests)},
		{"request_rate", rate},
		{"burstiness", burstiness},
		{"max_concurrency", most},
	}
}

// vllmDate is when the run began, on this machine's clock.
func (m *measured) vllmDate() any {
	if m.Header.Started.IsZero() {
		return nil
	}
	return m.Header.Started.Local().Format("20060102-150405")
}

// vllmBurstiness is the shape of the gamma distribution that gaps between arrivals have: 1/CV², 1 for Poisson. Others, equal gaps
// (for which it is infinite) among them, have none.
func vllmBurstiness(a load.Arrival) any {
	if a == load.Poisson {
		return 1.0
	}
	text, ok := strings.CutPrefix(string(a), "gamma:")
	if cv, err := strconv.ParseFloat(text, 64); ok && err == nil && cv > 0 {
		return 1 / (cv * cv)
	}
	return nil
}

func (m *measured) vllmTotals(o *object) {
	_, input, inputKnown := m.tokens(inputTokens)
	_, output, outputKnown := m.tokens(outputTokens)
	completed := m.completed()
	goodput := unknown
	if m.scored {
		goodput = m.perSecond(int64(m.good), true)
	}
	o.add("duration", m.duration().Seconds())
	o.add("completed", completed)
	o.add("failed", len(m.requests)-completed)
	o.add("total_input_tokens", countOrNull(input, inputKnown))
	o.add("total_output_tokens", countOrNull(output, outputKnown))
	o.add("request_throughput", m.perSecond(int64(completed), true))
	o.add("request_goodput", goodput)
	o.add("output_throughput", m.perSecond(output, outputKnown))
	o.add("total_token_throughput", m.perSecond(input+output, inputKnown && outputKnown))
}

func countOrNull(n int64, known bool) any {
	if !known {
		return nil
	}
	return n
}

// vllmRequests are the lists of requests, in seconds. A failed request has no latencies there: they are 0.
func (m *measured) vllmRequests(o *object) {
	n := len(m.requests)
	column := func(of func(*record.Record) (float64, bool), failed float64) numbers {
		list := make(numbers, n)
		for i := range m.requests {
			r := m.requests[i].Record
			v, ok := of(r)
			switch {
			case r.Outcome != record.OK && !math.IsNaN(failed):
				list[i] = failed
			case ok:
				list[i] = v
			default:
				list[i] = unknown
			}
		}
		return list
	}
	seconds := func(of func(*record.Record) (time.Duration, bool)) func(*record.Record) (float64, bool) {
		return func(r *record.Record) (float64, bool) {
			d, ok := of(r)
			return d.Seconds(), ok
		}
	}
	count := func(of func(*record.Record) (int64, bool)) func(*record.Record) (float64, bool) {
		return func(r *record.Record) (float64, bool) {
			c, ok := of(r)
			return float64(c), ok
		}
	}
	o.add("input_lens", column(count(inputTokens), unknown))
	o.add("output_lens", column(count(outputTokens), 0))
	o.add("ttfts", column(seconds((*record.Record).TTFT), 0))
	o.add("itls", m.vllmGaps())
	o.add("latencies", column(seconds((*record.Record).E2EL), 0))
	o.add("start_times", column(func(r *record.Record) (float64, bool) { return sent(r).Elapsed().Seconds(), true }, unknown))
	o.add("queue_times", column(seconds((*record.Record).DispatchLag), unknown))
	o.add("generated_texts", nil)
	errors := make([]string, n)
	for i := range m.requests {
		if r := m.requests[i].Record; r.Outcome != record.OK {
			errors[i] = cmp.Or(r.Error, string(r.Kind), "failed")
		}
	}
	o.add("errors", errors)
	o.add("max_output_tokens_per_s", m.vllmPeak())
	o.add("max_concurrent_requests", m.vllmConcurrent())
	o.add("rtfx", 0.0) // of audio alone
}

func (m *measured) vllmGaps() any {
	if !m.gaps {
		return nil
	}
	all := make(rows, len(m.requests))
	for i := range m.requests {
		q := &m.requests[i]
		all[i] = numbers{}
		if q.Record.Outcome == record.OK {
			for _, g := range q.Gaps {
				all[i] = append(all[i], g.Seconds())
			}
		}
	}
	return all
}

// vllmPeak is the most chunks of completed requests that came in a second, counted from the first send.
func (m *measured) vllmPeak() float64 {
	if !m.gaps {
		return unknown
	}
	var seconds []int
	first := record.Instant(0)
	come := func(at record.Instant) {
		i := int((at - first) / record.Instant(time.Second))
		for len(seconds) <= i {
			seconds = append(seconds, 0)
		}
		seconds[i]++
	}
	for q := range m.ok() {
		r := q.Record
		if first == 0 {
			first = r.Sent
		}
		if at := r.FirstToken; at != 0 {
			come(at)
			for _, g := range q.Gaps {
				at = at.Add(g)
				come(at)
			}
		}
	}
	if len(seconds) == 0 {
		return unknown
	}
	return float64(slices.Max(seconds))
}

// vllmConcurrent is the most completed requests that ran at once, from their send to their last token.
func (m *measured) vllmConcurrent() int {
	type event struct {
		at record.Instant
		by int
	}
	var events []event
	for q := range m.ok() {
		if r := q.Record; r.LastToken != 0 {
			events = append(events, event{r.Sent, 1}, event{r.LastToken, -1})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	now, most := 0, 0
	for _, e := range events {
		now += e.by
		most = max(most, now)
	}
	return most
}

// vllmSpeculation is what the server's counters told of speculative decoding, where they did.
func (m *measured) vllmSpeculation(o *object) {
	server := m.row.Telemetry.Server
	if server == nil || !server.Window.Speculation.Rate.OK() {
		return
	}
	spec := &server.Window.Speculation
	o.add("spec_decode_acceptance_rate", 100*spec.Rate.V)
	for _, one := range []struct {
		key string
		of  optional.Value
	}{
		{"acceptance_length", spec.Length}, {"num_drafts", spec.Drafts}, {"draft_tokens", spec.Drafted}, {"accepted_tokens", spec.Accepted},
	} {
		value := unknown
		if one.of.OK() {
			value = one.of.V
		}
		o.add("spec_decode_"+one.key, value)
	}
	o.add("spec_decode_per_position_acceptance_rates", spec.Positions)
}

// vllmLatencies are statistics in milliseconds.
func (m *measured) vllmLatencies(o *object) {
	add := func(metric string, s spread) {
		o.add("mean_"+metric+"_ms", s.mean())
		o.add("median_"+metric+"_ms", s.at(0.5))
		o.add("std_"+metric+"_ms", s.deviation(0))
		o.add("p50_"+metric+"_ms", s.at(0.50))
		o.add("p90_"+metric+"_ms", s.at(0.90))
		o.add("p95_"+metric+"_ms", s.at(0.95))
		o.add("p99_"+metric+"_ms", s.at(0.99))
	}
	add("ttft", m.latencies((*record.Record).TTFT))
	add("tpot", m.latencies((*record.Record).TPOT))
	if m.gaps {
		add("itl", m.gapSpread())
	} else {
		vllmCounted(o, &m.Report.ChunkGap)
	}
	add("e2el", m.latencies((*record.Record).E2EL))
	switch set := &m.row.Knobs.Load; {
	case set.Mode == load.Closed:
		add("client_queue_time", m.latencies((*record.Record).DispatchLag))
	case set.MaxInFlight > 0:
		add("client_queue_time", m.latencies((*record.Record).DispatchLag))
		add("e2el_including_client_queue", m.latencies((*record.Record).E2ELFromSchedule))
	}
}

// vllmCounted are the statistics of gaps that are known by number only: those of their histogram.
func vllmCounted(o *object, d *run.Distribution) {
	value := func(v *float64) any {
		if v == nil {
			return nil
		}
		return *v
	}
	o.add("mean_itl_ms", value(d.Mean))
	o.add("median_itl_ms", value(d.P50))
	o.add("std_itl_ms", nil)
	o.add("p50_itl_ms", value(d.P50))
	o.add("p90_itl_ms", value(d.P90))
	o.add("p95_itl_ms", value(d.P95))
	o.add("p99_itl_ms", value(d.P99))
}
