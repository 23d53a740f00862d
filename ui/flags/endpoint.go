// This file is the flags that say how an endpoint is reached.

package flags

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/textfile"
	"tokdyno/engine/wire"
)

// Endpoint are the flags that say how to talk to an endpoint.
type Endpoint struct {
	model      string
	api        string
	apiKeyEnv  string
	apiKeyFile string
	headers    []string
	extraBody  string
	insecure   bool
	ca         string
	cert, key  string
	noProxy    bool
	http2      bool
	connect    time.Duration
	firstByte  time.Duration
	idle       time.Duration
	noProbe    bool
	retries    int
	wait       time.Duration

	set *pflag.FlagSet
}

// Bind adds the flags to a command.
func (e *Endpoint) Bind(f *pflag.FlagSet) {
	e.set = f
	f.StringVar(&e.model, "model", "", "model `id`, of a duel A=ID,B=ID where they differ; default: the one that the endpoint serves")
	f.StringVar(&e.api, "api", "chat", "`api` to put load on: chat or completions")
	f.StringVar(&e.apiKeyEnv, "api-key-env", "OPENAI_API_KEY", "environment `variable` that holds the API key")
	f.StringVar(&e.apiKeyFile, "api-key-file", "", "`file` that holds the API key")
	f.StringArrayVar(&e.headers, "header", nil, "further `'Name: value'` of every request; may be repeated")
	f.StringVar(&e.extraBody, "extra-body", "", "further `JSON` members of every request body, e.g. '{\"top_k\": 1}'")
	f.BoolVar(&e.insecure, "insecure", false, "do not check the server's TLS certificate")
	f.StringVar(&e.ca, "ca", "", "PEM `file` of certificate authorities to trust")
	f.StringVar(&e.cert, "cert", "", "PEM `file` of a client certificate, with --key")
	f.StringVar(&e.key, "key", "", "PEM `file` of the client certificate's key")
	f.BoolVar(&e.http2, "http2", false, "use HTTP/2 where the server speaks it; all streams then share few connections")
	timeVar(f, &e.connect, "connect-timeout", wire.DefaultConnectTimeout, "5s", "give up connecting after this `time`")
	timeVar(f, &e.firstByte, "first-byte-timeout", wire.DefaultFirstByteTimeout, "2m", "give up waiting for an answer after this `time`")
	timeVar(f, &e.idle, "idle-timeout", wire.DefaultIdleTimeout, "1m", "give up a stream that is silent for this `time`")
	f.BoolVar(&e.noProxy, "no-proxy", false, "ignore the environment's proxy settings")
	countVar(f, &e.retries, "retry", 0, "`times` that a request is sent again that found no connection, got 429 or 5xx or broke before its first token; off: a failure is a result", "times")
	timeVar(f, &e.wait, "wait", 0, "5m", "wait up to this `time` until the server is ready: nothing listens, 503 while it loads, no model list yet; off: don't wait")
	f.BoolVar(&e.noProbe, "no-probe", false, "send load without a short request that finds out what the endpoint takes")
}

// Config returns the endpoint at a URL.
func (e *Endpoint) Config(url string) (wire.Endpoint, error) {
	ep := wire.Endpoint{
		URL: url, Model: e.model, NoProxy: e.noProxy, HTTP2: e.http2,
		Insecure: e.insecure, CAFile: e.ca, CertFile: e.cert, KeyFile: e.key,
		ConnectTimeout: e.connect, FirstByteTimeout: e.firstByte, IdleTimeout: e.idle,
		Retries: e.retries, Wait: e.wait,
	}
	if e.retries < 0 {
		return ep, fmt.Errorf("--retry %d can't be negative; 0 sends nothing again", e.retries)
	}
	var err error
	if ep.API, err = endpoint.ParseAPI(e.api); err != nil {
		return ep, err
	}
	if ep.Key, err = e.apiKey(); err != nil {
		return ep, err
	}
	if ep.Header, err = parseHeaders(e.headers); err != nil {
		return ep, err
	}
	if e.extraBody != "" {
		if err := json.Unmarshal([]byte(e.extraBody), &ep.ExtraBody); err != nil || ep.ExtraBody == nil {
			return ep, fmt.Errorf("--extra-body is not a JSON object; write it like '{\"top_k\": 1}'")
		}
	}
	return ep, nil
}

// maxKeyFile is as large as a file with a key may be.
const maxKeyFile = 64 << 10

func (e *Endpoint) apiKey() (string, error) {
	if e.apiKeyFile == "" {
		key := strings.TrimSpace(os.Getenv(e.apiKeyEnv))
		if key == "" && e.set != nil && e.set.Changed("api-key-env") {
			return "", fmt.Errorf("--api-key-env: there is no key in the environment variable %s", e.apiKeyEnv)
		}
		return key, nil
	}
	b, err := textfile.Read(e.apiKeyFile, maxKeyFile)
	if err != nil {
		return "", fmt.Errorf("--api-key-file can't be read: %w", err)
	}
	key := strings.TrimSpace(string(b))
	if key == "" {
		return "", fmt.Errorf("--api-key-file %s is empty", e.apiKeyFile)
	}
	return key, nil
}

func parseHeaders(list []string) (http.Header, error) {
	headers := make(http.Header)
	for _, h := range list {
		name, value, ok := strings.Cut(h, ":")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			// The text is not repeated: it may hold a secret.
			return nil, fmt.Errorf("--header needs a name and a value, e.g. --header 'api-key: …'")
		}
		headers.Add(name, strings.TrimSpace(value))
	}
	return headers, nil
}
