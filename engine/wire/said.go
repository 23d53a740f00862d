// This file knows the names under which generated output comes in a delta or a message.

package wire

import (
	"bytes"
	"slices"
)

// member says what a delta or message has under a name.
type member int

const (
	memberUnknown   member = iota // output, if it is text, and nothing of the delta that is known is
	memberNone                    // no output, whatever it is
	memberContent                 // parts, each of which may be answer or reasoning
	memberReasoning               // parts, all of them reasoning
	memberTools
	memberFunction
	memberAudio
)

// outputs are the names of output, known to said by their places. Nothing changes them.
var outputs = [...]struct {
	name string
	kind member
}{
	{"content", memberContent},
	{"refusal", memberContent},
	{"tool_calls", memberTools},
	{"function_call", memberFunction},
	{"audio", memberAudio},
	{"reasoning", memberReasoning},
	{"reasoning_content", memberReasoning},
	{"reasoning_details", memberReasoning},
	{"reasoning_text", memberReasoning},
	{"thinking", memberReasoning},
	{"thinking_blocks", memberReasoning},
	{"thinking_content", memberReasoning},
	{"thought", memberReasoning},
	{"thoughts", memberReasoning},
}

// memberOf looks a name up, and says where in outputs it is.
func memberOf(name []byte) (member, int) {
	switch string(name) {
	case "role", "index", "id", "type", "object", "name", "model", "tool_call_id", "call_id", "item_id", "signature", "thought_signature",
		"logprobs", "finish_reason", "stop_reason", "annotations", "citations", "provider", "provider_specific_fields", "metadata",
		"status", "channel", "format", "phase", "p", "padding", "obfuscation", "token_ids", "prompt_token_ids", "encrypted_content",
		"created", "recipient", "end_turn", "prefix", "usage", "error":
		return memberNone, 0
	}
	for i := range outputs {
		if string(name) == outputs[i].name {
			return outputs[i].kind, i
		}
	}
	return memberUnknown, 0
}

// thinks reports whether a name that is not known is likely to be one of reasoning.
func thinks(name []byte) bool {
	return bytes.Contains(name, []byte("reason")) || bytes.Contains(name, []byte("think")) || bytes.Contains(name, []byte("thought"))
}

// said reads the delta or message at the cursor. Output under a name that is not known counts only where none came under
// one that is: else it is likely the same once more, or about it.
func (s *scanner) said() said {
	if !s.Object() {
		return said{}
	}
	var all [len(outputs)]said // one a name, so that of a member named twice the last one counts
	before := len(s.strange)
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch kind, i := memberOf(name); kind {
		case memberNone:
			s.Skip()
		case memberContent:
			all[i] = s.parts()
		case memberReasoning:
			all[i] = said{reasoning: s.parts() != (said{})}
		case memberTools:
			all[i] = said{answer: s.toolCalls()}
		case memberFunction:
			all[i] = said{answer: s.anyText("name", "arguments")}
		case memberAudio:
			all[i] = said{answer: s.anyText("transcript", "data")}
		case memberUnknown:
			s.stranger(name, before, s.parts() != (said{}))
		}
	}
	var sum said
	for _, one := range all {
		sum.answer, sum.reasoning = sum.answer || one.answer, sum.reasoning || one.reasoning
	}
	if sum != (said{}) {
		s.strange = s.strange[:before]
	}
	for _, name := range s.strange[before:] {
		sum.answer, sum.reasoning = sum.answer || !thinks(name), sum.reasoning || thinks(name)
	}
	return sum
}

// stranger keeps a name that is not known among those of the present delta, which begin at from, if it spoke, and only then.
func (s *scanner) stranger(name []byte, from int, spoke bool) {
	at := slices.IndexFunc(s.strange[from:], func(known []byte) bool { return string(known) == string(name) })
	switch {
	case spoke && at < 0:
		s.strange = append(s.strange, name)
	case !spoke && at >= 0:
		s.strange = slices.Delete(s.strange, from+at, from+at+1)
	}
}

// parts reads text that is a string, a part, or an array of parts.
func (s *scanner) parts() said {
	switch s.Peek() {
	case '"':
		return said{answer: s.speech()}
	case '{':
		return s.part()
	case '[':
	default:
		s.Skip()
		return said{}
	}
	var all said
	s.Array()
	for s.Element() {
		switch s.Peek() {
		case '"':
			all.answer = s.speech() || all.answer
		case '{':
			part := s.part()
			all.answer = all.answer || part.answer
			all.reasoning = all.reasoning || part.reasoning
		default:
			s.Skip()
		}
	}
	return all
}

// part reads an object with text: {"text": …}, {"thinking": …}, {"summary": …}.
func (s *scanner) part() said {
	var text, refusal, transcript bool
	var thinking, summary said
	s.Object()
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case "text":
			text = s.speech()
		case "refusal":
			refusal = s.speech()
		case "transcript":
			transcript = s.speech()
		case "summary":
			summary = s.parts()
		case "thinking":
			thinking = s.parts()
		default:
			s.Skip()
		}
	}
	return said{
		answer:    text || refusal || transcript || summary.answer,
		reasoning: thinking != (said{}) || summary.reasoning,
	}
}

// toolCalls reports whether any tool call of the array at the cursor, of a function or of a custom tool, has a name or
// arguments.
func (s *scanner) toolCalls() bool {
	called := false
	if !s.Array() {
		return false
	}
	for s.Element() {
		if !s.Object() {
			continue
		}
		var function, custom bool
		for name, ok := s.Key(); ok; name, ok = s.Key() {
			switch string(name) {
			case "function":
				function = s.anyText("name", "arguments")
			case "custom":
				custom = s.anyText("name", "input")
			default:
				s.Skip()
			}
		}
		called = called || function || custom
	}
	return called
}

// anyText reports whether the object at the cursor has text under either name.
func (s *scanner) anyText(one, other string) bool {
	if !s.Object() {
		return false
	}
	var first, second bool
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case one:
			first = s.speech()
		case other:
			second = s.speech()
		default:
			s.Skip()
		}
	}
	return first || second
}
