// Tool calls: an answer's text as the argument of a function.

package sim

const (
	finishToolCalls = "tool_calls"
	toolName        = "say"
)

// appendToolCall appends what the tokens from i to below end are of a tool call's delta, from its index on. The call's
// first token is the function's name; the others are pieces of its arguments, which put together are JSON.
func (f *frames) appendToolCall(dst []byte, i, end int) []byte {
	first := f.form.reasoning
	if i == first {
		dst = append(dst, `"id":"call-`...)
		dst = append(dst, f.id...)
		dst = append(dst, `","type":"function","function":{"name":"`+toolName+`","arguments":"`...)
		i++
	} else {
		dst = append(dst, `"function":{"arguments":"`...)
	}
	if first+1 >= f.output {
		dst = append(dst, `{}`...)
	}
	for ; i < end; i++ {
		if i == first+1 {
			dst = append(dst, `{\"text\":\"`...)
		}
		dst = f.answer.appendToken(dst, i)
		if i+1 == f.output {
			dst = append(dst, `\"}`...)
		}
	}
	return append(dst, `"}}`...)
}

// wholeToolCall is a tool call of an answer that is not streamed.
type wholeToolCall struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function wholeFunction `json:"function"`
}

type wholeFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// toolCall returns the call that the tokens from first on are.
func (g *generation) toolCall(id string, first int) wholeToolCall {
	call := wholeToolCall{ID: "call-" + id, Type: "function", Function: wholeFunction{toolName, "{}"}}
	if first+1 < g.output {
		call.Function.Arguments = `{"text":"` + g.text(first+1, g.output) + `"}`
	}
	return call
}
