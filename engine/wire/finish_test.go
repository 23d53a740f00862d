// The ends of answers: every reason that servers give, and what becomes of the answer and of its figures.

package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"tokdyno/engine/record"
)

// recorded is a stream as it was seen: pieces with the milliseconds at which they came after the request.
func recorded(t testing.TB, name string) []part {
	t.Helper()
	text, err := os.ReadFile("testdata/cases/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var steps [][2]any
	if err := json.Unmarshal(text, &steps); err != nil {
		t.Fatal(err)
	}
	var all []part
	for _, step := range steps {
		all = append(all, part{ms(int(step[0].(float64))), step[1].(string)})
	}
	return all
}

func TestAnAnswerThatTheServerAbortsIsNoSuccess(t *testing.T) {
	rule{
		stream: recorded(t, "abort"), outcome: "failed stream_error", chunks: 3, first: 100, counts: "7 in, 3 out by estimated",
		more: func(t *testing.T, r record.Record, _ *ear) {
			if want := `the server aborted the answer (finish_reason "abort")`; r.Error != want {
				t.Errorf("%s, want %s", r.Error, want)
			}
		},
	}.check(t)
}

// finishing is a frame that ends a choice.
func finishing(reason string) string {
	return strings.Replace(stop, `"stop"`, fmt.Sprintf("%q", reason), 1)
}

func TestEveryFinishReasonIsAnOutcome(t *testing.T) {
	for want, reasons := range map[ending]string{
		endingGood:     "stop STOP length tool_calls function_call eos eos_token stop_sequence end_turn MAX_TOKENS model_length COMPLETE",
		endingFiltered: "content_filter SAFETY sensitive",
		endingFailed:   "abort Aborted error cancelled canceled network_error insufficient_system_resource timeout",
		endingUnknown:  "repetition bored",
	} {
		for reason := range strings.FieldsSeq(reasons) {
			if got := endingOf(reason); got != want {
				t.Errorf("%s is %d, want %d", reason, got, want)
			}
			test := rule{stream: parts(role, say("a"), finishing(reason)+usage23, done), chunks: 1, counts: okUsage}
			if want == endingFailed {
				test.outcome, test.counts = "failed stream_error", guessed1
				test.more = func(t *testing.T, r record.Record, _ *ear) {
					if !strings.Contains(r.Error, fmt.Sprintf("%q", reason)) {
						t.Errorf("%s is not named: %s", reason, r.Error)
					}
				}
			}
			t.Run(reason, test.check)
		}
	}
}

func TestAFinishReasonOfNullIsNone(t *testing.T) {
	null := strings.Replace(say("a"), "}}]}", `},"finish_reason":"null"}]}`, 1)
	rule{stream: parts(null, null), chunks: 2, outcome: "failed truncated", counts: guessed2}.check(t)
	rule{stream: parts(null, null, stop, done), chunks: 2, counts: guessed2}.check(t)
}

func TestOneFailedChoiceFailsTheAnswer(t *testing.T) {
	rule{
		stream: parts(
			`data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`+"\n\n",
			`data: {"choices":[{"index":1,"delta":{},"finish_reason":"abort"},{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n", done),
		chunks: 2, outcome: "failed stream_error", counts: guessed2,
	}.check(t)
}

func TestADocumentThatWasAbortedIsNoSuccess(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		streamOut(w, `{"choices":[{"message":{"content":"a"},"finish_reason":"abort"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}`)
	})
	if r, _ := ask(t, client(t, Endpoint{URL: s.URL})); r.Kind != record.KindStreamError || !strings.Contains(r.Error, "aborted") {
		t.Errorf("%+v", r)
	}
}

func TestOddEndsAreSaidOnce(t *testing.T) {
	next := make(chan string, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		streamOut(w, say("a"), finishing(<-next), done)
	})
	c := client(t, Endpoint{URL: s.URL})
	next <- "bored" // the probe's own answer is none of the load's
	if _, err := c.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := len(c.Profile().Warnings)
	for _, reason := range []string{"bored", "content_filter", "bored", "stop", "abort", "bored"} {
		next <- reason
		ask(t, c)
	}
	said := c.Profile().Warnings[before:]
	if len(said) != 2 || !strings.HasPrefix(said[0], `3 answers ended with finish_reason "bored"`) ||
		!strings.Contains(said[1], "content filter ended 1 answer ") {
		t.Errorf("%q", said)
	}
	for i := range 2 * maxRemarks {
		next <- fmt.Sprint("r", i)
		ask(t, c)
	}
	if said := c.Profile().Warnings[before:]; len(said) != maxRemarks {
		t.Errorf("%d sentences", len(said))
	}
	for _, odd := range []string{"\x1b[31m", strings.Repeat("x", 1000)} {
		sentence := c.clean((remark{remarkUnknownFinish, odd}).sentence(1))
		if strings.Contains(sentence, "\x1b") || len(sentence) > 2*maxSentence {
			t.Errorf("%q", sentence)
		}
	}
}
