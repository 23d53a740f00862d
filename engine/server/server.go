// This file is the metrics of an inference server.

package server

import (
	"fmt"
	"math"
	"time"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// Kind is an inference server's name, as shown.
type Kind string

// The servers whose figures are known.
const (
	VLLM      Kind = "vLLM"
	SGLang    Kind = "SGLang"
	TGI       Kind = "TGI"
	LlamaCPP  Kind = "llama.cpp"
	TRTLLM    Kind = "TensorRT-LLM" // trtllm-serve
	Triton    Kind = "Triton"       // with or without the TensorRT-LLM backend
	LMDeploy  Kind = "LMDeploy"
	Dynamo    Kind = "Dynamo"
	Ollama    Kind = "Ollama" // by /api/ps, for it has no /metrics
	Simulator Kind = "tokdyno sim"
)

// Metrics is what a server said at one moment. Counters are cumulative since the server's start; Totals makes
// differences of them that survive a restart. Several engines on one page are combined: counts are added up, and the
// fullest KV cache counts.
type Metrics struct {
	Kind      Kind
	Simulated bool   // the figures are tokdyno's own simulator's
	URL       string // of the page, without secrets
	At        time.Time
	Engines   int       // whose figures are combined; 0: not known
	Skipped   int       // lines of the page that could not be understood
	Each      []Replica `json:",omitempty"` // of several servers, what each says; nil: it is one

	Started optional.Value // the server's start, Unix seconds; known only where the page has process_start_time_seconds

	Running      optional.Value // gauge: requests in the batch
	Waiting      optional.Value // gauge: requests in the queue
	KVUsage      optional.Value // gauge: share of the KV cache in use, 0–1
	HitRate      optional.Value // gauge: prefix cache hit rate as the server itself averages it, 0–1
	AcceptRate   optional.Value // gauge: share of drafted tokens that were accepted, as the server averages it, 0–1
	AcceptLength optional.Value // gauge: tokens per step of speculative decoding, as the server averages it

	PrefixHits       optional.Value // counter: prompt tokens (TensorRT-LLM: blocks) found in the prefix cache
	PrefixQueries    optional.Value // counter: prompt tokens (TensorRT-LLM: blocks) looked up in it
	Preemptions      optional.Value // counter: running requests that lost their KV cache
	PromptTokens     optional.Value // counter: with those that came from the prefix cache
	GenerationTokens optional.Value // counter
	Requests         optional.Value // counter: requests that came to their end
	SpecDraft        optional.Value // counter: tokens drafted in speculative decoding
	SpecAccepted     optional.Value // counter: of them, accepted
	SpecSteps        optional.Value // counter: drafts made
	// SpecPositions are counters: tokens accepted at each position of a draft, from the first. nil: not told.
	SpecPositions []float64

	TTFT      Histogram // arrival to first token, as the server sees it
	QueueTime Histogram // arrival to admission into the batch

	Loaded []LoadedModel // Ollama: the models in memory; nil: not told
}

// LoadedModel is a model that Ollama holds in memory.
type LoadedModel struct {
	Name          string
	VRAMBytes     optional.Value // of it on GPUs
	ContextTokens optional.Value // the context length that it was loaded with
}

// Histogram is a histogram of times in seconds, cumulative since the server's start, or the reason why there is none. The
// zero Histogram is known and empty.
type Histogram struct {
	promtext.Histogram
	NA string // "": the histogram is known, though it may be empty
}

// OK reports whether the histogram is known.
func (h Histogram) OK() bool { return h.NA == "" }

// Latency sums up a histogram, in seconds. The mean is exact; quantiles are estimates, off by at most a bucket of the
// server's histogram.
type Latency struct {
	N                        float64 // observations; 0 also where the histogram is unknown
	Mean, P50, P90, P95, P99 optional.Value
}

// Latency sums the histogram up.
func (h Histogram) Latency() Latency {
	na := h.NA
	if h.OK() && h.Count <= 0 {
		na = reasonNoRequests
	}
	if na != "" {
		none := optional.NA(na)
		return Latency{Mean: none, P50: none, P90: none, P95: none, P99: none}
	}
	quantile := func(q float64) optional.Value {
		switch seconds := h.Quantile(q); {
		case math.IsNaN(seconds):
			return optional.NA(reasonNoBuckets)
		case math.IsInf(seconds, 1):
			return optional.NA(reasonAboveBuckets)
		case len(h.Buckets) > 0 && seconds <= h.Buckets[0].UpperBound:
			return optional.NA(fmt.Sprintf("below %g s", h.Buckets[0].UpperBound)) // anywhere in the first bucket
		default:
			return finite(seconds)
		}
	}
	return Latency{
		N: h.Count, Mean: finite(h.Mean()),
		P50: quantile(0.50), P90: quantile(0.90), P95: quantile(0.95), P99: quantile(0.99),
	}
}

// The reasons why a figure is unknown; one that a server has no metric for is told with the server's name.
const (
	reasonNotOnPage    = "not on the server's page"
	reasonNotNumber    = "the server says NaN"
	reasonOutOfRange   = "out of range"
	reasonNoRequests   = "no requests yet"
	reasonNoDrafts     = "nothing drafted"
	reasonAboveBuckets = "above the server's last bucket"
	reasonNoBuckets    = "the server gives no buckets"
	reasonOtherServer  = "another server answers"
	reasonRestarted    = "the server restarted"
	reasonEngines      = "engines came or went"
	reasonNoTime       = "no time has passed"
	reasonNoReading    = "nothing read yet"
)
