// This file answers, refuses and breaks off, and quotes the request in each.

package indiscreet

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tokdyno/engine/wire"
)

// Secret is in every secret of the endpoint, and nowhere else.
const Secret = "s3cret"

// Endpoint starts a server and returns it as an endpoint with a key, a header, a query and a field of the body that are secret.
// It takes the request that finds out what an endpoint is; of those after it, two in six succeed.
func Endpoint(t testing.TB) wire.Endpoint {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/models"):
			_, _ = fmt.Fprint(w, `{"object":"list","data":[{"id":"m"}]}`)
		case strings.HasSuffix(r.URL.Path, "/metrics"):
			_, _ = fmt.Fprintf(w, "# HELP vllm:num_requests_running %s\nvllm:num_requests_running{model_name=\"m\"} 1\n", told(r))
		case !strings.HasSuffix(r.URL.Path, "/chat/completions"):
			http.Error(w, told(r), http.StatusNotFound)
		default:
			answer(w, told(r), asked.Add(1))
		}
	}))
	t.Cleanup(server.Close)
	return wire.Endpoint{
		URL: server.URL + "/v1?sig=" + Secret + "-query", NoProxy: true, Key: Secret + "-key",
		Header:    http.Header{"X-Token": {Secret + "-header"}},
		ExtraBody: map[string]json.RawMessage{"api_key": json.RawMessage(`"` + Secret + `-body"`)},
	}
}

// told is all that a request tells, its secrets in front of where a long text is cut.
func told(r *http.Request) string {
	var body struct {
		APIKey string `json:"api_key"`
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	_, _ = io.Copy(io.Discard, r.Body)
	return fmt.Sprintf("%s, %s, %s, %s", r.Header.Get("Authorization"), r.Header.Get("X-Token"), r.RequestURI, body.APIKey)
}

func answer(w http.ResponseWriter, told string, n int64) {
	quoted, _ := json.Marshal(told)
	switch n % 6 {
	case 2:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":{"message":%s,"type":%s,"code":%s}}`, quoted, quoted, quoted)
		return
	case 3:
		http.Error(w, told, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for range 4 {
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted)
	}
	switch n % 6 {
	case 4:
		_, _ = fmt.Fprintf(w, "data: {\"error\":{\"message\":%s}}\n\n", quoted)
	case 5:
		_, _ = fmt.Fprintf(w, "data: {\"choices\": %s\n\n", told)
	default:
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%s}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n", quoted)
	}
}
