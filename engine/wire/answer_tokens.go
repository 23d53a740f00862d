// The tokens of an answer: when they come, and how many they are.

package wire

import (
	"time"

	"tokdyno/engine/record"
)

// account keeps the last usage and timings.
func (a *answer) account(c *chunk) {
	if c.usage.negative {
		a.rec.Malformed++
	}
	if c.usage.told() {
		a.told = a.frames
		a.usage.present = true
		keep(&a.usage.prompt, c.usage.prompt)
		keep(&a.usage.completion, c.usage.completion)
		keep(&a.usage.reasoning, c.usage.reasoning)
		keep(&a.usage.cached, c.usage.cached)
		a.usage.total, a.usage.apart = c.usage.total, c.usage.apart
		if c.usage.prompt < 0 || c.usage.completion < 0 {
			a.usage.total = -1 // of other counts than those that are kept
		}
		a.remarkUsage(&c.usage)
	}
	keep(&a.timings.predicted, c.timings.predicted)
	keep(&a.timings.prompt, c.timings.prompt)
	keep(&a.timings.cached, c.timings.cached)
}

func keep(to *int64, n int64) {
	if n >= 0 {
		*to = n
	}
}

// token counts a token event.
func (a *answer) token(one *choice, s stamp) {
	r, at := a.rec, s.at
	v := a.voice(one.index)
	event := record.Token{
		At: at, First: r.Chunks == 0, Opening: v.last == 0, Reasoning: one.reasoningOnly(),
		Kernel: s.kernel, Lag: s.lag,
	}

	if event.First {
		r.FirstToken, a.speaker = at, one.index
	}
	if one.index == a.speaker {
		a.arrived(s)
	}
	if r.FirstAnswer == 0 && !event.Reasoning {
		r.FirstAnswer = at
	}
	r.LastToken = at
	r.Chunks++
	if event.Reasoning {
		r.ReasoningChunks++
	}
	if !event.Opening {
		event.Gap = time.Duration(at - v.last)
		r.Gaps++
		r.GapSum += event.Gap
		r.GapMax = max(r.GapMax, event.Gap)
	}
	event.Tokens = a.carried(v)
	v.last = at
	if a.obs != nil {
		a.obs.Token(event)
	}
}

// arrived counts a token event of the choice that spoke first by when it came: with the ones before it, or after them.
func (a *answer) arrived(s stamp) {
	n := &a.rec.Arrivals
	if n.Events++; n.Times == 0 || s.burst != a.lastBurst && s.at >= a.came.Add(record.Together) {
		n.Times++
		a.came = s.at
	}
	a.lastBurst = s.burst
	if n.Times == 1 {
		n.Opening++
	}
}

// carried returns how many tokens the present chunk carries, by what its usage says beyond that of the choice's
// previous token event; 0 where either is missing.
func (a *answer) carried(v *voice) int64 {
	u := &a.chunk.usage
	if !u.told() || u.completion < 0 {
		v.completed = -1
		return 0
	}
	if !a.credible(u.completion) {
		v.completed = -1
		return 0
	}
	before := v.completed
	v.completed = u.completion
	if before < 0 || u.completion < before {
		return 0
	}
	return u.completion - before
}
