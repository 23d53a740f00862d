// Frames: the server-sent events of a streamed answer, rendered by appending to bytes.

package sim

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// usage is what a request cost, in tokens.
type usage struct {
	prompt, completion, cached int
}

// append appends the usage as a JSON object.
func (u usage) append(dst []byte) []byte {
	dst = append(dst, `{"prompt_tokens":`...)
	dst = strconv.AppendInt(dst, int64(u.prompt), 10)
	dst = append(dst, `,"total_tokens":`...)
	dst = strconv.AppendInt(dst, int64(u.prompt+u.completion), 10)
	dst = append(dst, `,"completion_tokens":`...)
	dst = strconv.AppendInt(dst, int64(u.completion), 10)
	dst = append(dst, `,"prompt_tokens_details":{"cached_tokens":`...)
	dst = strconv.AppendInt(dst, int64(u.cached), 10)
	return append(dst, `}}`...)
}

// frames renders the events of one answer. All that does not change from token to token is made once.
type frames struct {
	head      []byte // up to the choices
	open      string // from there to the token's text
	answer    answer
	output    int
	reason    finishReason
	promptLen int
	chat      bool
	usage     bool // on every frame
}

// newFrames prepares the frames of a generation.
func newFrames(g *generation, id, model string, created int64) *frames {
	f := &frames{answer: g.answer, output: g.output, reason: g.reason, promptLen: len(g.prompt), chat: g.chat, usage: g.continuousUsage}
	object := "text_completion"
	f.open = `{"index":0,"text":"`
	if g.chat {
		object = "chat.completion.chunk"
		f.open = `{"index":0,"delta":{"content":"`
	}
	f.head = fmt.Appendf(nil, `data: {"id":"%s","object":"%s","created":%d,"model":%s,"choices":[`, id, object, created, quote(model))
	return f
}

// appendRole appends the frame that opens a chat's answer: a role and no token.
func (f *frames) appendRole(dst []byte, cached int) []byte {
	dst = append(dst, f.head...)
	dst = append(dst, `{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}`...)
	return f.close(dst, 0, cached)
}

// appendToken appends the frame of the i-th token, from 0. The last one carries the finish reason.
func (f *frames) appendToken(dst []byte, i, cached int) []byte {
	dst = append(dst, f.head...)
	dst = append(dst, f.open...)
	dst = f.answer.appendToken(dst, i)
	if f.chat {
		dst = append(dst, `"}`...)
	} else {
		dst = append(dst, '"')
	}
	dst = append(dst, `,"logprobs":null,"finish_reason":`...)
	if i+1 < f.output {
		dst = append(dst, `null`...)
	} else {
		dst = append(dst, '"')
		dst = append(dst, f.reason.String()...)
		dst = append(dst, `","stop_reason":null`...)
	}
	dst = append(dst, '}')
	return f.close(dst, i+1, cached)
}

// close ends a frame with choices; tokens are those sent so far.
func (f *frames) close(dst []byte, tokens, cached int) []byte {
	dst = append(dst, ']')
	if f.usage {
		dst = append(dst, `,"usage":`...)
		dst = usage{f.promptLen, tokens, cached}.append(dst)
	}
	return append(dst, "}\n\n"...)
}

// appendUsage appends the frame of include_usage: no choice, the whole cost.
func (f *frames) appendUsage(dst []byte, cached int) []byte {
	dst = append(dst, f.head...)
	dst = append(dst, `],"usage":`...)
	dst = usage{f.promptLen, f.output, cached}.append(dst)
	return append(dst, "}\n\n"...)
}

// appendDone appends the end of the stream.
func appendDone(dst []byte) []byte { return append(dst, "data: [DONE]\n\n"...) }

// quote returns s as a JSON string.
func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}
