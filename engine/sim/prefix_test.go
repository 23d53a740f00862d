// The prefix cache as a client sees it: cached_tokens, and the counters of /metrics.

package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// chatAnswer is an answer that is not streamed.
type chatAnswer struct {
	Choices []struct {
		Message struct{ Content string }
	}
	Usage frameUsage
}

// turn sends messages and returns the answer.
func turn(t *testing.T, s *Server, messages []map[string]string, tokens int) chatAnswer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"messages": messages, "max_tokens": tokens, "ignore_eos": true})
	if err != nil {
		t.Fatal(err)
	}
	resp, text := ask(t, s, "POST", "/v1/chat/completions", string(body))
	if resp.StatusCode != 200 {
		t.Fatalf("%d %s", resp.StatusCode, text)
	}
	return decode[chatAnswer](t, text)
}

// checkCounters compares the page with what the answers said.
func checkCounters(t *testing.T, s *Server, queries, hits int) {
	t.Helper()
	_, page := ask(t, s, "GET", "/metrics", "")
	const labels = `{engine="0",model_name="sim-4b"}`
	got := samples(t, page)
	if got["vllm:prefix_cache_queries_total"+labels] != float64(queries) || got["vllm:prefix_cache_hits_total"+labels] != float64(hits) {
		t.Errorf("/metrics has %g hits of %g, the answers said %d of %d", got["vllm:prefix_cache_hits_total"+labels],
			got["vllm:prefix_cache_queries_total"+labels], hits, queries)
	}
}

// distinctWords are n words of seven letters that no other key has.
func distinctWords(key, n int) string {
	all := make([]string, n)
	for i := range all {
		var word [7]byte
		x := mix(uint64(key)<<32 | uint64(i))
		for j := range word {
			word[j] = byte('a' + x%26)
			x /= 26
		}
		all[i] = string(word[:])
	}
	return strings.Join(all, " ")
}

func TestEveryTurnOfAConversationFindsTheOnesBefore(t *testing.T) {
	const block, turns, said, answered = 16, 10, 30, 50
	for _, cfg := range []Config{{}, {WordsPerToken: 1.5}, {TemplateTokens: 20}} {
		s := serve(t, cfg)
		var history []map[string]string
		queries, hits, before := 0, 0, 0
		for i := range turns {
			history = append(history, map[string]string{"role": "user", "content": distinctWords(i, said)})
			a := turn(t, s, history, answered)
			// All of the turn before is computed but its last token: the full blocks of that are found.
			want := max(before-1, 0) / block * block
			if got := a.Usage.Details.CachedTokens; got != want {
				t.Errorf("%+v, turn %d: %d of %d tokens were cached, want %d", cfg, i+1, got, a.Usage.PromptTokens, want)
			}
			before = a.Usage.PromptTokens + answered
			queries += a.Usage.PromptTokens
			hits += a.Usage.Details.CachedTokens
			history = append(history, map[string]string{"role": "assistant", "content": a.Choices[0].Message.Content})
		}
		if share := float64(hits) / float64(queries); share < 0.75 {
			t.Errorf("%+v: %.0f%% of the conversation's tokens were found", cfg, 100*share)
		}
		checkCounters(t, s, queries, hits)
	}
}

func TestAnotherAnswerInTheHistoryIsNotFound(t *testing.T) {
	s := serve(t, Config{})
	ask := map[string]string{"role": "user", "content": distinctWords(1, 30)}
	first := turn(t, s, []map[string]string{ask}, 100)
	placeholder := map[string]string{"role": "assistant", "content": distinctWords(2, 100)}
	second := turn(t, s, []map[string]string{ask, placeholder, ask}, 1)
	if got, want := second.Usage.Details.CachedTokens, first.Usage.PromptTokens/16*16; got != want {
		t.Errorf("%d tokens were cached, want the %d of the first prompt's full blocks", got, want)
	}
}

func TestSaltedPromptsShareNothing(t *testing.T) {
	for _, template := range []int{0, 40} {
		s := serve(t, Config{TemplateTokens: template})
		common := distinctWords(0, 200)
		queries, hits := 0, 0
		for i := range 20 {
			a := turn(t, s, []map[string]string{{"role": "user", "content": fmt.Sprintf("%s %s", distinctWords(100+i, 2), common)}}, 1)
			want := template / 16 * 16
			if i == 0 {
				want = 0
			}
			if got := a.Usage.Details.CachedTokens; got != want {
				t.Errorf("template %d, request %d: %d tokens were cached, want %d", template, i, got, want)
			}
			queries += a.Usage.PromptTokens
			hits += a.Usage.Details.CachedTokens
		}
		checkCounters(t, s, queries, hits)
	}
}

func TestPoolOfPrefixesHitsAsOftenAsThereAreRepeats(t *testing.T) {
	// n prompts whose first half is one of k: all but the first of each k find it.
	const n, k, prefix, rest = 60, 6, 160, 160
	s := serve(t, Config{})
	queries, hits := 0, 0
	for i := range n {
		ids := make([]int, 0, prefix+rest)
		for j := range prefix {
			ids = append(ids, i%k*1000+j)
		}
		for j := range rest {
			ids = append(ids, 100_000+i*1000+j)
		}
		body, err := json.Marshal(map[string]any{"prompt": ids, "max_tokens": 1})
		if err != nil {
			t.Fatal(err)
		}
		_, text := ask(t, s, "POST", "/v1/completions", string(body))
		usage := decode[frame](t, text).Usage
		if usage.PromptTokens != prefix+rest {
			t.Fatalf("%d ids are %d tokens", len(ids), usage.PromptTokens)
		}
		queries += usage.PromptTokens
		hits += usage.Details.CachedTokens
	}
	const overlap = float64(prefix) / (prefix + rest)
	if got, want := float64(hits)/float64(queries), (1-float64(k)/n)*overlap; math.Abs(got-want) > 0.001 {
		t.Errorf("%.3f of the tokens were found, want %.3f", got, want)
	}
	checkCounters(t, s, queries, hits)
}

func TestIDsAndTextOfTheSameTokensShareTheCache(t *testing.T) {
	s := serve(t, Config{})
	text := distinctWords(7, 50)
	_, answer := ask(t, s, "POST", "/tokenize", `{"prompt":"`+text+`"}`)
	tokens := decode[struct{ Tokens json.RawMessage }](t, answer).Tokens
	_, answer = ask(t, s, "POST", "/v1/completions", `{"prompt":"`+text+`","max_tokens":1}`)
	want := decode[frame](t, answer).Usage.PromptTokens
	_, answer = ask(t, s, "POST", "/v1/completions", `{"prompt":`+string(tokens)+`,"max_tokens":1}`)
	usage := decode[frame](t, answer).Usage
	if usage.PromptTokens != want || usage.Details.CachedTokens != (want-1)/16*16 {
		t.Errorf("%d tokens as text; as ids %+v", want, usage)
	}
}
