// This file writes the requests of AIPerf, a line each.

package peers

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
)

// WriteAIPerfRequests writes the requests of a run as AIPerf's profile_export.jsonl. Times are of the wall clock, in nanoseconds
// since 1970.
func WriteAIPerfRequests(w io.Writer, d *run.Document) error {
	m, err := measure(d)
	if err != nil {
		return err
	}
	for i := range m.requests {
		if err := write(w, m.aiperfLine(i)); err != nil {
			return err
		}
	}
	return nil
}

func (m *measured) aiperfLine(i int) object {
	q := &m.requests[i]
	r := q.Record
	session, conversation, turn := i, fmt.Sprint("request-", r.ID), 0
	if r.Conversation > 0 {
		session, conversation, turn = r.Conversation-1, fmt.Sprint("conversation-", r.Conversation), max(r.Turn-1, 0)
	}
	end := r.End
	if r.Outcome == record.OK && r.LastToken != 0 {
		end = r.LastToken
	}
	var failure any
	metrics := m.aiperfMetrics(i)
	if r.Outcome != record.OK {
		failure = aiperfError(r.Status, string(r.Kind), cmp.Or(r.Error, string(r.Kind)))
		metrics = object{}
		if n, ok := r.InputTokens.Get(); ok {
			metrics.add("error_isl", object{{"value", n}, {"unit", "tokens"}})
		}
	}
	return object{
		{"metadata", object{
			{"session_num", session},
			{"x_request_id", fmt.Sprint(r.ID)},
			{"x_correlation_id", nil},
			{"conversation_id", conversation},
			{"turn_index", turn},
			{"request_start_ns", m.nanoseconds(sent(r))},
			{"request_ack_ns", nil},
			{"request_end_ns", m.nanoseconds(end)},
			{"worker_id", "tokdyno"},
			{"record_processor_id", "tokdyno"},
			{"benchmark_phase", "profiling"},
			{"was_cancelled", false},
			{"cancellation_time_ns", nil},
		}},
		{"metrics", metrics},
		{"error", failure},
	}
}

// aiperfMetrics are those of a completed request. What it does not have is left out.
func (m *measured) aiperfMetrics(i int) object {
	q := &m.requests[i]
	r, o := q.Record, object{}
	add := func(tag, unit string, value any, known bool) {
		if known {
			o.add(tag, object{{"value", value}, {"unit", unit}})
		}
	}
	latency := func(tag string, d time.Duration, known bool) { add(tag, "ms", milliseconds(d), known) }
	tokens := func(tag string, n int64, known bool) { add(tag, "tokens", n, known) }
	n, known := inputTokens(r)
	tokens("input_sequence_length", n, known)
	d, known := r.TTFT()
	latency("time_to_first_token", d, known)
	if q.GapsKnown() && len(q.Gaps) > 0 {
		latency("time_to_second_token", q.Gaps[0], true)
	}
	d, known = r.FirstAnswerLatency()
	latency("time_to_first_output_token", d, known)
	d, known = r.E2EL()
	latency("request_latency", d, known)
	n, known = answerTokens(r)
	tokens("output_token_count", n, known)
	n, known = reasoningTokens(r)
	tokens("reasoning_token_count", n, known)
	if q.GapsKnown() && len(q.Gaps) > 0 {
		gaps := make(numbers, len(q.Gaps))
		for i, g := range q.Gaps {
			gaps[i] = milliseconds(g)
		}
		add("inter_chunk_latency", "ms", gaps, true)
	}
	n, known = outputTokens(r)
	tokens("output_sequence_length", n, known)
	if d, known = r.TPOT(); known && d > 0 {
		latency("inter_token_latency", d, true)
		add("output_token_throughput_per_user", "tokens/sec/user", 1/d.Seconds(), true)
	}
	return o
}
