// Probing servers that refuse to give short answers.

package wire

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

// shortRefusals are bodies with which endpoints refuse a request for few tokens, by case; see the file.
func shortRefusals(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/cases/small-answers-refused.json")
	if err != nil {
		t.Fatal(err)
	}
	var bodies map[string]json.RawMessage
	if err := json.Unmarshal(text, &bodies); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for name, body := range bodies {
		all[name] = string(body)
	}
	return all
}

// terse is a server that refuses requests for fewer than least tokens.
type terse struct {
	takes []string // the fields of a length that it takes
	least int
	say   map[string]string // the body of a refusal, by the field that it is about; "": by any

	mu    sync.Mutex
	asked []int // in order
}

// lengths are those that were asked for so far.
func (s *terse) lengths() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *terse) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent map[string]json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&sent)
	for _, field := range []string{fieldMaxTokens, fieldMaxCompletionTokens} {
		raw, there := sent[field]
		if !there {
			continue
		}
		if !slices.Contains(s.takes, field) {
			status, text := wording()["OpenAI"](field, nil)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
			return
		}
		var n int
		_ = json.Unmarshal(raw, &n)
		s.asked = append(s.asked, n)
		if n < s.least {
			text := s.say[field]
			if text == "" {
				text = s.say[""]
			}
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, text)
			return
		}
	}
	streamOut(w, say("a"), say("b"), stop, usage23, done)
}

func TestProbeAsksForMoreBeforeItBelievesThatALengthIsRefused(t *testing.T) {
	body := shortRefusals(t)
	both, one := []string{fieldMaxTokens, fieldMaxCompletionTokens}, []string{fieldMaxCompletionTokens}
	c := map[string]string{fieldMaxTokens: body["c"], fieldMaxCompletionTokens: body["d"]}
	for _, test := range []struct {
		name   string
		server *terse
		own    int
		field  string // that load is sent with
		asked  []int
		least  int
		err    string
	}{
		{"nothing is refused", &terse{takes: both}, 128, fieldMaxTokens, []int{8}, 0, ""},
		{"a: the reasoning did not fit", &terse{takes: one, least: 16, say: map[string]string{"": body["a"]}}, 128, fieldMaxCompletionTokens, []int{8, 16}, 16, ""},
		{"b: another field is named", &terse{takes: one, least: 16, say: map[string]string{"": body["b"]}}, 128, fieldMaxCompletionTokens, []int{8, 16}, 16, ""},
		{"c: either field, by its own name", &terse{takes: both, least: 16, say: c}, 128, fieldMaxTokens, []int{8, 16}, 16, ""},
		{"d: the only field, by its name", &terse{takes: one, least: 16, say: c}, 128, fieldMaxCompletionTokens, []int{8, 16}, 16, ""},
		{"the reasoning takes half of the load's length", &terse{takes: one, least: 65, say: map[string]string{"": body["a"]}}, 128, fieldMaxCompletionTokens, []int{8, 16, 64, 128}, 128, ""},
		{"a reason that says nothing", &terse{takes: both, least: 10, say: map[string]string{"": `{"error":"Bad Request"}`}}, 12, fieldMaxTokens, []int{8, 12}, 12, ""},
		{"the load's length is not known", &terse{takes: both, least: 20, say: c}, 0, fieldMaxTokens, []int{8, 16, 64}, 64, ""},
		{"the load asks for too little", &terse{takes: both, least: 16, say: c}, 10, "", []int{8, 10, 16}, 0, "as few output tokens as the load asks for (10), but one for 16; ask for more with --output-tokens"},
		{"the reasoning never fits", &terse{takes: one, least: 1000, say: map[string]string{"": body["a"]}}, 128, "", []int{8, 16, 64, 128}, 0, "asked for up to 128 output tokens, as the load does: ask for more with --output-tokens"},
		{"no limit is taken at all", &terse{}, 128, "-", nil, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.server.ServeHTTP)
			cl := client(t, Endpoint{URL: s.URL, OutputTokens: test.own})
			p, err := cl.Probe(t.Context())
			if test.field == "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v", err)
				}
				if got := test.server.lengths(); len(got) < len(test.asked) || !slices.Equal(got[:len(test.asked)], test.asked) {
					t.Errorf("asked for %v, want %v first", got, test.asked)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.asked, test.server.lengths()); diff != "" {
				t.Errorf("asked for (-want):\n%s", diff)
			}
			if p.LeastOutput != test.least || (len(p.Warnings) > 0) != (test.least > 0) {
				t.Errorf("least %d, warnings %q", p.LeastOutput, p.Warnings)
			}
			if p.MaxTokensField != strings.Trim(test.field, "-") || p.Unlimited != (test.field == "-") {
				t.Errorf("sent with %q, unlimited %v", p.MaxTokensField, p.Unlimited)
			}
			req, err := cl.Prepare(Prompt{Text: "a", OutputTokens: 128})
			if err != nil {
				t.Fatal(err)
			}
			rec := record.New(1)
			if cl.Stream(t.Context(), req, rec, nil); rec.Outcome != record.OK {
				t.Errorf("a request after the probe: %s", rec.Error)
			}
		})
	}
}

func FuzzRefusal(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"Unsupported parameter: 'max_tokens'","param":"max_tokens","code":"unsupported_parameter"}}`))
	f.Add([]byte(`{"detail":[{"loc":["body","stream_options","continuous_usage_stats"],"msg":"Extra inputs are not permitted"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := endpoint.DefaultProfile(endpoint.Chat, true)
		problem := &Error{sentence: "refused", err: statusError(http.StatusBadRequest, body)}
		for _, field := range refusedFields(problem, &p) {
			if !sends(&p, field) {
				t.Errorf("%s is named, which was not sent", field)
			}
		}
		_ = refusesField(problem)
		if err := (&prober{c: client(t, Endpoint{URL: "localhost:1"})}).helpless(problem); err == nil || err.Error() == "" {
			t.Error("nothing is said")
		}
	})
}

func TestWhetherAnswersAreLimited(t *testing.T) {
	for _, test := range []struct {
		field, extra string
		unlimited    bool
	}{
		{fieldMaxTokens, `{}`, false},
		{fieldMaxCompletionTokens, `{}`, false},
		{"", `{}`, true},
		{"", `{"max_completion_tokens": 100}`, false},
		{fieldMaxTokens, `{"max_tokens": null}`, true},
		{fieldMaxTokens, `{"max_tokens": null, "max_completion_tokens": 9}`, false},
	} {
		var extra map[string]json.RawMessage
		if err := json.Unmarshal([]byte(test.extra), &extra); err != nil {
			t.Fatal(err)
		}
		c := client(t, Endpoint{URL: "localhost:1", ExtraBody: extra})
		p := c.Profile()
		p.MaxTokensField = test.field
		if c.SetProfile(p); c.Profile().Unlimited != test.unlimited {
			t.Errorf("%+v: unlimited %v", test, c.Profile().Unlimited)
		}
	}
}
