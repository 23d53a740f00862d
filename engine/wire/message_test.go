// What servers say where there are no tokens, and what is made of pages and statuses.

package wire

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"tokdyno/engine/record"
)

func TestMessageIn(t *testing.T) {
	for document, want := range map[string]string{
		`{"code":1113,"msg":"insufficient balance","success":false}`:                    "insufficient balance (1113)",
		`{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`:        "insufficient balance (1008)",
		`{"base_resp":{"status_code":0,"status_msg":"success"}}`:                        "",
		`{"code":0,"msg":"ok","data":{}}`:                                               "",
		`{"error_code":17,"error_msg":"Open api daily request limit reached"}`:          "Open api daily request limit reached (17)",
		`{"errcode":"E1","errmsg":"no"}`:                                                "no (E1)",
		`{"header":{"code":10013,"message":"input not allowed","sid":"x"}}`:             "input not allowed (10013)",
		`{"errors":[{"message":"Authentication error","code":10000}],"success":false}`:  "Authentication error (10000)",
		`{"title":"Too long","status":413,"detail":"the prompt is too long"}`:           "the prompt is too long",
		`{"Message":"The security token is invalid."}`:                                  "The security token is invalid.",
		`{"fault":{"faultstring":"Rate limit quota violation"}}`:                        "Rate limit quota violation",
		`{"response":{"error":{"code":"x1","message":"deep"}}}`:                         "deep (x1)",
		`{"error":"","msg":" ","message":"m"}`:                                          "m",
		`{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}`: "",
		`{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}`:      "",
		`{"type":"ping"}`: "", `{}`: "", `[]`: "", ``: "", `x`: "", `"x"`: "", `{"msg":5}`: "",
	} {
		if got := messageIn([]byte(document)); got != want {
			t.Errorf("%s says %q, want %q", document, got, want)
		}
	}
}

// An answer of status 200 that holds an error in a form of its own says what it says, and is no success.
func TestErrorsWithoutAnErrorMemberAreShown(t *testing.T) {
	const code = `{"code":1113,"msg":"key ` + secret + ` has no credit"}`
	for _, test := range []struct{ name, media, body, outcome, says string }{
		{"a document", "application/json", code, "failed stream_error", "with a message instead of tokens: key … has no credit (1113)"},
		{"base_resp", "application/json", `{"id":"","choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, "failed stream_error", "insufficient balance (1008)"},
		{"an event", "text/event-stream", "data: " + code + "\n\n" + done, "failed stream_error", "key … has no credit (1113)"},
		{"an event without [DONE]", "text/event-stream", "data: " + code + "\n\n", "failed stream_error", "key … has no credit (1113)"},
		{"lines that are no events", "text/event-stream", "{\n \"code\": 7,\n \"msg\": \"no\"\n}\n", "failed malformed", `could be decoded; the server said: "code": 7, "msg": "no"`},
		{"plain text", "text/event-stream", "quota exceeded\n", "failed no_tokens", "said: quota exceeded"},
		{"after tokens", "text/event-stream", say("a") + `data: {"code":500,"msg":"worker died"}` + "\n\n", "failed truncated", "ended after 1 chunks without finish_reason and without [DONE]; the server said: worker died (500)"},
		{"beside tokens", "text/event-stream", `data: {"status":"queued","message":"3 before you"}` + "\n\n" + say("a") + stop + done, "ok", ""},
		{"a page", "text/html", "<html><head>\n<TITLE>Sign\n in</TITLE>", "failed malformed", `answers with a web page ("Sign in")`},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", test.media)
			_, _ = io.WriteString(w, test.body)
		})
		r, _ := ask(t, client(t, Endpoint{URL: s.URL, Key: secret}))
		if outcome, _ := brief(r); outcome != test.outcome || !strings.Contains(r.Error, test.says) || strings.Contains(r.Error, secret) {
			t.Errorf("%s: %s, %q, want %s, %q", test.name, outcome, r.Error, test.outcome, test.says)
		}
	}
}

// Advice about a key is for who sent one, or was asked for one; a page is called a page.
func TestKeysAreSpokenOfWhereTheyMatter(t *testing.T) {
	const page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"
	for _, test := range []struct {
		name, body string
		status     int
		ep         Endpoint
		want       string
	}{
		{"a page", page, 403, Endpoint{}, `the server answered 403 Forbidden with a web page ("Just a moment..."); is a login, a firewall or a check for robots before it?`},
		{"a page, with a key", page, 403, Endpoint{Key: secret}, `the server answered 403 Forbidden with a web page ("Just a moment..."); is a login, a firewall or a check for robots before it? If it is the key: check --api-key-env, --api-key-file or --header`},
		{"forbidden", `{"message":"no"}`, 403, Endpoint{}, "the server answered 403 Forbidden: no"},
		{"forbidden, for want of a key", `{"message":"missing API key"}`, 403, Endpoint{}, "the server wants an API key (403): missing API key; give one with --api-key-env or --api-key-file"},
		{"forbidden, with a key", `{"message":"no"}`, 403, Endpoint{Key: secret}, "the server does not accept the API key (403): no; check --api-key-env, --api-key-file or --header"},
		{"a header of one's own", `{"message":"no"}`, 401, Endpoint{Header: http.Header{"X-Api-Key": {secret}}}, "the server does not accept the API key (401): no; check --api-key-env, --api-key-file or --header"},
		{"a page that asks for a login", page, 401, Endpoint{}, `the server wants an API key (401) with a web page ("Just a moment..."); give one with --api-key-env or --api-key-file`},
		{"524", "error code: 524", 524, Endpoint{}, "the server answered 524 A Timeout Occurred: error code: 524; the server behind Cloudflare took longer than that waits, mostly 100 s: ask for fewer tokens, load it less, or go around Cloudflare"},
		{"529", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, 529, Endpoint{}, "the server answered 529 Overloaded: Overloaded; the server has more to do than it can; load it less, or --retry"},
		{"502 of nginx", "<html><head><title>502 Bad Gateway</title></head>", 502, Endpoint{}, `the server answered 502 Bad Gateway with a web page ("502 Bad Gateway"); what stands before the server got no proper answer from it; is it running?`},
		{"an unheard-of status", "", 599, Endpoint{}, "the server answered 599"},
		{"http on the port of https, as nginx has it", "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head>", 400, Endpoint{}, "speaks https, not http; write https:// in the endpoint URL"},
	} {
		s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
			_, _ = fmt.Fprintf(c, "HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%s", test.status, len(test.body), test.body)
			return true
		})
		ep := test.ep
		ep.URL = s.url
		if r, _ := ask(t, client(t, ep)); !strings.HasSuffix(r.Error, test.want) {
			t.Errorf("%s: %q, want %q", test.name, r.Error, test.want)
		}
	}
}

func TestTLSToAPortThatHangsUp(t *testing.T) {
	s := newRawServer(t, func(net.Conn, int, []byte) bool { return false })
	r, _ := ask(t, client(t, Endpoint{URL: strings.Replace(s.url, "http:", "https:", 1)}))
	if r.Kind != record.KindTLS || !strings.Contains(r.Error, "write http://") {
		t.Errorf("%s: %q", r.Kind, r.Error)
	}
}

func FuzzMessageIn(f *testing.F) {
	for _, seed := range []string{
		`{"code":1113,"msg":"insufficient balance","success":false}`, `{"base_resp":{"status_code":1008,"status_msg":"x"}}`,
		`{"errors":[{"message":"a","code":1}]}`, `[[{"MSG":"a"}]]`, `{"error":{"error":{"error":{"error":{"msg":"deep"}}}}}`,
		"<title>Just a moment...</title>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, text []byte) { // whatever comes, it ends
		messageIn(text)
		pageName(text)
	})
}
