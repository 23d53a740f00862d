// Speculative decoding: tokens that are drafted ahead, and verified together with the next one.

package sim

import (
	"fmt"
	"time"
)

// longestDraft is the most tokens that a draft may have.
const longestDraft = 16

// drafted are the totals of speculative decoding.
type drafted struct {
	drafts, tokens int64
	acceptedAt     [longestDraft]int64 // by position
}

// draftOf is how many tokens are drafted for a sequence in a step that computes n of its tokens: none in prefill, nor more
// than are asked for beside the step's own.
func (m *model) draftOf(s *sequence, n int) int {
	if n > 1 || s.generated == 0 {
		return 0
	}
	return max(min(m.profile.DraftTokens, s.output-s.generated-1), 0)
}

// draftCost is what drafting adds to a step: a small model runs once for each position of the drafts, and every drafted token
// is verified for half of what a sequence costs, since its keys and values are read once for all of them.
func (p Profile) draftCost(plan stepPlan) time.Duration {
	if plan.draft == 0 {
		return 0
	}
	const runOfBase = 0.05
	return time.Duration(runOfBase*float64(p.DraftTokens)*float64(p.StepBase)) + time.Duration(plan.draft)*p.StepPerSeq/2
}

// verify returns how many of the drafted tokens are accepted: those before the first that is not.
func (m *model) verify(s *sequence, draft int) (accepted int) {
	if draft == 0 {
		return 0
	}
	d := &m.counts.drafted
	d.drafts++
	d.tokens += int64(draft)
	for accepted < draft {
		draw := mix(mix(uint64(s.number)) + uint64(s.generated+accepted))
		if float64(draw>>11)/(1<<53) >= s.accept {
			break
		}
		d.acceptedAt[accepted]++
		accepted++
	}
	return accepted
}

// acceptance is the chance of a drafted token at a temperature; nil: 1, as the API has it. The warmer, the less often a
// sampled token is the likeliest, which the draft has: three tenths less at temperature 1.
func (p Profile) acceptance(temperature *float64) float64 {
	const lessAtOne = 0.3
	t := 1.0
	if temperature != nil {
		t = min(*temperature, 2)
	}
	return p.DraftAcceptance * (1 - lessAtOne*t)
}

// appendDrafts appends vLLM's counters of speculative decoding, with drafts of so many tokens.
func (c *Counters) appendDrafts(dst []byte, labels string, tokens int) []byte {
	accepted := int64(0)
	for _, n := range c.AcceptedAt {
		accepted += n
	}
	for _, m := range []struct {
		name, help string
		value      int64
	}{
		{"vllm:spec_decode_num_drafts_total", "Drafts.", c.Drafts},
		{"vllm:spec_decode_num_draft_tokens_total", "Drafted tokens.", c.DraftTokens},
		{"vllm:spec_decode_num_accepted_tokens_total", "Drafted tokens that were accepted.", accepted},
	} {
		dst = appendHead(dst, m.name, "counter", m.help)
		dst = appendSample(dst, m.name, labels, float64(m.value))
	}
	const name = "vllm:spec_decode_num_accepted_tokens_per_pos_total"
	dst = appendHead(dst, name, "counter", "Drafted tokens that were accepted, by their position in the draft.")
	for i, n := range c.AcceptedAt[:tokens] {
		dst = appendSample(dst, name, fmt.Sprintf(`%s,position="%d"`, labels, i), float64(n))
	}
	return dst
}
