// Frames: the server-sent events of a streamed answer, rendered by appending to bytes.

package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
)

// usage is what a request cost, in tokens.
type usage struct {
	prompt, completion, cached int
	reasoning                  int // part of completion
}

// append appends the usage as a JSON object, in a form.
func (u usage) append(dst []byte, form UsageForm) []byte {
	input, output, quotes := `"prompt_tokens":`, `"completion_tokens":`, ""
	prompt := u.prompt
	switch form {
	case UsageInput:
		input, output = `"input_tokens":`, `"output_tokens":`
	case UsageStrings:
		quotes = `"`
	case UsageUncached:
		prompt -= u.cached
	case UsageBelow:
	}
	count := func(before, name string, n int) {
		dst = append(append(append(dst, before...), name...), quotes...)
		dst = append(strconv.AppendInt(dst, int64(n), 10), quotes...)
	}
	count("{", input, prompt)
	count(",", `"total_tokens":`, u.prompt+u.completion)
	count(",", output, u.completion)
	quotes = ""
	count(`,"prompt_tokens_details":{`, `"cached_tokens":`, u.cached)
	dst = append(dst, '}')
	if u.reasoning > 0 {
		count(`,"completion_tokens_details":{`, `"reasoning_tokens":`, u.reasoning)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// appendMember appends the usage as a member of a frame.
func (u usage) appendMember(dst []byte, form UsageForm) []byte {
	if form == UsageBelow {
		return append(u.append(append(dst, `,"x_groq":{"usage":`...), form), '}')
	}
	return u.append(append(dst, `,"usage":`...), form)
}

// frames renders the events of one answer. All that does not change from token to token is made once.
type frames struct {
	head       []byte // up to the choices
	open       string // from there to the text of tokens
	thought    string // from there to the text of reasoning tokens
	thoughtEnd string // from there to the end of the delta
	silence    string // from there to the end of a delta that says nothing
	answer     answer
	output     int
	finish     string // finish_reason
	promptLen  int
	chat       bool
	usage      bool // on every frame
	lastUsage  bool // a frame with the usage follows the tokens
	form       answerForm
	id         string // of a tool call
}

// newFrames prepares the frames of a generation.
func newFrames(g *generation, id, model string, created int64) *frames {
	f := &frames{
		answer: g.answer, output: g.output, finish: g.reason.String(), promptLen: len(g.prompt),
		chat: g.chat, usage: g.continuousUsage, lastUsage: g.usage, form: g.form, id: id,
	}
	object := "text_completion"
	f.open, f.silence = `{"index":0,"text":"`, `{"index":0,"text":""`
	if g.chat {
		object = "chat.completion.chunk"
		delta := `{"index":0,"delta":{`
		f.silence = delta + `}`
		if g.form.roleEvery {
			delta += `"role":"assistant",`
			f.silence = `{"index":0,"delta":{"role":"assistant"}`
		}
		f.open = delta + `"content":"`
		f.thought, f.thoughtEnd = delta+`"reasoning_content":"`, `"}`
		switch g.form.field {
		case ReasoningPlain:
			f.thought = delta + `"content":"","reasoning":"`
		case ReasoningDetails:
			f.thought, f.thoughtEnd = delta+`"content":"","reasoning_details":[{"type":"reasoning.text","index":0,"text":"`, `"}]}`
		case ReasoningContent, ReasoningHidden:
		}
		if g.form.toolCall {
			f.open = delta + `"tool_calls":[{"index":0,`
			f.finish = finishToolCalls
		}
	}
	f.finish = cmp.Or(string(g.form.finish), f.finish)
	f.head = fmt.Appendf(nil, `data: {"id":"%s","object":"%s","created":%d,"model":%s,"choices":[`, id, object, created, quote(model))
	return f
}

// next returns where the frame ends that begins with token i, of so many that are ready: tokens i to below it. A frame does
// not mix reasoning with other tokens; hidden reasoning is one frame, which is not sent unless it is the last.
func (f *frames) next(i, ready int) int {
	size := f.form.chunk
	if f.form.steps {
		size = ready - i
	}
	end := min(i+max(size, 1), f.output)
	switch {
	case i >= f.form.reasoning:
		return end
	case f.form.field == ReasoningHidden:
		return f.form.reasoning
	}
	return min(end, f.form.reasoning)
}

// hidden reports whether the tokens up to end are not shown.
func (f *frames) hidden(end int) bool {
	return f.form.field == ReasoningHidden && end <= f.form.reasoning
}

// appendRole appends the frame that opens a chat's answer: a role and no token.
func (f *frames) appendRole(dst []byte, cached int) []byte {
	dst = append(dst, f.head...)
	dst = append(dst, `{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}`...)
	return f.close(dst, 0, cached)
}

// appendTokens appends the frame of the tokens from i, counted from 0, to below end, which next gave. The last one
// carries the finish reason.
func (f *frames) appendTokens(dst []byte, i, end, cached int) []byte {
	dst = append(dst, f.head...)
	switch {
	case f.hidden(end):
		dst = append(dst, f.silence...)
	case i < f.form.reasoning:
		dst = append(dst, f.thought...)
		dst = f.appendText(dst, i, end)
		dst = append(dst, f.thoughtEnd...)
	case f.form.toolCall:
		dst = append(dst, f.open...)
		dst = f.appendToolCall(dst, i, end)
		dst = append(dst, `]}`...)
	default:
		dst = append(dst, f.open...)
		dst = f.appendText(dst, i, end)
		dst = append(dst, '"')
		if f.chat {
			dst = append(dst, '}')
		}
	}
	dst = append(dst, `,"logprobs":null,"finish_reason":`...)
	if end < f.output {
		dst = append(dst, `null`...)
	} else {
		dst = append(dst, '"')
		dst = append(dst, f.finish...)
		dst = append(dst, `","stop_reason":null`...)
	}
	dst = append(dst, '}')
	return f.close(dst, end, cached)
}

// appendText appends the text of tokens.
func (f *frames) appendText(dst []byte, i, end int) []byte {
	for ; i < end; i++ {
		dst = f.answer.appendToken(dst, i)
	}
	return dst
}

// close ends a frame with choices; tokens are those sent so far.
func (f *frames) close(dst []byte, tokens, cached int) []byte {
	dst = append(dst, ']')
	switch {
	case f.form.zeroUsage && (tokens < f.output || f.lastUsage):
		dst = usage{}.appendMember(dst, f.form.usage)
	case f.usage, f.form.zeroUsage:
		dst = f.spent(tokens, cached).appendMember(dst, f.form.usage)
	}
	return append(dst, "}\n\n"...)
}

// spent returns the cost of the answer so far.
func (f *frames) spent(tokens, cached int) usage {
	return usage{f.promptLen, tokens, cached, min(tokens, f.form.reasoning)}
}

// appendUsage appends the frame of include_usage: no choice, the whole cost.
func (f *frames) appendUsage(dst []byte, cached int) []byte {
	dst = append(dst, f.head...)
	dst = append(dst, ']')
	dst = f.spent(f.output, cached).appendMember(dst, f.form.usage)
	return append(dst, "}\n\n"...)
}

// appendDone appends the end of the stream.
func appendDone(dst []byte) []byte { return append(dst, "data: [DONE]\n\n"...) }

// quote returns s as a JSON string.
func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}
