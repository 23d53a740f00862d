// This file is an endpoint as it is configured: where it is, how it is reached, and which limits of time it has.

package wire

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/textfile"
)

// Endpoint is an endpoint as the user describes it. Its String, and what log/slog and fmt make of it, hide the key,
// header values and extra fields.
type Endpoint struct {
	URL   string       // host:port, base URL or full URL; see JoinURL
	API   endpoint.API // "" is Chat; a full URL decides by itself
	Model string       // "": see Client.ResolveModel
	Key   string       // sent as "Authorization: Bearer"; "": no such header

	Header      http.Header                // further headers; they win over our own
	ExtraBody   map[string]json.RawMessage // further fields of every request; they win, and null takes a field out
	Temperature *float32                   // nil: 0

	Insecure bool   // server certificates are not checked
	CAFile   string // PEM file of certificate authorities; "": the system's
	CertFile string // PEM files of a client certificate and its key; "": none
	KeyFile  string
	NoProxy  bool // the environment's proxy settings are ignored
	HTTP2    bool // HTTP/2 where the server speaks it (over http:// without asking); else HTTP/1.1

	Concurrency int // requests in flight that buffers are sized for; more are no fault

	// LongestTick is for how long, at most, what the kernel has stamped lies until it is read, where the stamps do not suffer; 0: 2 ms.
	// Longer ones cost fewer wake-ups, and have the next request of a closed loop start that much later.
	LongestTick time.Duration

	// OutputTokens is the longest answer that load usually asks for, in tokens: so far the probe goes before it believes that
	// an endpoint takes no limit. 0: not known.
	OutputTokens int

	// Retries is how often a request that failed is sent again; 0 makes a refusal a result. It is for no connection, a
	// 429, a 5xx, and an answer that broke off before its first token; see Client.Stream.
	Retries int
	// Wait is for how long Ready waits for a server that is not ready yet; 0: it does not.
	Wait time.Duration

	ConnectTimeout   time.Duration // DNS and connect, and again TLS; 0: 10 s
	FirstByteTimeout time.Duration // from sent to the first byte of the answer's body; 0: 10 min
	IdleTimeout      time.Duration // between bytes of the answer; 0: 2 min
}

// The timeouts that an Endpoint's zero values stand for.
const (
	DefaultConnectTimeout   = 10 * time.Second
	DefaultFirstByteTimeout = 10 * time.Minute
	DefaultIdleTimeout      = 2 * time.Minute
)

// String names the endpoint without its secrets.
func (e Endpoint) String() string {
	t, err := parseTarget(e.URL)
	if err != nil {
		return "endpoint with an invalid URL"
	}
	where := shown(t.base)
	if e.Model != "" {
		where += " (" + e.Model + ")"
	}
	return where
}

// GoString is String: %#v must not show the key either.
func (e Endpoint) GoString() string { return "wire.Endpoint{" + e.String() + "}" }

// Format makes every verb of fmt print String or, for %#v, GoString.
func (e Endpoint) Format(f fmt.State, verb rune) {
	text := e.String()
	if verb == 'v' && f.Flag('#') {
		text = e.GoString()
	}
	_, _ = f.Write([]byte(text)) // fmt keeps the error
}

// LogValue is String.
func (e Endpoint) LogValue() slog.Value { return slog.StringValue(e.String()) }

// MarshalText is String, so that an endpoint that ends up in JSON does not show its key.
func (e Endpoint) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// normal returns e with defaults filled in, checked as far as that goes without network and files.
func (e Endpoint) normal() (Endpoint, error) {
	api, err := endpoint.ParseAPI(string(e.API))
	if err != nil {
		return e, err
	}
	e.API = api
	e.Key = strings.TrimSpace(e.Key)
	e.Model = strings.TrimSpace(e.Model)
	if !fieldValue(e.Key) {
		return e, fmt.Errorf("the API key has a line break or another character in it that no header can carry")
	}
	for name, values := range e.Header {
		if !fieldName(name) {
			return e, fmt.Errorf("%q is not a header name; write --header 'Name: value'", name)
		}
		for _, value := range values {
			if !fieldValue(value) {
				return e, fmt.Errorf("the value of header %s has a line break or another character that no header can carry", name)
			}
		}
	}
	if e.Retries < 0 {
		return e, fmt.Errorf("the number of retries is negative (%d); 0 sends nothing again", e.Retries)
	}
	for name, raw := range e.ExtraBody {
		if !json.Valid(raw) {
			return e, fmt.Errorf("the extra request field %q is not valid JSON", name)
		}
	}
	for _, limit := range []struct {
		value *time.Duration
		usual time.Duration
	}{
		{&e.ConnectTimeout, DefaultConnectTimeout},
		{&e.FirstByteTimeout, DefaultFirstByteTimeout},
		{&e.IdleTimeout, DefaultIdleTimeout},
	} {
		if *limit.value < 0 {
			return e, fmt.Errorf("a timeout is negative (%v)", *limit.value)
		}
		if *limit.value == 0 {
			*limit.value = limit.usual
		}
	}
	return e, nil
}

// tlsConfig reads the certificates.
func (e Endpoint) tlsConfig() (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: e.Insecure} //nolint:gosec // the user's own choice, shown for as long as it is on
	if e.CAFile != "" {
		pem, err := textfile.Read(e.CAFile, maxPEM)
		if err != nil {
			return nil, fmt.Errorf("the certificate authorities (--ca) cannot be read: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("there is no PEM certificate in %s (--ca)", e.CAFile)
		}
	}
	if e.CertFile != "" || e.KeyFile != "" {
		pair, err := keyPair(e.CertFile, e.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("the client certificate cannot be used: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// maxPEM is as large as a file of certificates may be: systems have some 300 KiB of them.
const maxPEM = 16 << 20

// keyPair reads a client certificate and its key.
func keyPair(certificate, key string) (tls.Certificate, error) {
	c, err := textfile.Read(certificate, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	k, err := textfile.Read(key, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(c, k)
}

// header returns what is sent with every request.
func (e Endpoint) header() http.Header {
	h := http.Header{
		"Accept":       {"text/event-stream, application/json"},
		"Content-Type": {"application/json"},
		"User-Agent":   {"tokdyno"},
	}
	if e.Key != "" {
		h.Set("Authorization", "Bearer "+e.Key)
	}
	for name, values := range e.Header {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

// secrets are the texts that must not show up in messages, even if a server quotes them. Long ones come first, or one that
// begins with another would lose only that.
func (e Endpoint) secrets() []string {
	var all []string
	add := func(secret string) {
		// Anything shorter is no secret, but would mangle every message.
		if secret = strings.TrimSpace(secret); len(secret) >= 4 {
			all = append(all, secret)
		}
	}
	add(e.Key)
	for _, values := range e.Header {
		for _, value := range values {
			add(value)
			if _, credentials, ok := strings.Cut(value, " "); ok {
				add(credentials) // without "Bearer"
			}
		}
	}
	if t, err := parseTarget(e.URL); err == nil {
		for name, values := range t.base.Query() {
			if name == "api-version" {
				continue
			}
			for _, value := range values {
				add(value)
				add(url.QueryEscape(value)) // as a server shows the path that it was asked for
			}
		}
	}
	telling := regexp.MustCompile(`(?i)key|token|secret|passw|auth|credential`)
	for name, value := range e.ExtraBody {
		var text string
		if telling.MatchString(name) && json.Unmarshal(value, &text) == nil {
			add(text)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// fieldName reports whether a header may have this name (RFC 9110, token).
func fieldName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// fieldValue reports whether a header may have this value.
func fieldValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
