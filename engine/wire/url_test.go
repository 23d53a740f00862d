// Endpoint URLs as users write them.

package wire

import (
	"net/url"
	"strings"
	"testing"

	"tokdyno/engine/endpoint"
)

func TestHostHasThePortThatConnectionsGoTo(t *testing.T) {
	for url, want := range map[string]string{
		"gpu-1:8000": "gpu-1:8000", "http://gpu-1/v1": "gpu-1:80", "https://gpu-1/v1/chat/completions": "gpu-1:443",
		"::1": "[::1]:80", "https://[::1]:8443/v1": "[::1]:8443", "http://fe80::1%eth0": "[fe80::1%eth0]:80",
	} {
		if got, err := (Endpoint{URL: url}).Host(); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", url, got, err, want)
		}
	}
	if got, err := (Endpoint{URL: "http://user@gpu-1"}).Host(); err == nil {
		t.Errorf("a URL that is refused has the host %s", got)
	}
}

func TestJoinURL(t *testing.T) {
	const chat = "/v1/chat/completions"
	for given, want := range map[string]string{
		"http://h:1":                      "http://h:1" + chat,
		"http://h:1/":                     "http://h:1" + chat,
		"http://h:1/v1":                   "http://h:1" + chat,
		"http://h:1/v1/":                  "http://h:1" + chat,
		"http://h:1/v1//":                 "http://h:1" + chat,
		"http://h:1//v1":                  "http://h:1" + chat,
		"http://h:1/v1/models":            "http://h:1" + chat,
		"http://h:1/v1/chat/completions":  "http://h:1" + chat,
		"http://h:1/v1/chat/completions/": "http://h:1" + chat,
		"http://h:1/v1/completions":       "http://h:1" + chat, // New lets the URL decide on the API
		"http://h:1/v1#top":               "http://h:1" + chat,
		"h:1":                             "http://h:1" + chat,
		"h:1/v1":                          "http://h:1" + chat,
		"h":                               "http://h" + chat,
		"//h:1":                           "http://h:1" + chat,
		"localhost:8000":                  "http://localhost:8000" + chat,
		"127.0.0.1:8000":                  "http://127.0.0.1:8000" + chat,
		" \thttp://h:1 \n":                "http://h:1" + chat,
		"HTTP://H:1":                      "http://H:1" + chat,
		"https://api.openai.com":          "https://api.openai.com" + chat,
		"https://h/api/v1":                "https://h/api/v1/chat/completions",
		"https://h/v1beta":                "https://h/v1beta/chat/completions",
		"https://h/v1beta/openai/":        "https://h/v1beta/openai/chat/completions",
		"https://h/openai/deployments/x":  "https://h/openai/deployments/x/chat/completions",
		"https://h/openai/deployments/x?api-version=2024-10-21": "https://h/openai/deployments/x/chat/completions?api-version=2024-10-21",
		"https://h/a%2Fb/v1":           "https://h/a%2Fb/v1/chat/completions",
		"http://h:1?x=1":               "http://h:1" + chat + "?x=1",
		"h:1?":                         "http://h:1" + chat,
		"h:":                           "http://h" + chat,
		"::1":                          "http://[::1]" + chat,
		"[::1]":                        "http://[::1]" + chat,
		"[::1]:8000":                   "http://[::1]:8000" + chat,
		"http://::1/v1":                "http://[::1]" + chat,
		"http://[::1]:8000/v1":         "http://[::1]:8000" + chat,
		"fe80::1%eth0":                 "http://[fe80::1%25eth0]" + chat,
		"http://[fe80::1%25eth0]:8000": "http://[fe80::1%25eth0]:8000" + chat,
		"2001:db8::1":                  "http://[2001:db8::1]" + chat,
	} {
		got, err := JoinURL(given, endpoint.Chat)
		if err != nil || got != want {
			t.Errorf("JoinURL(%q) = %q, %v; want %q", given, got, err, want)
		}
	}
	if got, err := JoinURL("h:1", endpoint.Completions); err != nil || got != "http://h:1/v1/completions" {
		t.Errorf("for completions: %q, %v", got, err)
	}
}

func TestJoinURLRefusesWithASentence(t *testing.T) {
	for given, want := range map[string]string{
		"https://h/v1/responses?key=x":          "is of another API (/responses), which tokdyno does not speak; give https://h/v1 for the chat API",
		"https://api.anthropic.com/v1/messages": "give https://api.anthropic.com/v1 for the chat API",
		"http://h:11434/api/chat":               "is of another API (/api/chat), which tokdyno does not speak; give http://h:11434/v1 for the chat API",
		"h/v1/images/generations":               "give http://h/v1",
		"":                                      "no endpoint URL",
		"   ":                                   "no endpoint URL",
		"http://":                               "no host",
		"http:///v1":                            "no host",
		":8000":                                 "no host",
		"/v1":                                   "no host",
		"ftp://h:21":                            "only http:// and https://",
		"unix:///tmp/sock":                      "only http:// and https://",
		"unix:/tmp/sock":                        "not understood",
		"http:/h:1":                             "not understood",
		"file:/etc/passwd":                      "not understood",
		"http://h:1/v 1":                        "space",
		"http://h :1":                           "space",
		"http://h:1\x00":                        "control",
		"http://h:0":                            "port 0",
		"http://h:65536":                        "port 65536",
		"http://h:port":                         "port port",
		"http://h:-1":                           "port -1",
		"http://me:secret@h:1":                  "user name or password",
		"me@h:1":                                "user name or password",
		"http://::1::2":                         "brackets",
		"a:b:c":                                 "brackets",
		"http://[::1":                           "not an IPv6 address",
		"http://[h]:1":                          "not an IPv6 address",
		"]:1":                                   "brackets",
		"http://[fe80::1%é]":                    "not an IPv6 address",
		"::%\xe4":                               "brackets",
		"h]:1":                                  "brackets",
		"http://h:1/%zz":                        "not valid",
	} {
		got, err := JoinURL(given, endpoint.Chat)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("JoinURL(%q) = %q, %v; want an error with %q", given, got, err, want)
			continue
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("JoinURL(%q): the error shows the password: %v", given, err)
		}
	}
}

func TestOneBuilderForAllPages(t *testing.T) {
	for given, want := range map[string][3]string{
		"h:1":                     {"http://h:1/v1/completions", "http://h:1/v1/models", "http://h:1/version"},
		"h:1/v1/chat/completions": {"http://h:1/v1/completions", "http://h:1/v1/models", "http://h:1/version"},
		"h:1/api/v1?k=1":          {"http://h:1/api/v1/completions?k=1", "http://h:1/api/v1/models?k=1", "http://h:1/api/version?k=1"},
		"h:1/x":                   {"http://h:1/x/completions", "http://h:1/x/models", "http://h:1/x/version"},
	} {
		target, err := parseTarget(given)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]string{target.load(endpoint.Completions).String(), target.models().String(), target.root("version").String()}
		if got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestShownURLHidesQueryValues(t *testing.T) {
	u, _ := url.Parse("https://h/v1?api-version=2024&api-key=abc&sig")
	if got, want := shown(u), "https://h/v1?api-version=2024&api-key=…&sig"; got != want {
		t.Errorf("shown = %q, want %q", got, want)
	}
}

func FuzzJoinURL(f *testing.F) {
	for _, given := range []string{
		"http://h:1/v1", "h", "::1", "[::1]:8000", "https://h/openai/deployments/x?api-version=1", "http:/h", "h:1//v1//", "fe80::1%eth0",
		"http://h/%2f%2F/chat/completions", "h?://", "\u00e9.example:80/\u00e9", "h/;x=1/../..", "http://[fe80::1%25a%20b]",
	} {
		f.Add(given)
	}
	f.Fuzz(func(t *testing.T, given string) {
		joined, err := JoinURL(given, endpoint.Chat)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an empty error")
			}
			return
		}
		u, err := url.Parse(joined)
		if err != nil {
			t.Fatalf("JoinURL(%q) = %q, which does not parse: %v", given, joined, err)
		}
		if u.Host == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "http" && u.Scheme != "https") {
			t.Errorf("JoinURL(%q) = %q", given, joined)
		}
		if path := u.EscapedPath(); strings.Contains(path, "//") || !strings.HasSuffix(path, "/chat/completions") {
			t.Errorf("JoinURL(%q) has the path %q", given, path)
		}
		if again, err := JoinURL(joined, endpoint.Chat); err != nil || again != joined {
			t.Errorf("JoinURL(%q) = %q, but of that %q, %v", given, joined, again, err)
		}
	})
}
