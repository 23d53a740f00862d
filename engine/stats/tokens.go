// This file totals the tokens of completed requests.

package stats

import (
	"math"
	"time"

	"tokdyno/engine/record"
)

type tokenTotals struct {
	input, output, reasoning, cached     int64
	hasInput, hasOutput                  bool
	hasReasoning, hasCached              bool
	chunks, chunkTokens                  int64 // of streamed requests whose tokens are known
	gapSum                               time.Duration
	gapTokens                            int64 // Σ (N_out − 1) of streamed requests, of more than one chunk
	hidden                               int   // requests with tokens that were billed as reasoning but not shown
	reasoned                             int   // requests that showed reasoning
	usage, continuous, timings, estimate int
	untold                               int // requests of whose output neither a count nor a chunk is known
	clumps                               Clumps
}

// add counts a completed request.
func (t *tokenTotals) add(r *record.Record) {
	addKnown(&t.input, &t.hasInput, r.InputTokens)
	addKnown(&t.output, &t.hasOutput, r.OutputTokens)
	addKnown(&t.reasoning, &t.hasReasoning, r.ReasoningTokens)
	addKnown(&t.cached, &t.hasCached, r.CachedTokens)
	streamed, known := r.StreamedTokens() // N_out without what was never shown
	t.hidden += one(known && streamed < r.OutputTokens.Or(0))
	t.reasoned += one(orUndefined(r.FirstAnswerLatency()) != orUndefined(r.TTFT()))
	t.untold += one(!known && r.Chunks == 0)
	if known && streamed >= 0 && r.Chunks > 0 {
		t.chunks += int64(r.Chunks)
		t.chunkTokens += streamed
		if streamed >= 2 && r.Chunks >= 2 {
			t.gapSum += r.GapSum
			t.gapTokens += streamed - 1
		}
	}
	t.clumps.add(r)
	switch r.TokenSource {
	case record.SourceUsage:
		t.usage++
	case record.SourceContinuous:
		t.continuous++
	case record.SourceTimings:
		t.timings++
	case record.SourceEstimated:
		t.estimate++
	}
}

func addKnown(sum *int64, has *bool, count record.Count) {
	if n := count.Or(-1); n >= 0 {
		*sum += n
		*has = true
	}
}

func (t *tokenTotals) merge(o *tokenTotals) {
	t.input += o.input
	t.output += o.output
	t.reasoning += o.reasoning
	t.cached += o.cached
	t.hasInput = t.hasInput || o.hasInput
	t.hasOutput = t.hasOutput || o.hasOutput
	t.hasReasoning = t.hasReasoning || o.hasReasoning
	t.hasCached = t.hasCached || o.hasCached
	t.chunks += o.chunks
	t.chunkTokens += o.chunkTokens
	t.gapSum += o.gapSum
	t.gapTokens += o.gapTokens
	t.hidden += o.hidden
	t.reasoned += o.reasoned
	t.usage += o.usage
	t.continuous += o.continuous
	t.timings += o.timings
	t.estimate += o.estimate
	t.untold += o.untold
	t.clumps.merge(o.clumps)
}

func (t *tokenTotals) tokens() Tokens {
	count := func(n int64, has bool) record.Count {
		if !has {
			return record.Count{}
		}
		return record.Known(n)
	}
	tokens := Tokens{
		Input: count(t.input, t.hasInput), Output: count(t.output, t.hasOutput),
		Reasoning: count(t.reasoning, t.hasReasoning), Cached: count(t.cached, t.hasCached),
	}
	switch {
	case t.estimate > 0:
		tokens.Source = record.SourceEstimated
	case t.timings > 0:
		tokens.Source = record.SourceTimings
	case t.usage > 0:
		tokens.Source = record.SourceUsage
	case t.continuous > 0:
		tokens.Source = record.SourceContinuous
	}
	return tokens
}

func (t *tokenTotals) perChunk() float64 {
	if t.chunks == 0 {
		return 0
	}
	return float64(t.chunkTokens) / float64(t.chunks)
}

// meanITL is Σ gaps / Σ (N_out − 1); 0 where no completed request has two tokens.
func (t *tokenTotals) meanITL() time.Duration {
	if t.gapTokens == 0 {
		return 0
	}
	return time.Duration(math.Round(float64(t.gapSum) / float64(t.gapTokens)))
}
