// Package flags turns command-line flags into an engine's configuration. Flags of the same kind have the same names in
// every command.
package flags

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/pflag"

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
	noProxy    bool
	noProbe    bool

	set *pflag.FlagSet
}

// Bind adds the flags to a command.
func (e *Endpoint) Bind(f *pflag.FlagSet) {
	e.set = f
	f.StringVar(&e.model, "model", "", "model `id`; default: the one that the endpoint serves")
	f.StringVar(&e.api, "api", "chat", "`api` to put load on: chat or completions")
	f.StringVar(&e.apiKeyEnv, "api-key-env", "OPENAI_API_KEY", "environment `variable` that holds the API key")
	f.StringVar(&e.apiKeyFile, "api-key-file", "", "`file` that holds the API key")
	f.StringArrayVar(&e.headers, "header", nil, "further `'Name: value'` of every request; may be repeated")
	f.StringVar(&e.extraBody, "extra-body", "", "further `JSON` members of every request body, e.g. '{\"top_k\": 1}'")
	f.BoolVar(&e.insecure, "insecure", false, "do not check the server's TLS certificate")
	f.StringVar(&e.ca, "ca", "", "PEM `file` of certificate authorities to trust")
	f.BoolVar(&e.noProxy, "no-proxy", false, "ignore the environment's proxy settings")
	f.BoolVar(&e.noProbe, "no-probe", false, "send load without a short request that finds out what the endpoint takes")
}

// Config returns the endpoint at a URL.
func (e *Endpoint) Config(url string) (wire.Endpoint, error) {
	ep := wire.Endpoint{URL: url, Model: e.model, Insecure: e.insecure, CAFile: e.ca, NoProxy: e.noProxy}
	var err error
	if ep.API, err = wire.ParseAPI(e.api); err != nil {
		return ep, err
	}
	if ep.Key, err = e.key(); err != nil {
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

func (e *Endpoint) key() (string, error) {
	if e.apiKeyFile == "" {
		key := strings.TrimSpace(os.Getenv(e.apiKeyEnv))
		if key == "" && e.set != nil && e.set.Changed("api-key-env") {
			return "", fmt.Errorf("--api-key-env: there is no key in the environment variable %s", e.apiKeyEnv)
		}
		return key, nil
	}
	b, err := os.ReadFile(e.apiKeyFile)
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
