// This file settles an answer's token counts: whose they are, and whether they can be true.

package wire

import (
	"time"

	"tokdyno/engine/record"
)

// What a completion count may be at most; see credible.
const (
	fastestToken = 100 * time.Microsecond // 10,000 tokens a second for one answer: three times what the fastest services make
	countSlack   = 1000                   // tokens
)

// credible reports whether the answer, as far as it has come, can have n completion tokens. Those that its text is made
// of have a byte each at the least, however many share a chunk. Those that nothing is seen of, such as reasoning that is
// billed and not shown, may be any number, told as reasoning or not, but each took its time. So
//
//	n ≤ bytes of the answer's JSON + time since it was asked for / 100 µs + 1000
//
// which no true count has been seen to come near, and which a count in another unit, or of another request, breaks.
func (a *answer) credible(n int64) bool {
	if n <= a.bytes+countSlack {
		return true
	}
	took, ok := a.latest.Since(a.rec.Sent)
	return ok && n <= a.bytes+countSlack+int64(took/fastestToken)
}

// maxHidden is how many prompt tokens a server may add to what it is sent, as system prompts and templates do: more than
// any model has room for.
const maxHidden = 1 << 20

// counts writes the token counts into the record: as the server's usage has them, or llama.cpp's timings, else, each that
// those lack or that cannot be true, as an estimate: a token a chunk, and the prompt that was asked for.
func (a *answer) counts() {
	r := a.rec
	u := noUsage()
	switch {
	case a.usage.present:
		u = a.usage
		a.reconcile(&u)
		r.TokenSource = record.SourceUsage
		if a.continuous() {
			r.TokenSource = record.SourceContinuous
		}
	case a.timings.predicted > 0:
		u = usage{prompt: a.timings.prompt, completion: a.timings.predicted, reasoning: -1, cached: a.timings.cached}
		r.TokenSource = record.SourceTimings
		if u.prompt >= 0 {
			u.prompt += max(u.cached, 0) // prompt_n leaves out what came from the cache
		}
	case r.Chunks == 0 && r.LastToken == 0:
		return
	}
	if !a.credible(u.completion) {
		r.Malformed++
		u.completion, u.reasoning = -1, -1
	}
	if u.prompt == 0 { // nobody is asked nothing
		u.prompt, u.cached = -1, -1
	}
	if u.prompt > int64(a.size)+maxHidden {
		r.Malformed++
		u.prompt, u.cached = -1, -1
	}
	if a.outdated() {
		u.completion, u.reasoning = -1, -1
	}
	if u.completion < 0 && r.Chunks > 0 {
		u.completion, r.TokenSource = int64(r.Chunks), record.SourceEstimated
	}
	if u.prompt < 0 && a.asked > 0 {
		u.prompt, r.TokenSource = int64(a.asked), record.SourceEstimated
	}
	r.InputTokens = known(u.prompt)
	r.OutputTokens = known(u.completion)
	r.ReasoningTokens = known(u.reasoning)
	r.CachedTokens = known(u.cached)
}

// reconcile mends counts that contradict each other, where it is plain what they leave out, and marks the prompt's as one
// that is not to be learned from where it is not.
func (a *answer) reconcile(u *usage) {
	if u.prompt < 0 {
		return
	}
	cached, reasoning := max(u.cached, 0), max(u.reasoning, 0)
	if u.total < 0 || u.completion < 0 {
		switch {
		case u.apart > 0:
			u.prompt += u.apart
			a.remark(remarkCounts, countsApart)
		case cached > u.prompt:
			u.prompt += cached
			a.rec.Doubted = true
			a.remark(remarkCounts, countsCached)
		}
		return
	}
	switch u.total - u.prompt - u.completion {
	case 0:
		if cached > u.prompt {
			a.rec.Doubted = true
			a.remark(remarkCounts, countsOdd)
		}
	case cached:
		u.prompt += cached
		a.remark(remarkCounts, countsApart)
	case u.apart:
		u.prompt += u.apart
		a.remark(remarkCounts, countsApart)
	case reasoning:
		u.completion += reasoning
		a.remark(remarkCounts, countsReasoning)
	case cached + reasoning:
		u.prompt, u.completion = u.prompt+cached, u.completion+reasoning
		a.remark(remarkCounts, countsApart)
		a.remark(remarkCounts, countsReasoning)
	default:
		a.rec.Doubted = true
		a.remark(remarkCounts, countsOdd)
	}
}

// What is said of counts that contradict each other.
const (
	countsApart     = "the server's prompt counts leave out what came from its cache; cached tokens are added to them"
	countsCached    = "the server's cached tokens are more than those of the prompt; they are added to it, and nothing is learned from such counts"
	countsReasoning = "the server's completion counts leave out reasoning; it is added to them"
	countsOdd       = "the server's token counts contradict each other; the prompt's is shown as it is, and nothing is learned from it"
)

// outdated reports whether the last usage came before the last token event, so that its completion count is not of all.
func (a *answer) outdated() bool { return a.usage.present && a.told < a.spoken }

// continuous reports whether usage came on every token event, and on more than the one frame that has it anyway.
func (a *answer) continuous() bool {
	return a.rec.Chunks > 0 && !a.unmetered && (a.rec.Chunks > 1 || a.toldBefore)
}

func known(n int64) record.Count {
	if n < 0 {
		return record.Count{}
	}
	return record.Known(n)
}
