// The chunk decoder against encoding/json.

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tokdyno/engine/jsonscan"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// view is what a chunk says, in a form that can be compared.
type view struct {
	Choices                    []choiceView
	Usage                      [4]int64
	HasUsage                   bool
	Timings                    [3]int64
	Failure                    bool
	Object, Model, Fingerprint string
}

type choiceView struct {
	Index                                int
	Answer, Reasoning, Text              bool
	MessageAnswer, MessageReasoning, Has bool
	Finish                               string
}

func viewOf(c *chunk) view {
	v := view{
		Usage:    [4]int64{c.usage.prompt, c.usage.completion, c.usage.reasoning, c.usage.cached},
		HasUsage: c.usage.present,
		Timings:  [3]int64{c.timings.predicted, c.timings.prompt, c.timings.cached},
		Failure:  c.failure != nil,
		Object:   jsonscan.Unescape(c.object), Model: jsonscan.Unescape(c.model), Fingerprint: jsonscan.Unescape(c.fingerprint),
	}
	for _, one := range c.choices {
		v.Choices = append(v.Choices, choiceView{
			Index:  one.index,
			Answer: one.delta.answer, Reasoning: one.delta.reasoning, Text: one.text, Has: one.streaming,
			MessageAnswer: one.message.answer, MessageReasoning: one.message.reasoning,
			Finish: jsonscan.Unescape(one.finish),
		})
	}
	return v
}

// reference decodes with encoding/json, and looks the same fields up in what that gives.
func reference(text []byte) (view, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document any
	if !json.Valid(text) || decoder.Decode(&document) != nil {
		return view{}, false
	}
	top, _ := document.(map[string]any)
	v := view{
		Timings: [3]int64{count(top, "timings", "predicted_n"), count(top, "timings", "prompt_n"), count(top, "timings", "cache_n")},
		Object:  str(top["object"]), Model: str(top["model"]), Fingerprint: str(top["system_fingerprint"]),
	}
	v.Failure = refFailure(top["error"]) || str(top["object"]) == "error" || str(top["type"]) == "error"
	owner := lastOf(text, "usage")
	choices, _ := top["choices"].([]any)
	_, topUsage := top["usage"].(map[string]any)
	var elements []json.RawMessage
	_ = json.Unmarshal(lastOf(text, "choices"), &elements) // of another type there are none
	failed := false                                        // a choice has an error
	for i, element := range choices {
		one, ok := element.(map[string]any)
		if !ok {
			continue
		}
		delta, message := refSaid(one["delta"]), refSaid(one["message"])
		_, has := one["delta"]
		index := int64(i)
		if n := count(one, "index"); n >= 0 && str(one["index"]) == "" {
			index = n
		}
		failed = failed || refFailure(one["error"])
		v.Choices = append(v.Choices, choiceView{
			Index:  int(min(index, maxChoices-1)),
			Answer: delta.answer, Reasoning: delta.reasoning, Text: str(one["text"]) != "", Has: has,
			MessageAnswer: message.answer, MessageReasoning: message.reasoning,
			Finish: strings.TrimPrefix(str(one["finish_reason"]), "null"),
		})
		if _, ok := one["usage"].(map[string]any); ok && !topUsage {
			owner = lastOf(elements[i], "usage")
		}
	}
	v.Usage, v.HasUsage = refUsage(owner, true)
	if !v.HasUsage {
		v.Usage, v.HasUsage = refBelow(text)
	}
	v.Failure = v.Failure || failed || len(v.Choices) == 0 && !v.HasUsage && refFailure(top["detail"])
	return v, true
}

// refFailure reports whether a value says that something went wrong.
func refFailure(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		return v != "0"
	case []any:
		return len(v) > 0
	}
	return true
}

func str(v any) string { s, _ := v.(string); return s }

func count(v any, path ...string) int64 {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	switch n := v.(type) {
	case json.Number:
		return refNumber([]byte(n))
	case string:
		return refDigits(n)
	}
	return -1
}

func refSaid(v any) said {
	m, _ := v.(map[string]any)
	var all said
	for _, name := range []string{"content", "refusal"} {
		one := refParts(m[name])
		all.answer, all.reasoning = all.answer || one.answer, all.reasoning || one.reasoning
	}
	all.answer = all.answer || refAny(m["function_call"], "name", "arguments") || refAny(m["audio"], "transcript", "data")
	calls, _ := m["tool_calls"].([]any)
	for _, call := range calls {
		c, _ := call.(map[string]any)
		all.answer = all.answer || refAny(c["function"], "name", "arguments") || refAny(c["custom"], "name", "input")
	}
	for _, name := range strings.Fields("reasoning reasoning_content reasoning_details reasoning_text thinking thinking_blocks " +
		"thinking_content thought thoughts") {
		all.reasoning = all.reasoning || refParts(m[name]) != said{}
	}
	if all != (said{}) {
		return all
	}
	for name, value := range m {
		kind, _ := memberOf([]byte(name))
		if kind == memberUnknown && refParts(value) != (said{}) {
			all.answer, all.reasoning = all.answer || !thinks([]byte(name)), all.reasoning || thinks([]byte(name))
		}
	}
	return all
}

func refAny(v any, names ...string) bool {
	m, _ := v.(map[string]any)
	return slices.ContainsFunc(names, func(name string) bool { return str(m[name]) != "" })
}

func refParts(v any) said {
	switch v := v.(type) {
	case string:
		return said{answer: v != ""}
	case map[string]any:
		summary := refParts(v["summary"])
		return said{
			answer:    refAny(v, "text", "refusal", "transcript") || summary.answer,
			reasoning: refParts(v["thinking"]) != said{} || summary.reasoning,
		}
	case []any:
		var all said
		for _, part := range v {
			if _, list := part.([]any); list {
				continue
			}
			one := refParts(part)
			all.answer, all.reasoning = all.answer || one.answer, all.reasoning || one.reasoning
		}
		return all
	}
	return said{}
}

// compare decodes both ways; the chunk is used before, so that nothing may be left over from then.
func compare(t interface{ Errorf(string, ...any) }, text []byte) {
	var c chunk
	c.decode([]byte(`{"choices":[{"index":3,"delta":{"content":"x"},"finish_reason":"y"}],"usage":{"prompt_tokens":5},"error":"z"}`))
	valid := c.decode(text)
	want, wantValid := reference(text)
	if valid != wantValid {
		t.Errorf("decode(%q) = %v, encoding/json says %v", text, valid, wantValid)
		return
	}
	if !valid {
		return
	}
	if diff := cmp.Diff(want, viewOf(&c)); diff != "" {
		t.Errorf("decode(%q) (-encoding/json):\n%s", text, diff)
	}
}

// captured are payloads of real servers.
func captured(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	files, err := filepath.Glob("testdata/ll*-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for line := range bytes.Lines(text) {
			if payload, ok := bytes.CutPrefix(line, []byte("data: ")); ok && seen < 6 {
				seen++
				all = append(all, bytes.TrimSpace(payload))
			}
		}
	}
	return all
}

// samples are payloads of real servers, and odd ones.
func samples(t testing.TB) [][]byte {
	t.Helper()
	all := captured(t)
	for _, text := range []string{
		"", "null", "[]", "{}", "1", `"x"`, "tru", "-", "-0", "01", "1.", "1e", "1e+5", "[1,]", "[,1]", "{,}", `{"a"}`, `{"a":}`, `{"a":1,}`,
		`{"a":1 "b":2}`, `{1:2}`, "[1 2]", "{}{}", "nulll", `"\x"`, `"\u12g4"`, `"\u12"`, `"` + "\t" + `"`, "\"\\", `["`, "\x00", "{\x00}",
		`{"usage":{"prompt_tokens":1e2,"completion_tokens":12.0,"reasoning_tokens":3,"prompt_cache_hit_tokens":-1}}`,
		`{"usage":{"prompt_tokens":9007199254740993,"completion_tokens":"12"}}`, `{"usage":{"prompt_tokens":1e999}}`,
		`{"choices":[{"delta":{"content":"a"}}],"choices":[null,{"delta":{"reasoning":["x",{"thinking":[{"text":"y"}]}]}}]}`,
		`{"choices":[{"index":1.5,"text":"\u0000","finish_reason":"\/stop"}],"mod\u0065l":"m\/n","error":{}}`,
		`{"choices":[],"usage":{"\u0063ompletion_tokens_details":{"\u0072easoning_tokens":7},"prompt_cache_hit_token\u0073":3}}`,
		`{"choices":[{"message":{"role":"assistant","content":"hello","tool_calls":[{"function":{"name":"f"}}]}}],"object":"chat.completion"}`,
		`{"usage":{"input_tokens":"5","output_tokens":7,"cache_read_input_tokens":3},"x_groq":{"usage":{"prompt_tokens":1}}}`,
		`{"usage":{"billed_units":{"input_tokens":5},"tokens":{"input_tokens":6,"output_tokens":7}}}`,
		`{"x_groq":{"id":"r","usage":{"prompt_tokens":20,"completion_tokens":3,"total_tokens":23}}}`,
		`{"usage":{"promptTokenCount":20,"candidatesTokenCount":3,"totalTokenCount":23}}`,
		`{"choices":[{"usage":{"prompt_tokens":3}},{"usage":{"prompt_tokens":4}}],"usage":[]}`,
		"{\"choices\":[{\"delta\":{\"content\":\"\u2028\xff\xfe\"}}]}",
	} {
		all = append(all, []byte(text))
	}
	return all
}

func TestDecodeAgreesWithEncodingJSONOnSamples(t *testing.T) {
	for _, text := range samples(t) {
		compare(t, text)
		for cut := range text { // every prefix: decode must see that it is not whole
			compare(t, text[:cut])
		}
	}
}

// documents draws JSON with the names that the decoder looks for, and values that do and do not fit them.
func documents() *rapid.Generator[string] {
	names := []string{
		"choices", "usage", "timings", "error", "detail", "type", "object", "model", "index", "delta", "message", "text", "finish_reason",
		"content", "reasoning", "reasoning_content", "reasoning_details", "inner_thoughts", "summary", "transcript", "audio", "data",
		"custom", "input", "role", "refusal", "tool_calls", "function", "function_call", "name",
		"arguments", "thinking", "prompt_tokens", "completion_tokens", "completion_tokens_details",
		"prompt_tokens_details", "reasoning_tokens", "cached_tokens", "total_tokens", "input_tokens", "output_tokens",
		"promptTokenCount", "candidatesTokenCount", "cache_read_input_tokens", "billed_units", "tokens", "x_groq", "predicted_n", "prompt_n", "cache_n", "other",
	}
	scalar := rapid.SampledFrom([]string{
		"null", "true", "false", "0", "1", "17", "-3", "1.5", "2.0", "1e3", "123456789012345678", `""`, `"x"`, `" y "`, `"\n"`, `"12"`, `"1\u0032"`, `"é\u00e9\"\\"`,
	})
	space := rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t \r"})
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			form := rapid.IntRange(0, 4).Draw(t, "form")
			if depth == 0 {
				form = 0
			}
			switch {
			case form == 0:
				return scalar.Draw(t, "scalar")
			case form == 1:
				elements := rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "elements")
				return "[" + space.Draw(t, "s") + strings.Join(elements, space.Draw(t, "s")+",") + "]"
			}
			var members []string
			for range rapid.IntRange(0, 5).Draw(t, "members") {
				name := rapid.SampledFrom(names).Draw(t, "name")
				if rapid.IntRange(0, 9).Draw(t, "escaped") == 0 {
					name = fmt.Sprintf(`\u%04x`, name[0]) + name[1:]
				}
				members = append(members, `"`+name+`"`+space.Draw(t, "s")+":"+space.Draw(t, "s")+value(depth-1).Draw(t, "value"))
			}
			return "{" + strings.Join(members, ","+space.Draw(t, "s")) + "}"
		})
	}
	// Most documents get the levels right, or hardly any would have something to find.
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 3).Draw(t, "frame") {
		case 0:
			return value(5).Draw(t, "document")
		case 1:
			return `{"usage":` + value(2).Draw(t, "usage") + `,"timings":` + value(1).Draw(t, "timings") + `,"choices":[{"usage":` + value(2).Draw(t, "inner") + `}]}`
		}
		if rapid.IntRange(0, 3).Draw(t, "below") == 0 {
			return `{"x_groq":{"usage":` + value(2).Draw(t, "usage") + `},"choices":[]}`
		}
		return `{"choices":[{"delta":` + value(4).Draw(t, "delta") + `},{"delta":{"content":` + value(3).Draw(t, "content") +
			`},"index":` + scalar.Draw(t, "index") + `,"message":` + value(3).Draw(t, "message") + `}],"error":` + value(1).Draw(t, "error") + `}`
	})
}

func TestDecodeAgreesWithEncodingJSONOnAnyDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(documents().Draw(t, "document"))
		if rapid.Bool().Draw(t, "damaged") && len(text) > 0 {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[at] = rapid.SampledFrom([]byte("\x00\x1f\"\\{}[],:0e.-x\x80")).Draw(t, "byte")
		}
		compare(t, text)
	})
}

func TestNestingIsBounded(t *testing.T) {
	var c chunk
	if c.decode([]byte(strings.Repeat(`{"choices":[`, 1<<20))) {
		t.Error("a million open brackets are not a document")
	}
	if !c.decode([]byte(strings.Repeat("[", 900) + strings.Repeat("]", 900))) {
		t.Error("900 levels are refused")
	}
}

func FuzzChunk(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > jsonscan.MaxDepth {
			return // deeper than decode goes, though encoding/json may
		}
		compare(t, text)
	})
}
