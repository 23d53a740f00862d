// This file is the record of one request, and the figures that follow from it.

package record

import "time"

// Outcome says how a request ended.
type Outcome string

// The outcomes. A cancelled request was ended by us (stop, budget, surplus concurrency) and is counted nowhere but as
// cancelled; the zero Outcome means that the request still runs.
const (
	OK        Outcome = "ok"
	Failed    Outcome = "failed"
	Cancelled Outcome = "cancelled"
)

// Kind names why a request failed. HTTP statuses other than 429 give "http_4xx" or "http_5xx", the status beside it.
type Kind string

// The kinds of failure.
const (
	KindConnect          Kind = "connect"
	KindTLS              Kind = "tls"
	KindTimeoutFirstByte Kind = "timeout_first_byte"
	KindTimeoutIdle      Kind = "timeout_idle"
	KindHTTP4xx          Kind = "http_4xx"
	KindHTTP5xx          Kind = "http_5xx"
	KindHTTP429          Kind = "http_429"
	KindHTTPOther        Kind = "http_other" // a status that is neither 2xx, 4xx nor 5xx, such as an unfollowed redirect
	KindStreamError      Kind = "stream_error"
	KindTruncated        Kind = "truncated"
	KindNoTokens         Kind = "no_tokens"
	KindMalformed        Kind = "malformed"
	KindClientFD         Kind = "client_fd"
	KindClientPort       Kind = "client_port"
)

// TokenSource says where a record's token counts come from.
type TokenSource string

// The token sources. The zero TokenSource means that the counts are unknown.
const (
	SourceUsage      TokenSource = "usage"      // the server's usage, sent once
	SourceContinuous TokenSource = "continuous" // the server's usage, on every chunk
	SourceTimings    TokenSource = "timings"    // llama.cpp's timings
	SourceEstimated  TokenSource = "estimated"  // our own estimate: one token a chunk, prompt as asked
)

// Record is one request. Instants are on the run's clock; a zero Instant means that it never happened.
type Record struct {
	ID           uint64
	Stage        int // the stage that was open when it was started, from 1
	Conversation int // 0: not part of a conversation
	Turn         int
	Slot         int // the place in the pool that it ran in, from 1; 0: not known
	Endpoint     int // which of several it went to, from 1; 0: there is only one
	// Residual marks the first request of a slot of a closed loop, which asked for only a part of its answer so that slots
	// enter out of phase. It is in no steady part.
	Residual bool

	Scheduled Instant       // open loop only: the instant that the arrival process gave it
	Started   Instant       // when the load generator took it up, to be sent
	Sent      Instant       // t0: first byte handed to the kernel
	Connect   time.Duration // DNS, connect and TLS of a new connection; 0: the connection was reused
	Retried   bool          // a stale keep-alive connection was replaced, once, before any byte of the answer
	Attempts  int           // how often it was put to the endpoint, for retries were asked for; 0 and 1: once. t0 is the first one's
	Waited    time.Duration // between its attempts

	FirstToken  Instant // first token event
	FirstAnswer Instant // first token event that is not reasoning
	LastToken   Instant // last token event; of an answer that was not streamed, its arrival
	Over        Instant // arrival of the answer's end, which may be noticed later; 0: it did not come, or it is not known
	End         Instant // when we were done with it, whatever the outcome

	Chunks          int           // token events
	ReasoningChunks int           // those of them that carried only reasoning
	Gaps            int           // chunk gaps: token events less one for each choice that spoke
	GapSum          time.Duration // sum of the chunk gaps, within a choice
	GapMax          time.Duration
	Arrivals        Arrivals
	Malformed       int // payloads that could not be decoded, or counts in them that cannot be true; the stream went on

	InputTokens     Count // N_in
	OutputTokens    Count // N_out
	ReasoningTokens Count // part of N_out
	CachedTokens    Count // part of N_in
	TokenSource     TokenSource
	Doubted         bool // the server's counts contradict each other, so that InputTokens tells nothing of a text's length

	Outcome      Outcome
	Kind         Kind   // of a failure
	Status       int    // HTTP status; 0: none was received
	Error        string // of a failure: one sentence, no secrets, no prompt or answer text beyond what the server said
	FinishReason string
	Streamed     bool   // false: the server answered with one JSON document
	RequestID    string // as the server calls it, in its answer's header; "": it does not
	Model        string // the model the reply names
}

// Told is something that a server said of a request in words of its own.
type Told struct{ Name, Value string }

// New returns the record of a request that has not been sent.
func New(id uint64) *Record { return &Record{ID: id} }

// TTFT is the time from sent to the first token event; false where no token was seen.
func (r *Record) TTFT() (time.Duration, bool) { return r.FirstToken.Since(r.Sent) }

// FirstAnswerLatency is the time from sent to the first token event that is not reasoning.
func (r *Record) FirstAnswerLatency() (time.Duration, bool) { return r.FirstAnswer.Since(r.Sent) }

// E2EL is the time from sent to the last token event; false where no token was seen.
func (r *Record) E2EL() (time.Duration, bool) { return r.LastToken.Since(r.Sent) }

// E2ELFromSchedule is the time from the scheduled arrival to the last token; false in a closed loop.
func (r *Record) E2ELFromSchedule() (time.Duration, bool) { return r.LastToken.Since(r.Scheduled) }

// DispatchLag is the time that passed on the client's side before t0: from the scheduled arrival in an open loop, from
// the instant the request was taken up in a closed one. It is never part of TTFT. It is not known of a record that another tool
// made without saying when it took a request up, which then counts as when it was sent.
func (r *Record) DispatchLag() (time.Duration, bool) {
	if r.Scheduled != 0 {
		return r.Sent.Since(r.Scheduled)
	}
	if r.Started == r.Sent {
		return 0, false
	}
	return r.Sent.Since(r.Started)
}

// GenerationTime is E2EL − TTFT, which for an answer of one choice is GapSum, to the nanosecond; false where either is
// undefined.
func (r *Record) GenerationTime() (time.Duration, bool) { return r.LastToken.Since(r.FirstToken) }

// TPOT is the time per output token after the first, to the nanosecond:
//
//	TPOT = (E2EL − TTFT) / (N_out − 1)
//
// as vLLM's benchmark has it (vllm/benchmarks/serve.py, calculate_metrics): N_out tokens have N_out − 1 gaps between
// them. It is undefined for N_out < 2, for an unknown N_out, for an answer that was not streamed and for one that came as
// a single chunk or in a single read: then no time between tokens was measured, and 0 would meet any limit. Reasoning tokens that were billed
// but never shown lie before the first visible token, so N_out here is StreamedTokens.
func (r *Record) TPOT() (time.Duration, bool) {
	generation, ok := r.GenerationTime()
	n, known := r.StreamedTokens()
	if !ok || !known || n < 2 || generation == 0 {
		return 0, false
	}
	return time.Duration(float64(generation)/float64(n-1) + 0.5), true
}

// StreamedTokens is N_out less the reasoning tokens that were billed but never shown; false where N_out is unknown.
func (r *Record) StreamedTokens() (int64, bool) {
	n, ok := r.OutputTokens.Get()
	if !ok {
		return 0, false
	}
	if hidden, ok := r.ReasoningTokens.Get(); ok && r.ReasoningChunks == 0 {
		n -= hidden
	}
	return n, true
}
