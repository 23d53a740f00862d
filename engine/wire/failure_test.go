// Refusals and failures: their kinds, their sentences, and that no secret is in them.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

const secret = "sk-very-secret"

func TestStatuses(t *testing.T) {
	for _, test := range []struct {
		name     string
		status   int
		body     string
		key      string
		kind     record.Kind
		sentence []string
	}{
		{"no key", 401, `{"error":{"message":"Unauthorized"}}`, "", record.KindHTTP4xx, []string{"wants an API key", "Unauthorized", "--api-key-env"}},
		{"wrong key", 401, `{"error":"Unauthorized"}`, secret, record.KindHTTP4xx, []string{"does not accept the API key", "--api-key-env"}},
		{"wrong key, quoted", 401, `{"error":{"message":"Incorrect API key provided: ` + secret + `."}}`, secret, record.KindHTTP4xx, []string{"provided: ….", "--api-key-env"}},
		{"forbidden", 403, ``, secret, record.KindHTTP4xx, []string{"403", "--api-key-env"}},
		{"not found", 404, `{"detail":"Not Found"}`, "", record.KindHTTP4xx, []string{"404", "/v1/chat/completions", "Not Found"}},
		{"not found, as a page", 404, "<html>\n<b>404</b>", "", record.KindHTTP4xx, []string{"404", "/v1/chat/completions"}},
		{"wrong method", 405, ``, "", record.KindHTTP4xx, []string{"405", "/v1/chat/completions"}},
		{"flat error", 400, `{"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400}`, "", record.KindHTTP4xx, []string{"400 Bad Request: too long"}},
		{"FastAPI", 422, `{"detail":[{"loc":["body","top_p"],"msg":"too large","type":"x"}]}`, "", record.KindHTTP4xx, []string{"422", "top_p: too large"}},
		{"in an array", 400, `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, "", record.KindHTTP4xx, []string{"400", "bad"}},
		{"rate limit", 429, `{"error":{"message":"Rate limit reached"}}`, "", record.KindHTTP429, []string{"429", "Rate limit reached"}},
		{"server error", 500, `{"error":{"message":"boom"}}`, "", record.KindHTTP5xx, []string{"500", "boom"}},
		{"overloaded", 503, "overloaded\x1b[31m\nnow", "", record.KindHTTP5xx, []string{"503 Service Unavailable: overloaded [31m now"}},
		{"odd status", 700, ``, "", record.KindHTTPOther, []string{"700"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, _ = fmt.Fprintf(c, "HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%s", test.status, len(test.body), test.body)
				return true
			})
			r, _ := ask(t, client(t, Endpoint{URL: s.url, Key: test.key}))
			if r.Outcome != record.Failed || r.Kind != test.kind || r.Status != test.status || s.accepted.Load() != 1 {
				t.Errorf("%+v", r)
			}
			for _, want := range test.sentence {
				if !strings.Contains(r.Error, want) {
					t.Errorf("%q does not say %q", r.Error, want)
				}
			}
			if strings.Contains(r.Error, secret) || strings.ContainsAny(r.Error, "\n\x1b") {
				t.Errorf("not fit to show: %q", r.Error)
			}
		})
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) })
	for _, status := range []int{301, 302, 307, 308} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/chat/completions?token=abcdefg", status)
		})
		r, _ := ask(t, client(t, Endpoint{URL: s.URL, Key: secret}))
		if r.Kind != record.KindHTTPOther || r.Status != status || !strings.Contains(r.Error, other.URL) || strings.Contains(r.Error, "abcdefg") {
			t.Errorf("%d: %+v", status, r)
		}
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	if got := oneLine(strings.Repeat("ä", 1000)); len([]rune(got)) != maxSentence || !strings.HasSuffix(got, "…") {
		t.Errorf("%d runes", len([]rune(got)))
	}
}

// A key that stands where a message is cut is not shown in part: it is taken out before.
func TestNoPartOfASecretIsLeftByACut(t *testing.T) {
	const part = "sk-ve"
	var said atomic.Value // a string
	refusing := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, said.Load().(string))
	})
	c := client(t, Endpoint{URL: refusing.URL, Key: secret})
	for _, form := range []string{`{"error":{"message":%q}}`, `{"detail":%q}`, "%s"} {
		for length := maxSentence - 80; length < maxSentence+5; length++ {
			said.Store(fmt.Sprintf(form, strings.Repeat("a", length)+" "+secret+" is bad"))
			if r, _ := ask(t, c); strings.Contains(r.Error, part) {
				t.Fatalf("%s, %d before it: %s", form, length, r.Error)
			}
		}
	}
	failing := serve(t, func(w http.ResponseWriter, _ *http.Request) { streamOut(w, role, said.Load().(string)) })
	c = client(t, Endpoint{URL: failing.URL, Key: secret})
	for length := maxSentence - 80; length < maxSentence+5; length++ {
		said.Store(fmt.Sprintf(`data: {"error":"%s %s"}`+"\n\n", strings.Repeat("a", length), secret))
		if r, _ := ask(t, c); r.Kind != record.KindStreamError || strings.Contains(r.Error, part) {
			t.Fatalf("%d before it: %s %s", length, r.Kind, r.Error)
		}
	}
}

// TestEverySecretIsHiddenWhole has one secret begin with another, one that is written otherwise in a URL, and one in the body.
func TestEverySecretIsHiddenWhole(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusInternalServerError)
		quoted := regexp.MustCompile(`"api_key":"[^"]*"`).Find(body)
		_, _ = fmt.Fprintf(w, "%s %s %s %s", r.Header.Get("X-Long"), r.Header.Get("X-Short"), r.RequestURI, quoted)
	})
	r, _ := ask(t, client(t, Endpoint{
		URL: s.URL + "/v1?sig=a%2Fhidden%2Bpart", Header: http.Header{"X-Short": {"hidden"}, "X-Long": {"hidden-tail"}},
		ExtraBody: map[string]json.RawMessage{"api_key": json.RawMessage(`"inbody"`), "top_k": json.RawMessage("1")},
	}))
	for _, part := range []string{"hidden", "tail", "part", "inbody"} {
		if strings.Contains(r.Error, part) {
			t.Errorf("%s is in: %s", part, r.Error)
		}
	}
	if !strings.Contains(r.Error, "… … /v1/chat/completions?sig=…") {
		t.Errorf("what is no secret stays: %s", r.Error)
	}
}

func TestAServersWordsAreSafeToShow(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		streamOut(w, say("a"), `data: {"choices":[{"delta":{},"finish_reason":"\u009b31m`+secret+`\u0085\u202e\n\u007fend"}]}`+"\n\n", done)
	})
	if r, _ := ask(t, client(t, Endpoint{URL: s.URL, Key: secret})); r.FinishReason != "31m… end" {
		t.Errorf("%q", r.FinishReason)
	}
	if models, ok := parseModels([]byte(`[{"id":"\u001b[31mM\n"},{"id":"a\u202eb"},{"id":"good/model:7b"}]`)); !ok || len(models) != 1 || models[0].ID != "good/model:7b" {
		t.Errorf("%+v", models)
	}
}

func TestFailuresBeforeTheAnswer(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	system := func(errno syscall.Errno) error { return os.NewSyscallError("connect", errno) }
	c := client(t, Endpoint{URL: "http://h:1"})
	for _, test := range []struct {
		err      error
		kind     record.Kind
		sentence string
	}{
		{dial(system(syscall.EMFILE)), record.KindClientFD, "ulimit"},
		{dial(system(syscall.ENFILE)), record.KindClientFD, "ulimit"},
		{dial(system(syscall.EADDRNOTAVAIL)), record.KindClientPort, "local port"},
		{dial(system(syscall.ECONNREFUSED)), record.KindConnect, "is the server running?"},
		{dial(system(syscall.EHOSTUNREACH)), record.KindConnect, "no connection to h:1"},
		{dial(os.ErrDeadlineExceeded), record.KindConnect, "within 10s"},
		{dial(&net.DNSError{Err: "no such host", Name: "h", IsNotFound: true}), record.KindConnect, "the host h is not known"},
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: system(syscall.ECONNREFUSED)}, record.KindConnect, "--no-proxy"},
		{errors.New("net/http: TLS handshake timeout"), record.KindTLS, "within 10s"},
		{errFirstByte, record.KindTimeoutFirstByte, "10m0s"},
		{io.EOF, record.KindTruncated, "without an answer"},
		{errors.New("something new"), record.KindConnect, "something new"},
	} {
		v := c.unanswered(test.err)
		if v.outcome != record.Failed || v.kind != test.kind || !strings.Contains(v.sentence, test.sentence) {
			t.Errorf("%v: %s %q", test.err, v.kind, v.sentence)
		}
	}
}

func TestErrorsKeepGoOpenAIsErrors(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"error":{"message":"no","type":"x"}}`)
	})
	_, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
	var api *openai.APIError
	if !errors.As(err, &api) || api.HTTPStatusCode != 403 || api.Message != "no" {
		t.Errorf("%v", err)
	}
}

func TestEndpointHidesItsSecrets(t *testing.T) {
	ep := Endpoint{
		URL: "http://h:1/v1?sig=" + secret, Key: secret, Header: http.Header{"Api-Key": {secret}},
		ExtraBody: map[string]json.RawMessage{"x": json.RawMessage(`"` + secret + `"`)},
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "endpoint", ep)
	text, err := json.Marshal(map[string]any{"a": ep, "b": &ep})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{
		ep.String(), fmt.Sprint(ep), fmt.Sprintf("%v %+v %#v %s %q %x %d", ep, ep, ep, ep, ep, ep, ep), fmt.Sprintf("%+v %#v", &ep, &ep),
		fmt.Sprintf("%+v", struct{ E Endpoint }{ep}), log.String(), string(text),
	} {
		if strings.Contains(shown, secret) || strings.Contains(shown, fmt.Sprintf("%x", secret)) {
			t.Errorf("shown: %s", shown)
		}
		if !strings.Contains(shown, "h:1") {
			t.Errorf("not named: %s", shown)
		}
	}
}

func TestNewRefusesWithASentence(t *testing.T) {
	noCA := t.TempDir() + "/empty.pem"
	if err := os.WriteFile(noCA, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, ep := range map[string]Endpoint{
		"no endpoint URL":     {},
		"unknown API":         {URL: "h", API: "responses"},
		"API key has a line":  {URL: "h", Key: secret + "\nx"},
		"not a header name":   {URL: "h", Header: http.Header{"a b": {"x"}}},
		"the value of header": {URL: "h", Header: http.Header{"A": {secret + "\r\n"}}},
		"not valid JSON":      {URL: "h", ExtraBody: map[string]json.RawMessage{"a": json.RawMessage("{")}},
		"cannot be read":      {URL: "h", CAFile: "/nowhere"},
		"no PEM certificate":  {URL: "h", CAFile: noCA},
		"client certificate":  {URL: "h", CertFile: noCA},
		"negative":            {URL: "h", IdleTimeout: -1},
	} {
		_, err := New(ep, record.NewClock())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	seen := make(chan *http.Request, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		seen <- r
		streamOut(w, say("a"), stop, done)
	})
	for _, test := range []struct {
		name string
		ep   Endpoint
		want map[string]string // "": absent
	}{
		{"no key", Endpoint{}, map[string]string{
			"Authorization": "", "Content-Type": "application/json", "Accept-Encoding": "", "X-Idempotency-Key": "",
		}},
		{"key, trimmed", Endpoint{Key: " " + secret + "\n"}, map[string]string{"Authorization": "Bearer " + secret}},
		{"own headers win", Endpoint{Key: secret, Header: http.Header{"authorization": {"Basic x"}, "api-key": {"k"}}}, map[string]string{
			"Authorization": "Basic x", "Api-Key": "k",
		}},
	} {
		ep := test.ep
		ep.URL = s.URL
		if r, _ := ask(t, client(t, ep)); r.Outcome != record.OK {
			t.Fatalf("%s: %+v", test.name, r)
		}
		got := (<-seen).Header
		for name, want := range test.want {
			values, there := got[name]
			if strings.Join(values, ",") != want || there != (want != "") {
				t.Errorf("%s: %s is %q, want %q", test.name, name, values, want)
			}
		}
	}
	ask(t, client(t, Endpoint{URL: s.URL, Header: http.Header{"Host": {"elsewhere"}}}))
	if got := (<-seen).Host; got != "elsewhere" {
		t.Errorf("Host %q", got)
	}
}

func TestStoppedProbeSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := client(t, Endpoint{URL: "http://127.0.0.1:1"})
	if _, err := c.Probe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("probe: %v", err)
	}
	c.SetProfile(endpoint.Profile{})
	c.ep.Model = ""
	c.SetProfile(endpoint.Profile{})
	if err := c.ResolveModel(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("model list: %v", err)
	}
}

func TestParseError(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"a"}}`:                                 "a",
		`{"error":{"message":["a","b"]}}`:                           "a, b",
		`{"error":{"message":{"deep":1},"type":"t"}}`:               `{"deep":1}`,
		`{"error":{"type":"overloaded_error"}}`:                     "overloaded_error",
		`{"error":{"code":7}}`:                                      `{"code":7}`,
		`{"error":{}}`:                                              "{}",
		`{"error":"a"}`:                                             "a",
		`{"error":5}`:                                               "5",
		`{"error":null,"message":"a"}`:                              "a",
		`{"object":"error","message":"a","code":400}`:               "a",
		`{"message":"a","code":{"odd":true},"param":7}`:             "a",
		`{"detail":"a"}`:                                            "a",
		`{"detail":{"error":"a"}}`:                                  `{"error":"a"}`,
		`{"detail":{"message":"a"}}`:                                "a",
		`{"detail":[]}`:                                             "[]",
		`{"detail":[{"loc":["body","x",0],"msg":"m"},{"msg":"n"}]}`: "x.0: m; n",
		`[{"error":{"message":"a"}}]`:                               "a",
		`[]`:                                                        "",
		`[[[]]]`:                                                    "",
		`{}`:                                                        "",
		`nonsense`:                                                  "",
		``:                                                          "",
	} {
		e := parseError([]byte(body))
		switch {
		case e == nil && want != "":
			t.Errorf("%s is no error, want %q", body, want)
		case e != nil && e.Message != want:
			t.Errorf("%s says %q, want %q", body, e.Message, want)
		}
	}
}

// An answer that came, but is not HTTP as it should be, is malformed, whatever net/http calls it: the connection did not
// break.
func TestHeadersThatAreNotHTTP(t *testing.T) {
	for name, test := range map[string]struct{ header, says string }{
		"a length that is no number": {"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n", "abc"},
		"a negative length":          {"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "-5"},
		"an unknown encoding":        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\n", "foo"},
		"a line without a colon":     {"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "nonsense"},
		"a control character":        {"HTTP/1.1 429 Too Many\r\nRetry-After: \x1b[31m\r\n\r\n", "not proper HTTP"},
		"a header without end":       {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 300) + "\r\n", "longer than 256 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			server := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, err := io.WriteString(c, test.header)
				return err == nil
			})
			r, _ := ask(t, client(t, Endpoint{URL: server.url}))
			if r.Outcome != record.Failed || r.Kind != record.KindMalformed || !strings.Contains(r.Error, test.says) || strings.Contains(r.Error, "\x1b") {
				t.Errorf("%s %s: %s", r.Outcome, r.Kind, r.Error)
			}
		})
	}
}
