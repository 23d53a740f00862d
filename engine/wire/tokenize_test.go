package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tokdyno/engine/endpoint"

	"github.com/google/go-cmp/cmp"
)

// tokenServer answers as some server does at each of its pages, and keeps what it was asked.
type tokenServer struct {
	mu    sync.Mutex
	asked []string // path and body
}

// take returns what was asked since the last call.
func (s *tokenServer) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func (s *tokenServer) serve(t *testing.T, pages map[string]func(fields map[string]any) (int, string)) string {
	t.Helper()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path+" "+string(body))
		s.mu.Unlock()
		page := pages[r.URL.Path]
		if page == nil {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodPost || r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s with %v", r.Method, r.URL.Path, r.Header)
		}
		var fields map[string]any
		if err := json.Unmarshal(body, &fields); err != nil {
			t.Errorf("asked %s: %v", body, err)
		}
		status, text := page(fields)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})
	return server.URL
}

// The tokenizers of servers, as far as their answers go.
func vllmTokens(fields map[string]any) (int, string) {
	switch {
	case fields["model"] != "m":
		return 404, `{"object":"error","message":"The model does not exist."}`
	case fields["prompt"] != nil:
		return 200, `{"count":3,"max_model_len":8192,"tokens":[1,22,333],"token_strs":null}`
	}
	return 400, `{"object":"error","message":"Field required"}`
}

func llamaTokens(fields map[string]any) (int, string) {
	if fields["content"] == nil {
		return 200, `{"tokens":[]}`
	}
	return 200, `{"tokens":[1,22,333]}`
}

// only takes one field and no other, and answers with one.
func only(wanted, answered string) func(map[string]any) (int, string) {
	return func(fields map[string]any) (int, string) {
		if fields[wanted] == nil || len(fields) != 1 {
			return 422, `{"detail":[{"loc":["body"],"msg":"no"}]}`
		}
		return 200, fmt.Sprintf(`{%q:[1,22,333]}`, answered)
	}
}

func TestTokenize(t *testing.T) {
	type pages = map[string]func(map[string]any) (int, string)
	says := func(status int, text string) func(map[string]any) (int, string) {
		return func(map[string]any) (int, string) { return status, text }
	}
	for _, test := range []struct {
		name  string
		path  string // of the endpoint
		pages pages
		tries int    // of the first question
		page  string // that is asked from then on
	}{
		{"vLLM", "", pages{"/tokenize": vllmTokens}, 1, "/tokenize"},
		{"vLLM, full URL", "/v1/chat/completions", pages{"/tokenize": vllmTokens}, 1, "/tokenize"},
		{"llama.cpp", "/v1", pages{"/tokenize": llamaTokens}, 2, "/tokenize"},
		{"SGLang with nothing but a prompt", "", pages{"/tokenize": only("prompt", "tokens")}, 3, "/tokenize"},
		{"text to ids", "", pages{"/tokenize": only("text", "ids")}, 4, "/tokenize"},
		{"text to input_ids", "", pages{"/tokenize": only("text", "input_ids")}, 4, "/tokenize"},
		{"behind a path, beside the API", "/api/v1", pages{"/api/tokenize": vllmTokens}, 1, "/api/tokenize"},
		{"behind a path, within the API", "/api/v1", pages{"/api/v1/tokenize": vllmTokens}, 2, "/api/v1/tokenize"},
		{"a login page outside", "/v1", pages{"/tokenize": says(200, "<html>"), "/v1/tokenize": vllmTokens}, 2, "/v1/tokenize"},
		{"a path that is no API's", "/openai/deployments/x", pages{"/openai/deployments/x/tokenize": vllmTokens}, 1, "/openai/deployments/x/tokenize"},
		{"none", "/api/v1", nil, 2, ""},
		{"405 and 501", "/v1", pages{"/tokenize": says(405, ""), "/v1/tokenize": says(501, "")}, 2, ""},
		{"401 and 403", "/v1", pages{"/tokenize": says(401, ""), "/v1/tokenize": says(403, "")}, 2, ""},
		{"a redirect", "/v1", pages{"/tokenize": says(307, ""), "/v1/tokenize": says(302, "")}, 2, ""},
		{"web pages", "/v1", pages{"/tokenize": says(200, "<html>"), "/v1/tokenize": says(200, " <!doctype html>")}, 2, ""},
		{"another form", "/openai", pages{"/openai/tokenize": says(400, `{"error":"no"}`)}, 4, ""},
		{"another answer", "/openai", pages{"/openai/tokenize": says(200, `[{"id":1,"text":"a"}]`)}, 4, ""},
		{"no tokens", "/openai", pages{"/openai/tokenize": says(200, `{"count":0,"tokens":[]}`)}, 4, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s tokenServer
			c := client(t, Endpoint{URL: s.serve(t, test.pages) + test.path, Key: "secret"})
			var want []int
			var wantErr error = ErrNoTokenize
			if test.page != "" {
				want, wantErr = []int{1, 22, 333}, nil
			}
			ids, err := c.Tokenize(t.Context(), "<a> b")
			if asked := s.take(); !errors.Is(err, wantErr) || !slices.Equal(ids, want) || len(asked) != test.tries {
				t.Fatalf("%v, %v after %q", ids, err, asked)
			}
			ids, err = c.Tokenize(t.Context(), "c")
			again := s.take()
			if !errors.Is(err, wantErr) || !slices.Equal(ids, want) || len(again) > 1 {
				t.Errorf("the second time: %v, %v after %q", ids, err, again)
			}
			for _, asked := range again {
				if path, _, _ := strings.Cut(asked, " "); path != test.page {
					t.Errorf("the second question went to %s", path)
				}
			}
		})
	}
}

func TestTokenizeFailuresThatMayPassAreNotRemembered(t *testing.T) {
	var status atomic.Int64
	var s tokenServer
	url := s.serve(t, map[string]func(map[string]any) (int, string){"/tokenize": func(map[string]any) (int, string) {
		if status.Load() == 200 {
			return 200, `{"tokens":[4]}`
		}
		return int(status.Load()), `{"error":{"message":"wait for secret"}}`
	}})
	c := client(t, Endpoint{URL: url, Key: "secret"})
	for _, failing := range []int64{503, 429, 500} {
		status.Store(failing)
		_, err := c.Tokenize(t.Context(), "x")
		if err == nil || errors.Is(err, ErrNoTokenize) || !strings.Contains(err.Error(), "wait for …") {
			t.Errorf("%d: %v", failing, err)
		}
	}
	status.Store(200)
	if ids, err := c.Tokenize(t.Context(), "x"); err != nil || !slices.Equal(ids, []int{4}) {
		t.Errorf("afterwards: %v, %v", ids, err)
	}
	status.Store(400) // of a form that worked before, such as for a text that is too long
	if _, err := c.Tokenize(t.Context(), "x"); err == nil || errors.Is(err, ErrNoTokenize) {
		t.Errorf("a text that is refused: %v", err)
	}
	if ids, err := c.Tokenize(t.Context(), ""); ids != nil || err != nil {
		t.Errorf("an empty text: %v, %v", ids, err)
	}
}

func TestTokenizeWithoutAServer(t *testing.T) {
	s := serve(t, nil)
	s.Close()
	_, err := client(t, Endpoint{URL: s.URL}).Tokenize(t.Context(), "x")
	if err == nil || errors.Is(err, ErrNoTokenize) || !strings.Contains(err.Error(), "is the server running?") {
		t.Errorf("%v", err)
	}
}

func TestProbeForgetsTheTokenizer(t *testing.T) {
	var there atomic.Bool
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			streamOut(w, say("a"), stop, usage23, done)
		case there.Load() && r.URL.Path == "/tokenize":
			_, _ = io.WriteString(w, `{"tokens":[4]}`)
		default:
			http.NotFound(w, r)
		}
	})
	c := client(t, Endpoint{URL: s.URL})
	if _, err := c.Tokenize(t.Context(), "x"); !errors.Is(err, ErrNoTokenize) {
		t.Fatal(err)
	}
	there.Store(true)
	if _, err := c.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids, err := c.Tokenize(t.Context(), "x"); err != nil || len(ids) != 1 {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestProbeIDs(t *testing.T) {
	usage := func(prompt int) string {
		return fmt.Sprintf(`data: {"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":1}}`+"\n\n", prompt)
	}
	text := `data: {"choices":[{"index":0,"text":"a","finish_reason":"length"}]}` + "\n\n"
	for _, test := range []struct {
		name   string
		api    endpoint.API
		answer func(w http.ResponseWriter)
		ids    []int
		want   bool
	}{
		{"taken", endpoint.Completions, func(w http.ResponseWriter) { streamOut(w, text, usage(3), done) }, []int{5, 6, 7}, true},
		{"with a beginning of text", endpoint.Completions, func(w http.ResponseWriter) { streamOut(w, text, usage(4), done) }, []int{5, 6, 7}, true},
		{"not counted", endpoint.Completions, func(w http.ResponseWriter) { streamOut(w, text, done) }, []int{5, 6, 7}, true},
		{"taken for text", endpoint.Completions, func(w http.ResponseWriter) { streamOut(w, text, usage(7), done) }, []int{5, 6, 7}, false},
		{"refused", endpoint.Completions, func(w http.ResponseWriter) { w.WriteHeader(400) }, []int{5, 6, 7}, false},
		{"broken", endpoint.Completions, func(w http.ResponseWriter) { w.WriteHeader(500) }, []int{5, 6, 7}, false},
		{"no ids", endpoint.Completions, nil, nil, false},
		{"chat", endpoint.Chat, nil, []int{5}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var asked struct {
					Prompt    []int `json:"prompt"`
					MaxTokens int   `json:"max_tokens"`
				}
				if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(test.ids, asked.Prompt); diff != "" || asked.MaxTokens != 1 {
					t.Errorf("asked for %d tokens: %s", asked.MaxTokens, diff)
				}
				test.answer(w)
			})
			c := client(t, Endpoint{URL: s.URL, API: test.api})
			if got := c.ProbeIDs(t.Context(), test.ids); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}
