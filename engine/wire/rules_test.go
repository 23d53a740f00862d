// What a rule of reading is made of, how it is checked, and the rules that single servers taught.

package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// rule is a stream of bytes and what must become of it, however it is cut into reads.
type rule struct {
	name    string
	stream  []part
	broken  error
	outcome string // "ok" if empty
	chunks  int
	first   int // ms of the first token event; 0: not checked
	counts  string
	tokens  []int64 // per token event; nil: not checked
	more    func(t *testing.T, r record.Record, heard *ear)
}

func (test rule) check(t *testing.T) {
	whole, heard := replay(test.stream, 0, test.broken)
	for _, size := range readSizes[1:] {
		if size == 1 && len(test.stream) > 0 && len(test.stream[0].text) > 1<<20 {
			continue // megabytes, byte by byte, teach nothing more
		}
		again, heardAgain := replay(test.stream, size, test.broken)
		if again != whole {
			t.Errorf("in reads of %d:\n%+v\nwhole:\n%+v", size, again, whole)
		}
		if diff := cmp.Diff(heard.tokens, heardAgain.tokens); diff != "" {
			t.Errorf("token events in reads of %d (-whole):\n%s", size, diff)
		}
	}
	outcome, counts := brief(whole)
	if want := test.outcome; outcome != want && (want != "" || outcome != "ok") {
		t.Errorf("outcome %q (%s), want %q", outcome, whole.Error, want)
	}
	if whole.Chunks != test.chunks || len(heard.tokens) != test.chunks {
		t.Errorf("%d chunks, %d heard of, want %d", whole.Chunks, len(heard.tokens), test.chunks)
	}
	if counts != test.counts {
		t.Errorf("counts %q, want %q", counts, test.counts)
	}
	if test.first != 0 && whole.FirstToken != ms(test.first) {
		t.Errorf("first token at %d, want %d", whole.FirstToken, ms(test.first))
	}
	if test.tokens != nil {
		if diff := cmp.Diff(test.tokens, heard.counts()); diff != "" {
			t.Errorf("tokens per chunk (-want):\n%s", diff)
		}
	}
	if test.more != nil {
		test.more(t, whole, heard)
	}
	checkIdentity(t, whole, heard)
}

// brief says in one line what the rules are about: outcome, finish, token events and counts.
func brief(r record.Record) (outcome string, counts string) {
	outcome = string(r.Outcome)
	if r.Kind != "" {
		outcome += " " + string(r.Kind)
	}
	if r.TokenSource == "" {
		return outcome, ""
	}
	count := func(c record.Count) string {
		if n, known := c.Get(); known {
			return fmt.Sprint(n)
		}
		return "?"
	}
	return outcome, fmt.Sprintf("%s in, %s out by %s", count(r.InputTokens), count(r.OutputTokens), r.TokenSource)
}

// checkIdentity checks what holds for every record.
func checkIdentity(t *testing.T, r record.Record, heard *ear) {
	t.Helper()
	var sum time.Duration
	opened := 0
	for i, token := range heard.tokens {
		sum += token.Gap
		if token.First != (i == 0) {
			t.Errorf("token event %d: First is %v", i, token.First)
		}
		if token.Opening {
			opened++
		}
	}
	if sum != r.GapSum || r.Gaps != r.Chunks-opened {
		t.Errorf("gaps heard of: sum %v, %d; recorded: %v, %d", sum, r.Chunks-opened, r.GapSum, r.Gaps)
	}
	if generation, ok := r.GenerationTime(); ok && opened == 1 && generation != r.GapSum {
		t.Errorf("E2EL − TTFT = %v, but the gaps sum to %v", generation, r.GapSum)
	}
}

func TestRulesOfSingleServers(t *testing.T) {
	const ollama = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":%d,"model":"q","system_fingerprint":"fp_ollama",` +
		`"choices":[{"index":0,"delta":{"role":"assistant","content":"%s"%s},"finish_reason":%s}]}` + "\n\n"
	const progress = `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],` +
		`"prompt_progress":{"total":900,"cache":0,"processed":%d,"time_ms":20}}` + "\n\n"
	for _, test := range []rule{
		{
			name: "llama-server: frames with a role during prefill, usage beside timings",
			stream: parts(fmt.Sprintf(progress, 300), fmt.Sprintf(progress, 900), say("a"), say("b"),
				`data: {"choices":[{"finish_reason":"length","index":0,"delta":{}}]}`+"\n\n",
				`data: {"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":2,"total_tokens":5},"timings":{"cache_n":0,"prompt_n":2,"predicted_n":3}}`+"\n\n", done),
			chunks: 2, first: 30, counts: okUsage,
		},
		{
			name: "Ollama: role in every frame, reasoning beside empty content, another second",
			stream: parts(
				fmt.Sprintf(ollama, 1, "", `,"reasoning":"hm"`, "null"), fmt.Sprintf(ollama, 1, "", `,"reasoning":"so"`, "null"),
				fmt.Sprintf(ollama, 1, "a", "", "null"), fmt.Sprintf(ollama, 2, "b", "", "null"), fmt.Sprintf(ollama, 2, "", "", `"stop"`), usage23, done),
			chunks: 4, first: 10, counts: okUsage,
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.ReasoningChunks != 2 || r.FirstAnswer != ms(30) || r.Model != "q" {
					t.Errorf("%d reasoning chunks, first answer at %d, model %q", r.ReasoningChunks, r.FirstAnswer, r.Model)
				}
			},
		},
		{
			name: "vLLM: usage null in every frame but the last",
			stream: parts(strings.ReplaceAll(role+say("a")+say("b"), "}]}", `}],"usage":null}`), strings.ReplaceAll(stop, "}]}", `}],"usage":null}`),
				usage23, done),
			chunks: 2, counts: okUsage,
		},
		{
			name: "OpenAI: every chunk padded with noise",
			stream: parts(
				strings.Replace(say("a"), "}]}", `}],"obfuscation":"Xk2"}`, 1), strings.Replace(say("b"), "}]}", `}],"obfuscation":"9fGa1"}`, 1),
				strings.Replace(say(""), "}]}", `}],"obfuscation":"0"}`, 1), stop, done),
			chunks: 2, counts: guessed2,
		},
		{
			name: "Azure: a first frame with filter results and no choices",
			stream: parts(`data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]}`+"\n\n",
				role, say("a"), stop, usage23, done),
			chunks: 1, first: 30, counts: okUsage,
		},
		{
			name: "Anthropic-like pings between events", stream: parts("event: ping\ndata: {\"type\":\"ping\"}\n\n", say("a"), "event: ping\ndata: {}\n\n", stop+done),
			chunks: 1, first: 20, counts: guessed1,
		},
		{
			name: "tokens of one chunk after another, each with its count",
			stream: parts(
				metered("a", 1), metered("bc", 3), metered("", 3), metered("d", 4), stop,
				`data: {"choices":[],"usage":{"prompt_tokens":41,"completion_tokens":5}}`+"\n\n", done),
			chunks: 3, counts: "41 in, 5 out by continuous", tokens: []int64{1, 2, 1},
		},
	} {
		t.Run(test.name, test.check)
	}
}
