// Usage under all its names, against encoding/json, and what becomes of it in a record.

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"tokdyno/engine/record"
)

// refMember is one of an object, in the order in which it stands there.
type refMember struct {
	name string
	raw  json.RawMessage
}

// membersOf are those of an object; nil for anything else.
func membersOf(raw []byte) (all []refMember, object bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return nil, false
		}
		all = append(all, refMember{name.(string), value})
	}
	return all, true
}

// lastOf is the last member of a name in an object; nil where there is none.
func lastOf(raw []byte, name string) (value json.RawMessage) {
	for _, m := range first(membersOf(raw)) {
		if m.name == name {
			value = m.raw
		}
	}
	return value
}

// refNumber is the count that a value is, in quotes or not; -1 if it is none.
func refNumber(raw []byte) int64 {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return refDigits(text)
}

func refDigits(text string) int64 {
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return -1
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f >= 1<<53 || f != math.Trunc(f) {
		return -1
	}
	return int64(f)
}

// refUsage reads a usage with encoding/json: the prompt, the completion, reasoning, cached.
func refUsage(raw []byte, outermost bool) (u [4]int64, present bool) {
	const prompt, completion, reasoning, cached = 0, 1, 2, 3
	u = [4]int64{-1, -1, -1, -1}
	all, present := membersOf(raw)
	other, inside, beside, read := u, u, u, int64(-1)
	inner, billed := false, false
	detail := func(raw []byte, wanted string) int64 {
		n := int64(-1)
		for _, m := range first(membersOf(raw)) {
			if m.name == wanted {
				n = refNumber(m.raw)
			}
		}
		return n
	}
	for _, m := range all {
		n := refNumber(m.raw)
		switch m.name {
		case "prompt_tokens":
			u[prompt] = n
		case "completion_tokens":
			u[completion] = n
		case "input_tokens", "promptTokenCount":
			other[prompt] = n
		case "output_tokens", "candidatesTokenCount":
			other[completion] = n
		case "completion_tokens_details", "output_tokens_details":
			u[reasoning] = detail(m.raw, "reasoning_tokens")
		case "prompt_tokens_details", "input_tokens_details":
			u[cached] = detail(m.raw, "cached_tokens")
		case "reasoning_tokens", "thoughtsTokenCount":
			beside[reasoning] = n
		case "prompt_cache_hit_tokens", "cached_tokens", "cachedContentTokenCount":
			beside[cached] = n
		case "cache_read_input_tokens":
			read = n
		case "total_tokens", "totalTokenCount", "cache_creation_input_tokens":
		default:
			if in, ok := refUsage(m.raw, false); outermost && ok && (in[prompt] > 0 || in[completion] > 0) && (!inner || billed) {
				inside, inner, billed = in, true, m.name == "billed_units"
			}
		}
	}
	says := func(u [4]int64) bool { return u[prompt] > 0 || u[completion] > 0 }
	if !says(u) && says(other) {
		u[prompt], u[completion] = other[prompt], other[completion]
	}
	if !says(u) && inner {
		u = inside
	}
	if u[reasoning] < 0 {
		u[reasoning] = beside[reasoning]
	}
	for _, n := range []int64{beside[cached], read} {
		if u[cached] < 0 {
			u[cached] = n
		}
	}
	return u, present
}

func first(all []refMember, _ bool) []refMember { return all }

// refBelow finds a usage in a member of a payload that is none of those that are known.
func refBelow(payload []byte) (u [4]int64, present bool) {
	u = [4]int64{-1, -1, -1, -1}
	for _, m := range first(membersOf(payload)) {
		switch m.name {
		case "choices", "usage", "timings", "error", "detail", "type", "object", "model", "system_fingerprint":
			continue
		}
		if found, ok := refUsage(lastOf(m.raw, "usage"), true); ok {
			u, present = found, true
		}
	}
	return u, present
}

func TestUsageIsReadUnderAllItsNames(t *testing.T) {
	frame := func(members string) string { return "data: {\"choices\":[]," + members + "}\n\n" }
	for _, test := range []struct{ name, frame, counts, remark string }{
		{"as usual", frame(`"usage":{"prompt_tokens":20,"completion_tokens":3,"total_tokens":23}`), "20 in, 3 out by usage", ""},
		{
			"Anthropic's names", frame(`"usage":{"input_tokens":20,"output_tokens":3}`), "20 in, 3 out by usage",
			"tokens are counted by the server's usage under the names input_tokens and output_tokens, in 1 answer",
		},
		{
			"those beside usual ones of nothing", frame(`"usage":{"prompt_tokens":0,"completion_tokens":0,"input_tokens":20,"output_tokens":3}`),
			"20 in, 3 out by usage", "tokens are counted by the server's usage under the names input_tokens and output_tokens, in 1 answer",
		},
		{
			"Gemini's", frame(`"usage":{"promptTokenCount":20,"candidatesTokenCount":3,"totalTokenCount":23}`), "20 in, 3 out by usage",
			"tokens are counted by the server's usage under the names promptTokenCount and candidatesTokenCount, in 1 answer",
		},
		{"in quotes", frame(`"usage":{"prompt_tokens":"20","completion_tokens":"3","total_tokens":"23"}`), "20 in, 3 out by usage", ""},
		{
			"Groq's", frame(`"x_groq":{"id":"r","usage":{"prompt_tokens":20,"completion_tokens":3,"total_tokens":23}}`), "20 in, 3 out by usage",
			`tokens are counted by a usage inside "x_groq", in 1 answer`,
		},
		{
			"Cohere's", frame(`"usage":{"billed_units":{"input_tokens":5,"output_tokens":3},"tokens":{"input_tokens":20,"output_tokens":3}}`),
			"20 in, 3 out by usage", `tokens are counted by a usage inside "tokens", in 1 answer`,
		},
		{
			"billed alone", frame(`"usage":{"billed_units":{"input_tokens":20,"output_tokens":3}}`),
			"20 in, 3 out by usage", `tokens are counted by a usage inside "billed_units", in 1 answer`,
		},
		{"no number", frame(`"usage":{"prompt_tokens":"many","completion_tokens":"some"}`), "7 in, 1 out by estimated", ""},
	} {
		for _, size := range readSizes {
			r, _, remarks := replayed(parts(role, say("a"), stop, test.frame+done), size, io.EOF)
			if _, counts := brief(r); counts != test.counts {
				t.Errorf("%s: %s, want %s", test.name, counts, test.counts)
			}
			if got := strings.Join(remarks, "\n"); !strings.Contains(got, test.remark) || test.remark == "" && got != "" {
				t.Errorf("%s: remarks %q", test.name, got)
			}
		}
	}
}

// Counts that contradict each other are mended where it is plain what they leave out, and else not learned from.
func TestCountsThatContradictEachOther(t *testing.T) {
	for _, test := range []struct {
		name, usage string
		in, out     int64
		doubted     bool
		remark      string
	}{
		{"whole", `"prompt_tokens":500,"completion_tokens":2,"total_tokens":502,"prompt_tokens_details":{"cached_tokens":450}`, 500, 2, false, ""},
		{
			"a prompt without what was cached", `"prompt_tokens":50,"completion_tokens":2,"total_tokens":502,"prompt_tokens_details":{"cached_tokens":450}`,
			500, 2, false, countsApart,
		},
		{
			"less of it cached", `"prompt_tokens":300,"completion_tokens":2,"total_tokens":502,"prompt_tokens_details":{"cached_tokens":200}`,
			500, 2, false, countsApart,
		},
		{
			"without a total", `"prompt_tokens":50,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":450}`,
			500, 2, true, countsCached,
		},
		{
			"Anthropic's", `"input_tokens":30,"output_tokens":2,"cache_read_input_tokens":450,"cache_creation_input_tokens":20`,
			500, 2, false, countsApart,
		},
		{
			"Anthropic's, with a total of all", `"input_tokens":30,"output_tokens":2,"total_tokens":502,"cache_read_input_tokens":450,"cache_creation_input_tokens":20`,
			500, 2, false, countsApart,
		},
		{
			"Anthropic's names, with a total without what was cached", `"input_tokens":500,"output_tokens":2,"total_tokens":502,"cache_read_input_tokens":450`,
			500, 2, false, "",
		},
		{
			"a completion without its reasoning", `"prompt_tokens":500,"completion_tokens":2,"total_tokens":512,"completion_tokens_details":{"reasoning_tokens":10}`,
			500, 12, false, countsReasoning,
		},
		{"a total of neither", `"prompt_tokens":500,"completion_tokens":2,"total_tokens":777`, 500, 2, true, countsOdd},
		{
			"more cached than there is", `"prompt_tokens":50,"completion_tokens":2,"total_tokens":52,"prompt_tokens_details":{"cached_tokens":450}`,
			50, 2, true, countsOdd,
		},
	} {
		r, _, remarks := replayed(parts(role, say("a"), stop, fmt.Sprintf("data: {\"choices\":[],\"usage\":{%s}}\n\n", test.usage)+done), 64, io.EOF)
		in, out := r.InputTokens.Or(-1), r.OutputTokens.Or(-1)
		if in != test.in || out != test.out || r.Doubted != test.doubted || r.TokenSource != record.SourceUsage {
			t.Errorf("%s: %d in, %d out, doubted %t, by %s", test.name, in, out, r.Doubted, r.TokenSource)
		}
		if got := strings.Join(remarks, "\n"); !strings.Contains(got, test.remark) || test.remark == "" && strings.Contains(got, "count") && !strings.Contains(got, "names") {
			t.Errorf("%s: remarks %q", test.name, got)
		}
	}
}

// Usage on every chunk contradicts itself in none of them, whichever of its counts the pattern skips over.
func TestContinuousUsageDoesNotContradictItself(t *testing.T) {
	frame := func(n int) string {
		return fmt.Sprintf(`data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":20,"total_tokens":%d,"completion_tokens":%d}}`+"\n\n", 20+n, n)
	}
	var text string
	for n := 1; n <= 12; n++ {
		text += frame(n)
	}
	r, _, remarks := replayed(parts(text, stop+done), 64, io.EOF)
	if in, out := r.InputTokens.Or(-1), r.OutputTokens.Or(-1); in != 20 || out != 12 || r.Doubted || len(remarks) > 0 {
		t.Errorf("%d in, %d out, doubted %t, %q", in, out, r.Doubted, remarks)
	}
}
