// Speculative decoding: as many tokens as were asked for, in fewer steps and frames, and counters that agree with them.

package sim

import (
	"math"
	"strings"
	"testing"
)

func drafting(tokens int, acceptance float64) Profile {
	p := smallGPU()
	p.DraftTokens, p.DraftAcceptance = tokens, acceptance
	return p
}

func TestDraftsBringTheSameTokensInFewerFrames(t *testing.T) {
	const asked = 61
	read := func(p Profile) (text string, frames int, c Counters) {
		s := serve(t, Config{Profile: p})
		all := readStream(t, s, "/v1/chat/completions", `{`+hi+`,"stream":true,"max_tokens":61,"ignore_eos":true,"temperature":0,`+
			`"stream_options":{"include_usage":true}}`)
		for _, f := range all[1 : len(all)-1] { // without the role and the usage
			text += *f.Choices[0].Delta.Content
		}
		if u := all[len(all)-1].Usage; u == nil || u.CompletionTokens != asked {
			t.Errorf("usage %+v, want %d tokens", u, asked)
		}
		return text, len(all) - 2, s.Counters()
	}
	plain, _, _ := read(smallGPU())
	text, frames, c := read(drafting(3, 1))
	if text != plain {
		t.Errorf("drafts changed the answer:\n%s\n%s", plain, text)
	}
	// The first token comes of the prefill, four come of each step after it. A client that is late finds two steps at once.
	if c.Drafts != 15 || c.DraftTokens != 45 || c.AcceptedAt != [longestDraft]int64{15, 15, 15} || c.GenerationTokens != asked || frames > 16 {
		t.Errorf("%d frames, %+v", frames, c)
	}
	_, _, none := read(drafting(3, 0))
	if none.AcceptedAt != [longestDraft]int64{} || none.DraftTokens != 3*57+2+1 || none.Drafts != 59 {
		t.Errorf("nothing is to be accepted: %+v", none)
	}
}

func TestDraftsAreAcceptedLessOftenWhenWarm(t *testing.T) {
	rates := func(temperature string) (first, both float64) {
		s := serve(t, Config{Profile: drafting(2, 0.8)})
		readStream(t, s, "/v1/chat/completions", `{`+hi+`,"stream":true,"max_tokens":4000,"ignore_eos":true,"temperature":`+temperature+`}`)
		c := s.Counters()
		return float64(c.AcceptedAt[0]) / float64(c.Drafts), float64(c.AcceptedAt[1]) / float64(c.Drafts)
	}
	near := func(got, want float64) bool { return math.Abs(got-want) < 0.06 }
	if first, both := rates("0"); !near(first, 0.8) || !near(both, 0.64) {
		t.Errorf("cold: %.3f, %.3f, want 0.8 and its square", first, both)
	}
	if first, both := rates("1"); !near(first, 0.56) || !near(both, 0.56*0.56) {
		t.Errorf("warm: %.3f, %.3f, want 0.56 and its square", first, both)
	}
}

func TestTheMetricsPageCountsDrafts(t *testing.T) {
	s := serve(t, Config{Profile: drafting(2, 1)})
	_, _ = ask(t, s, "POST", "/v1/completions", `{"prompt":"word","max_tokens":7,"ignore_eos":true,"temperature":0}`)
	_, page := ask(t, s, "GET", "/metrics", "")
	got := samples(t, page)
	const labels = `{engine="0",model_name="sim-4b"`
	for name, want := range map[string]float64{
		"vllm:spec_decode_num_drafts_total" + labels + "}":                               2,
		"vllm:spec_decode_num_draft_tokens_total" + labels + "}":                         4,
		"vllm:spec_decode_num_accepted_tokens_total" + labels + "}":                      4,
		"vllm:spec_decode_num_accepted_tokens_per_pos_total" + labels + `,position="0"}`: 2,
		"vllm:spec_decode_num_accepted_tokens_per_pos_total" + labels + `,position="1"}`: 2,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (there: %v), want %v", name, v, ok, want)
		}
	}
	if _, page := ask(t, serve(t, Config{}), "GET", "/metrics", ""); strings.Contains(page, "spec_decode") {
		t.Error("a server that does not speculate tells of it")
	}
}

func TestDraftsMustFitIntoAStep(t *testing.T) {
	for _, p := range []Profile{drafting(-1, 0.5), drafting(longestDraft+1, 0.5), drafting(2, 1.01), drafting(2, math.NaN())} {
		if err := p.check(); err == nil || !strings.Contains(err.Error(), "draft") {
			t.Errorf("%d tokens, %g accepted: %v", p.DraftTokens, p.DraftAcceptance, err)
		}
	}
}
