// Tests of the server over real loopback: routes, parameters and errors.

package sim

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// serve starts a server of the config for the length of the test, by default a thousand times as fast as real time.
func serve(t testing.TB, cfg Config) *Server {
	t.Helper()
	if cfg.TimeScale == 0 {
		cfg.TimeScale = 1000
	}
	s, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// client returns a client whose connections end with the test.
func client(t testing.TB) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask sends a request and returns the answer with its body read.
func ask(t testing.TB, s *Server, method, path, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: reading the answer: %v", method, path, err)
	}
	if got := resp.Header.Get("Server"); got != "tokdyno-sim" {
		t.Errorf("%s %s: Server header %q does not say that this is a simulation", method, path, got)
	}
	return resp, string(text)
}

// decode reads JSON into a T.
func decode[T any](t testing.TB, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestShortRoutes(t *testing.T) {
	s := serve(t, Config{})
	for _, c := range []struct {
		name, method, path string
		status             int
		contentType, body  string
	}{
		{"health", "GET", "/health", 200, "", ""},
		{"version", "GET", "/version", 200, "application/json", `{"version":"tokdyno-sim"}`},
		{"query is no part of the route", "GET", "/version?x=1", 200, "application/json", `{"version":"tokdyno-sim"}`},
		{"unknown route", "GET", "/v1/nothing", 404, "application/json", `{"detail":"Not Found"}`},
		{"doubled version", "POST", "/v1/v1/completions", 404, "application/json", `{"detail":"Not Found"}`},
		{"wrong method", "GET", "/v1/chat/completions", 405, "application/json", `{"detail":"Method Not Allowed"}`},
		{"wrong method the other way", "POST", "/metrics", 405, "application/json", `{"detail":"Method Not Allowed"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := ask(t, s, c.method, c.path, "")
			if resp.StatusCode != c.status || body != c.body || resp.Header.Get("Content-Type") != c.contentType {
				t.Errorf("got %d %q %s", resp.StatusCode, resp.Header.Get("Content-Type"), body)
			}
			if c.status == 405 && resp.Header.Get("Allow") == "" {
				t.Error("no Allow header")
			}
		})
	}
}

func TestModels(t *testing.T) {
	s := serve(t, Config{Profile: h100With8B()})
	_, body := ask(t, s, "GET", "/v1/models", "")
	type model struct {
		ID          string `json:"id"`
		Object      string `json:"object"`
		OwnedBy     string `json:"owned_by"`
		MaxModelLen int    `json:"max_model_len"`
	}
	type list struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}
	want := list{"list", []model{{"sim-8b", "model", "tokdyno-sim", 131072}}}
	if diff := cmp.Diff(want, decode[list](t, body)); diff != "" {
		t.Error(diff)
	}
}

func TestTokenizeCountsWhatUsageCounts(t *testing.T) {
	s := serve(t, Config{})
	type count struct {
		Count       int      `json:"count"`
		MaxModelLen int      `json:"max_model_len"`
		Tokens      []uint32 `json:"tokens"`
	}
	type answered struct {
		Usage struct {
			PromptTokens int `json:"prompt_tokens"`
		} `json:"usage"`
	}
	const chat = `"messages":[{"role":"system","content":"be kind"},{"role":"user","content":"How are 12345 you?"}]`
	const prompt = `"prompt":"How are 12345 you?"`
	for path, body := range map[string]string{"/v1/chat/completions": chat, "/v1/completions": prompt} {
		_, text := ask(t, s, "POST", "/tokenize", `{"model":"sim-4b",`+body+`}`)
		got := decode[count](t, text)
		if got.MaxModelLen != 8192 || len(got.Tokens) != got.Count || got.Count == 0 {
			t.Errorf("/tokenize says %s", text)
		}
		_, text = ask(t, s, "POST", path, `{"max_tokens":1,`+body+`}`)
		if usage := decode[answered](t, text).Usage; usage.PromptTokens != got.Count {
			t.Errorf("%s: /tokenize counts %d, usage %d", path, got.Count, usage.PromptTokens)
		}
	}
	if _, text := ask(t, s, "POST", "/tokenize", `{"prompt":""}`); text != `{"count":0,"max_model_len":8192,"tokens":[]}` {
		t.Errorf("an empty prompt: %s", text)
	}
	for body, status := range map[string]int{`{}`: 400, `{"prompt":7}`: 400, `{`: 400, `{"model":"x","prompt":"y"}`: 404} {
		if resp, text := ask(t, s, "POST", "/tokenize", body); resp.StatusCode != status {
			t.Errorf("%s: %d %s", body, resp.StatusCode, text)
		}
	}
}

func TestErrors(t *testing.T) {
	const (
		chat       = "/v1/chat/completions"
		completion = "/v1/completions"
		hello      = `"messages":[{"role":"user","content":"hello"}]`
	)
	s := serve(t, Config{})
	type failure struct {
		Error struct {
			Message string
			Type    string
			Param   *string
			Code    int
		}
	}
	rejected := int64(0)
	for _, c := range []struct {
		name, path, body string
		status           int
		param            string // "" is null
		says             string
	}{
		{"unknown model", chat, `{"model":"gpt-5",` + hello + `}`, 404, "model", "`gpt-5` does not exist"},
		{"bad JSON", chat, `{"model":`, 400, "", "not valid JSON"},
		{"empty body", chat, ``, 400, "", "not valid JSON"},
		{"trailing text", chat, `{` + hello + `} x`, 400, "", "not valid JSON"},
		{"no object", chat, `[1]`, 400, "", "must be a JSON object"},
		{"no messages", chat, `{}`, 400, "messages", "at least one message"},
		{"empty messages", chat, `{"messages":[]}`, 400, "messages", "at least one message"},
		{"no role", chat, `{"messages":[{"content":"x"}]}`, 400, "messages", "no role"},
		{"content is a number", chat, `{"messages":[{"role":"user","content":1}]}`, 400, "messages", "string or an array"},
		{"mistyped parameter", chat, `{` + hello + `,"max_tokens":"many"}`, 400, "max_tokens", "`max_tokens`"},
		{"max_tokens 0", chat, `{` + hello + `,"max_tokens":0}`, 400, "max_tokens", "at least 1"},
		{"max_completion_tokens 0", chat, `{` + hello + `,"max_completion_tokens":-1}`, 400, "max_completion_tokens", "at least 1"},
		{"min_tokens negative", chat, `{` + hello + `,"min_tokens":-1}`, 400, "min_tokens", "negative"},
		{"min_tokens over max_tokens", chat, `{` + hello + `,"min_tokens":9,"max_tokens":8}`, 400, "min_tokens", "(9)"},
		{"n 2", chat, `{` + hello + `,"n":2}`, 400, "n", "one choice"},
		{"temperature negative", chat, `{` + hello + `,"temperature":-0.5}`, 400, "temperature", "negative"},
		{"top_p 0", chat, `{` + hello + `,"top_p":0}`, 400, "top_p", "above 0"},
		{"stream_options alone", chat, `{` + hello + `,"stream_options":{"include_usage":true}}`, 400, "stream_options", "`stream`"},
		{"answer over the context", chat, `{` + hello + `,"max_tokens":8192}`, 400, "max_tokens", "maximum context length is 8192 tokens"},
		{"prompt over the context", completion, `{"prompt":"` + strings.Repeat("a ", 8200) + `"}`, 400, "prompt", "maximum context length is 8192 tokens"},
		{"no prompt", completion, `{}`, 400, "prompt", "missing"},
		{"null prompt", completion, `{"prompt":null}`, 400, "prompt", "missing"},
		{"empty prompt", completion, `{"prompt":""}`, 400, "prompt", "empty"},
		{"negative token", completion, `{"prompt":[1,-2]}`, 400, "prompt", "token ids"},
		{"two prompts", completion, `{"prompt":["a","b"]}`, 400, "prompt", "one prompt"},
		{"two token prompts", completion, `{"prompt":[[1],[2]]}`, 400, "prompt", "one prompt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rejected++
			resp, body := ask(t, s, "POST", c.path, c.body)
			got := decode[failure](t, body).Error
			kind := "BadRequestError"
			if c.status == 404 {
				kind = "NotFoundError"
			}
			if resp.StatusCode != c.status || got.Code != c.status || got.Type != kind || !strings.Contains(got.Message, c.says) {
				t.Errorf("got %d %s", resp.StatusCode, body)
			}
			if (got.Param == nil) != (c.param == "") || got.Param != nil && *got.Param != c.param {
				t.Errorf("param is not %q in %s", c.param, body)
			}
		})
	}
	if got := s.Counters(); got.Rejected != rejected || got.Received != 0 {
		t.Errorf("%d rejected and %d received, want %d and 0", got.Rejected, got.Received, rejected)
	}
}

func TestStartSaysWhatToChange(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	cramped := smallGPU()
	cramped.KVBlocks = 8
	for _, c := range []struct {
		name string
		cfg  Config
		says string
	}{
		{"address in use", Config{Listen: taken.Addr().String()}, "choose another port"},
		{"no port", Config{Listen: "nonsense"}, "as host:port"},
		{"port too high", Config{Listen: "127.0.0.1:99999"}, "as host:port"},
		{"negative time scale", Config{TimeScale: -1}, "time scale"},
		{"context over the KV cache", Config{Profile: cramped}, "KV tokens"},
	} {
		s, err := Start(c.cfg)
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: no error", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestProfilesAreFoundByName(t *testing.T) {
	var names []string
	for _, p := range Profiles() {
		names = append(names, p.Name)
		got, err := LookupProfile(p.Name)
		if err != nil || got != p {
			t.Errorf("%s: %v, %v", p.Name, got, err)
		}
		if err := p.check(); err != nil {
			t.Error(err)
		}
		if room := p.MemTotalMiB - p.WeightsMiB; float64(p.KVBlocks*p.BlockSize)*p.KVTokenKiB/1024 > room {
			t.Errorf("%s: the KV cache does not fit into the %.0f MiB beside the weights", p.Name, room)
		}
	}
	if diff := cmp.Diff([]string{"small-gpu", "h100-8b", "h100-70b", "h100-8b-2", "h100-8b-pd"}, names); diff != "" {
		t.Error(diff)
	}
	if _, err := LookupProfile("tpu"); err == nil || !strings.Contains(err.Error(), "small-gpu, h100-8b, h100-70b") {
		t.Errorf("the error does not list the names: %v", err)
	}
}

func TestCloseTwiceAndWhileRequestsRun(t *testing.T) {
	s := serve(t, Config{TimeScale: 1}) // slow enough that the answer is running
	resp, err := client(t).Post(s.URL()+"/v1/completions", "application/json",
		strings.NewReader(`{"prompt":"go","max_tokens":4000,"ignore_eos":true,"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("the answer ended as if it were whole")
	}
	if c := s.Counters(); c.Received != 1 || c.Cancelled != 1 || c.Running != 0 {
		t.Errorf("after Close: %+v", c)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}
