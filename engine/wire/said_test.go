// The names of generated output, each alone in its delta.

package wire

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/record"
)

func TestReasoningInDetailsIsSeen(t *testing.T) {
	rule{
		stream: recorded(t, "reasoning-details"), chunks: 5, first: 100, counts: "5 in, 25 out by usage",
		more: func(t *testing.T, r record.Record, _ *ear) {
			e2el, _ := r.E2EL()
			tpot, _ := r.TPOT()
			tpot = tpot.Round(100 * time.Microsecond)
			if r.ReasoningChunks != 3 || r.FirstAnswer != ms(1000) || e2el != 1050*time.Millisecond || tpot != 39600*time.Microsecond {
				t.Errorf("%d reasoning chunks, first answer at %d, E2EL %v, TPOT %v", r.ReasoningChunks, r.FirstAnswer, e2el, tpot)
			}
			if n, _ := r.StreamedTokens(); n != 25 {
				t.Errorf("%d tokens were streamed; none was hidden", n)
			}
		},
	}.check(t)
}

func TestNamesOfOutput(t *testing.T) {
	const none, answer, reasoning, both = "", "answer", "reasoning", "answer, reasoning"
	for _, test := range []struct{ members, is, strange string }{
		{`"content":"a"`, answer, ""},
		{`"content":{"type":"text","text":"a"}`, answer, ""},
		{`"content":[{"type":"thinking","thinking":"a"}]`, reasoning, ""},
		{`"content":[[["a"]]]`, none, ""},
		{`"reasoning":"a"`, reasoning, ""},
		{`"reasoning":{"text":"a"}`, reasoning, ""},
		{`"reasoning_content":["a"]`, reasoning, ""},
		{`"content":"","reasoning_details":[{"type":"reasoning.text","text":"a"}]`, reasoning, ""},
		{`"reasoning_details":[{"type":"reasoning.summary","summary":"a"}]`, reasoning, ""},
		{`"reasoning_details":[{"type":"reasoning.encrypted","data":"a"}]`, none, ""},
		{`"thinking":"a"`, reasoning, ""},
		{`"thinking":{"thinking":"a"}`, reasoning, ""},
		{`"thinking_blocks":[{"type":"thinking","thinking":"a","signature":"s"}]`, reasoning, ""},
		{`"thinking_blocks":[{"type":"thinking","thinking":"","signature":"s"}]`, none, ""},
		{`"tool_calls":[{"index":0,"id":"c","type":"custom","custom":{"name":"f","input":""}}]`, answer, ""},
		{`"tool_calls":[{"index":0,"custom":{"input":"x"}}]`, answer, ""},
		{`"tool_calls":[{"index":0,"custom":{"input":""}}]`, none, ""},
		{`"audio":{"id":"a1","transcript":"a"}`, answer, ""},
		{`"audio":{"id":"a1","data":"UklG"}`, answer, ""},
		{`"audio":{"id":"a1","expires_at":5}`, none, ""},
		{`"role":"assistant","id":"x","index":0,"type":"t","tool_call_id":"y"`, none, ""},
		{`"annotations":[{"type":"url_citation","text":"a"}],"obfuscation":"x"`, none, ""},
		{`"poem":"a"`, answer, "poem"},
		{`"poem":["a"]`, answer, "poem"},
		{`"poem":[{"text":"a"}]`, answer, "poem"},
		{`"poem":{"text":"a"}`, answer, "poem"},
		{`"poem":"","n":7,"m":{"x":"a"},"o":null`, none, ""},
		{`"poem":"a","poem":""`, none, ""},
		{`"poem":"a","inner_thoughts":"b"`, both, "poem inner_thoughts"},
		{`"inner_thoughts":"b"`, reasoning, "inner_thoughts"},
		{`"poem":"a","content":"a"`, answer, ""},
		{`"poem":"a","reasoning":"a"`, reasoning, ""},
		{`"\u0070oem":"a"`, answer, "poem"},
	} {
		for _, owner := range []string{"delta", "message"} {
			var c chunk
			if !c.decode([]byte(`{"choices":[{"` + owner + `":{` + test.members + `}}]}`)) {
				t.Fatalf("%s is not valid", test.members)
			}
			got := c.choices[0].delta
			if owner == "message" {
				got = c.choices[0].message
			}
			var is, strange []string
			if got.answer {
				is = append(is, answer)
			}
			if got.reasoning {
				is = append(is, reasoning)
			}
			for _, name := range c.strange {
				strange = append(strange, string(name))
			}
			if strings.Join(is, ", ") != test.is || strings.Join(strange, " ") != test.strange {
				t.Errorf("%s of %s: %q, not known %q; want %q, %q", owner, test.members, is, strange, test.is, test.strange)
			}
		}
	}
}

func TestOutputUnderAnUnknownNameIsSaidOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		streamOut(w, role, delta(`"poem":"a"`), delta(`"poem":"b"`), delta(`"poem":"c"`), stop, usage23, done)
	})
	c := client(t, Endpoint{URL: s.URL})
	for range 2 {
		if r, _ := ask(t, c); r.Outcome != record.OK || r.Chunks != 3 {
			t.Errorf("%+v", r)
		}
	}
	if said := c.Profile().Warnings; len(said) != 1 || !strings.Contains(said[0], `"poem"`) || !strings.Contains(said[0], "2 answers") {
		t.Errorf("%q", said)
	}
}

func TestUnknownNamesCostNoAllocation(t *testing.T) {
	var a answer
	rec := record.New(1)
	a.reset(rec, nil, &Request{})
	payload := []byte(`{"choices":[{"index":0,"delta":{"poem":"a"}}]}`)
	n := testing.AllocsPerRun(100, func() {
		a.chunk.pattern.ready = false // a stream whose chunks all differ
		a.chunk.decode(payload)
		a.take(payload, stamp{at: ms(1)})
	})
	if n != 0 || rec.Chunks == 0 {
		t.Errorf("%v allocations, %d chunks", n, rec.Chunks)
	}
}
