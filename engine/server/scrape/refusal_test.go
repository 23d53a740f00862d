// What is said where there is no page.

package scrape

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestARefusalSaysWhatToDo(t *testing.T) {
	everywhere := func(h http.HandlerFunc) map[string]http.HandlerFunc { return map[string]http.HandlerFunc{"*": h} }
	for _, test := range []struct {
		name   string
		pages  map[string]http.HandlerFunc
		server string // that the probe found
		want   string // URL stands for the server's address
		lasts  bool   // asking again soon is of no use
	}{
		{
			"llama.cpp without --metrics",
			map[string]http.HandlerFunc{
				"/metrics": status(501, "Server: llama.cpp", `{"error":{"code":501,"message":"This server does not support metrics endpoint. Start it with `+"`--metrics`"+`","type":"not_supported_error"}}`),
			},
			"", "no server metrics: URL/metrics answered 501 Not Implemented; start llama-server with --metrics", true,
		},
		{"SGLang, known from the probe", nil, "SGLang 0.5.6", "no server metrics: URL/metrics answered 404 Not Found; start SGLang with --enable-metrics", true},
		{"LMDeploy", nil, "LMDeploy", "no server metrics: URL/metrics answered 404 Not Found; start lmdeploy serve api_server with --enable-metrics", true},
		{
			"vLLM without its own figures",
			map[string]http.HandlerFunc{"/metrics": text("python_info 1\n")},
			"vLLM 0.11.0",
			"no server metrics: URL/metrics has no figures of a known inference server, only such as python_info; " +
				"vLLM gives them at /metrics unless it runs with --disable-log-stats; where a proxy hides that page, add --metrics URL", false,
		},
		{
			"trtllm-serve's statistics",
			map[string]http.HandlerFunc{"/metrics": text(`[{"cpuMemUsage":0,"inflightBatchingStats":{}}]`)},
			"",
			"no server metrics: URL/metrics answered JSON instead of a metrics page; start trtllm-serve with return_perf_metrics: true " +
				"in the file of its --extra_llm_api_options; the page is then /prometheus/metrics", true,
		},
		{
			"a web page", everywhere(status(200, "Content-Type: text/html", "<!doctype html><title>Chat</title>")), "",
			"no server metrics: URL/metrics answered a web page (HTML) instead of metrics; name the page with --metrics URL if the server has one elsewhere", true,
		},
		{
			"JSON", everywhere(text(`{"detail":"Not Found"}`)), "",
			"no server metrics: URL/metrics answered JSON instead of a metrics page; name the page with --metrics URL if the server has one elsewhere", true,
		},
		{"text", everywhere(text("OK")), "", "no server metrics: URL/metrics is not a metrics page; name the page with --metrics URL if the server has one elsewhere", true},
		{"nobody knows", nil, "", "no server metrics: URL/metrics answered 404 Not Found; name the page with --metrics URL if the server has one elsewhere", true},
		{"an empty page", everywhere(text("")), "", "no server metrics: URL/metrics is empty; some servers fill it with the first request", false},
		{"a key is wanted", everywhere(status(401, "", "")), "", "no server metrics: URL/metrics answered 401 Unauthorized; it wants a key other than the endpoint's, or none was given", false},
		{"a gateway without server", everywhere(status(502, "", "")), "", "no server metrics: URL/metrics answered 502 Bad Gateway", false},
		{
			"redirects without end", everywhere(http.RedirectHandler("/metrics", http.StatusFound).ServeHTTP), "",
			"no server metrics: URL/metrics is redirected again and again; name the page with --metrics URL if the server has one elsewhere", true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, _ := serve(t, test.pages)
			m, err := open(t, url, Options{Server: test.server}).Read(t.Context())
			if err == nil {
				t.Fatalf("read %s", m.Kind)
			}
			if got := strings.ReplaceAll(err.Error(), url, "URL"); got != test.want {
				t.Errorf("said %q,\nwant %q", got, test.want)
			}
			if errors.Is(err, ErrNotOffered) != test.lasts {
				t.Errorf("ErrNotOffered: %v, want %v", !test.lasts, test.lasts)
			}
		})
	}
}
