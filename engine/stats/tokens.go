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

func (t *tokenTotals) add(d *dones, i int) {
	addKnown(&t.input, &t.hasInput, d.input[i])
	addKnown(&t.output, &t.hasOutput, d.output[i])
	addKnown(&t.reasoning, &t.hasReasoning, d.reasoning[i])
	addKnown(&t.cached, &t.hasCached, d.cached[i])
	if d.streamed[i] < d.output[i] {
		t.hidden++
	}
	if d.ttfa[i] != d.ttft[i] {
		t.reasoned++
	}
	if d.output[i] < 0 && d.chunks[i] == 0 {
		t.untold++
	}
	if n := int64(d.streamed[i]); n >= 0 && d.chunks[i] > 0 {
		t.chunks += int64(d.chunks[i])
		t.chunkTokens += n
		if n >= 2 && d.chunks[i] >= 2 {
			t.gapSum += d.gapSum[i]
			t.gapTokens += n - 1
		}
	}
	t.clumps.add(d.came[i])
	switch d.source[i] {
	case fromUsage:
		t.usage++
	case fromContinuous:
		t.continuous++
	case fromTimings:
		t.timings++
	case fromEstimate:
		t.estimate++
	}
}

func addKnown(sum *int64, has *bool, n int32) {
	if n >= 0 {
		*sum += int64(n)
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
