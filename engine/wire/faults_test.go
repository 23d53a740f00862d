// Members that are null, missing or of a wrong type: every one, at every level, at every place in the stream.

package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wholeFrames are chunks with every member that is looked at. In those that speak, the path of one choice's text is
// given, level by level.
func wholeFrames() []struct{ text, spoken string } {
	return []struct{ text, spoken string }{
		{`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"logprobs":null,"finish_reason":null}],"usage":null}`, "/choices/0/delta/content"},
		{`{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"}]}}]}`, "/choices/0/delta/content/0/text"},
		{`{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"a"}}]}`, "/choices/0/delta/reasoning_content"},
		{`{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}}]}`, "/choices/0/delta/content/0/thinking/0/text"},
		{`{"choices":[{"index":0,"delta":{"reasoning":"a","content":""}}]}`, "/choices/0/delta/reasoning"},
		{`{"choices":[{"index":0,"delta":{"refusal":"a"}}]}`, "/choices/0/delta/refusal"},
		{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f"}}]}}]}`, "/choices/0/delta/tool_calls/0/function/name"},
		{`{"choices":[{"index":0,"delta":{"function_call":{"arguments":"{"}}}]}`, "/choices/0/delta/function_call/arguments"},
		{`{"id":"x","object":"text_completion","choices":[{"index":0,"text":"a","finish_reason":null}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, "/choices/0/text"},
		{`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`, ""},
		{`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":4,"completion_tokens":5}}],"timings":{"cache_n":4,"prompt_n":8,"predicted_n":30}}`, ""},
		{`{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":5,"total_tokens":9,"completion_tokens_details":{"reasoning_tokens":2},"prompt_tokens_details":{"cached_tokens":3},"reasoning_tokens":2,"prompt_cache_hit_tokens":3}}`, ""},
	}
}

// paths lists the way to every value of a document, the document itself ("") first.
func paths(v any, at string) []string {
	all := []string{at}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, paths(v[name], at+"/"+name)...)
		}
	case []any:
		for i, element := range v {
			all = append(all, paths(element, fmt.Sprint(at, "/", i))...)
		}
	}
	return all
}

// missing is the value of a member that is taken out.
type missing struct{}

// with returns a document with another value at a path.
func with(v any, path string, value any) any {
	if path == "" {
		return value
	}
	step, rest, _ := strings.Cut(path[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		v[step] = with(v[step], rest, value)
		if v[step] == (missing{}) {
			delete(v, step)
		}
		return v
	case []any:
		var all []any
		for i, element := range v {
			if fmt.Sprint(i) == step {
				element = with(element, rest, value)
			}
			if element != any(missing{}) {
				all = append(all, element)
			}
		}
		if all == nil {
			all = []any{}
		}
		return all
	}
	return v
}

func TestEveryMemberMayBeNullMissingOrOfAWrongType(t *testing.T) {
	wrong := []any{
		nil,
		missing{},
		true, false, 0, -1, 1.5, json.Number("1e999"), json.Number("123456789012345678901234567890"),
		[]any{},
		map[string]any{},
		[]any{nil},
		[]any{[]any{}},
		map[string]any{"x": nil},
		"", "x",
	}
	speechless := len(wrong) - 1 // all but the last hold no text, wherever they stand
	around := []string{role, say("a"), say("b"), stop, usage23, done}
	cases := 0
	for _, frame := range wholeFrames() {
		var document any
		if err := json.Unmarshal([]byte(frame.text), &document); err != nil {
			t.Fatal(err)
		}
		for _, path := range paths(document, "") {
			for i, value := range wrong {
				changed := with(document, path, value)
				if changed == (missing{}) {
					continue
				}
				text, err := json.Marshal(changed)
				if err != nil {
					t.Fatal(err)
				}
				seen, _ := reference(text)
				speakers := 0
				for _, one := range seen.Choices {
					if one.Answer || one.Reasoning || one.Text {
						speakers++
					}
				}
				if onTheWay := frame.spoken == path || strings.HasPrefix(frame.spoken, path+"/"); speakers > 0 && i < speechless && onTheWay {
					t.Errorf("%s speaks, by the reference", text)
				}
				for place := range len(around) + 1 {
					stream := parts(slices.Insert(slices.Clone(around), place, "data: "+string(text)+"\n\n")...)
					want := 2
					if place < len(around) {
						want += speakers
					}
					whole, heard := replay(stream, 0, nil)
					if whole.Chunks != want || len(heard.tokens) != want {
						t.Errorf("%s at place %d: %d token events, want %d", text, place, len(heard.tokens), want)
					}
					if whole.Outcome != "ok" || whole.Malformed != 0 {
						t.Errorf("%s at place %d: %s, %d malformed (%s)", text, place, whole.Outcome, whole.Malformed, whole.Error)
					}
					checkIdentity(t, whole, heard)
					size := readSizes[1+cases%(len(readSizes)-1)]
					cases++
					again, heardAgain := replay(stream, size, nil)
					if again != whole || !slices.Equal(heardAgain.tokens, heard.tokens) {
						t.Errorf("%s at place %d, in reads of %d:\n%s", text, place, size, cmp.Diff(fmt.Sprint(whole), fmt.Sprint(again)))
					}
				}
			}
		}
	}
	if cases < 10_000 {
		t.Errorf("only %d cases", cases)
	}
}
