// This file knows the reasons that servers give for an answer's end.

package wire

import (
	"strings"

	"tokdyno/engine/jsonscan"
)

// ending is what a finish_reason says of an answer.
type ending int

const (
	endingUnknown  ending = iota // nobody here has heard of it: the answer counts, and the reason is shown once
	endingGood                   // the answer is whole, or as long as it may be
	endingFiltered               // the server cut it for what it said; it counts, and that is shown
	endingFailed                 // the server gave it up
)

// endingOf looks a finish_reason up, in any case. The names are those of the OpenAI API, of vLLM, SGLang, TGI, llama.cpp and
// TensorRT-LLM, and of what gateways pass on from Anthropic, Bedrock, Cohere, DeepSeek, Gemini, Mistral and Zhipu.
func endingOf(reason string) ending {
	switch strings.ToLower(reason) {
	case "stop", "length", "tool_calls", "tool_call", "tool_use", "function_call", "eos", "eos_token", "stop_token", "stop_sequence",
		"end_turn", "max_tokens", "model_length", "model_context_window_exceeded", "end_id", "stop_words", "complete", "completed",
		"pause_turn", "normal":
		return endingGood
	case "content_filter", "content_filtered", "guardrail_intervened", "refusal", "safety", "sensitive", "recitation", "blocklist",
		"prohibited_content", "spii", "language", "error_toxic":
		return endingFiltered
	case "abort", "aborted", "abort_error", "error", "error_limit", "failed", "failure", "cancelled", "canceled", "cancel", "timeout",
		"timed_out", "network_error", "internal_error", "server_error", "user_cancel", "insufficient_system_resource",
		"malformed_function_call", "not_finished":
		return endingFailed
	}
	return endingUnknown
}

// endingSentence says of an answer that the server gave up how it ended.
func endingSentence(reason string) string {
	what := "ended the answer"
	switch low := strings.ToLower(reason); {
	case strings.HasPrefix(low, "abort"):
		what = "aborted the answer"
	case strings.Contains(low, "cancel"):
		what = "cancelled the answer"
	}
	return "the server " + what + ` (finish_reason "` + reason + `")`
}

// finishReason notes a finish_reason. One that says failure is all that is told where an engine gave the answer up.
func (a *answer) finishReason(raw []byte) {
	if string(raw) == a.rec.FinishReason {
		return
	}
	a.rec.FinishReason = jsonscan.Unescape(raw)
	switch reason := a.rec.FinishReason; endingOf(reason) {
	case endingGood:
	case endingFiltered:
		a.remark(remarkFiltered, reason)
	case endingFailed:
		a.gaveUp = !a.failed && !a.done
		a.fail(endingSentence(reason))
	case endingUnknown:
		a.remark(remarkUnknownFinish, reason)
	}
}
