// Finding the page, and fetching it. The server is a handler on loopback.

package scrape

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/server"
	"tokdyno/engine/sim"
	"tokdyno/gpu/optional"
)

// serve starts a server that answers by path; what it has not is a 404. It tells the paths it was asked.
func serve(t *testing.T, pages map[string]http.HandlerFunc) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		if h := pages[r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		if h := pages["*"]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// text answers with a page.
func text(page string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) }
}

// status answers with a status and a body.
func status(code int, header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// open makes a source that is closed with the test.
func open(t *testing.T, endpoint string, opts Options) *Source {
	t.Helper()
	src, err := New(endpoint, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
	return src
}

const small = "vllm:num_requests_running 3\n"

func TestThePageIsFoundWhereverItIs(t *testing.T) {
	for _, test := range []struct {
		name, endpoint string // endpoint: what follows the server's address
		pages          map[string]http.HandlerFunc
		want           server.Kind
		asked          []string
	}{
		{"at the root", "", map[string]http.HandlerFunc{"/metrics": text(small)}, server.VLLM, []string{"/metrics"}},
		{"at the root, for a full URL", "/v1/chat/completions?key=secret", map[string]http.HandlerFunc{"/metrics": text(small)}, server.VLLM, []string{"/metrics"}},
		{"next to /v1", "/llm/v1", map[string]http.HandlerFunc{"/llm/metrics": text(small)}, server.VLLM, []string{"/metrics", "/llm/metrics"}},
		{
			"the root's page is a gateway's own", "/llm/v1",
			map[string]http.HandlerFunc{"/metrics": text("traefik_config_reloads_total 1\n"), "/llm/metrics": text(small)},
			server.VLLM,
			[]string{"/metrics", "/llm/metrics"},
		},
		{
			"the root is forbidden", "/llm/v1",
			map[string]http.HandlerFunc{"/metrics": status(403, "", ""), "/llm/metrics": text(small)},
			server.VLLM,
			[]string{"/metrics", "/llm/metrics"},
		},
		{
			"trtllm-serve", "/v1",
			map[string]http.HandlerFunc{"/metrics": text(`[{"iter":1}]`), "/prometheus/metrics": text("trtllm_kv_cache_hit_rate 0.5\n")},
			server.TRTLLM,
			[]string{"/metrics", "/prometheus/metrics"},
		},
		{
			"Ollama", "",
			map[string]http.HandlerFunc{"/api/ps": text(`{"models":[]}`)},
			server.Ollama,
			[]string{"/metrics", "/prometheus/metrics", "/api/ps"},
		},
		{
			"behind a redirect", "",
			map[string]http.HandlerFunc{"/metrics": http.RedirectHandler("/metrics/", http.StatusTemporaryRedirect).ServeHTTP, "/metrics/": text(small)},
			server.VLLM,
			[]string{"/metrics", "/metrics/"},
		},
		{"in a JSON string", "", map[string]http.HandlerFunc{"/metrics": text(`"vllm:num_requests_running 3\n"`)}, server.VLLM, []string{"/metrics"}},
		{"with compression", "", map[string]http.HandlerFunc{"/metrics": func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				_, _ = io.WriteString(w, small)
				return
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, small)
			_ = z.Close()
		}}, server.VLLM, []string{"/metrics"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, asked := serve(t, test.pages)
			now := time.Unix(1_800_000_000, 0)
			src := open(t, url+test.endpoint, Options{Now: func() time.Time { return now }})
			m, err := src.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if m.Kind != test.want || !m.At.Equal(now) {
				t.Errorf("%s at %v", m.Kind, m.At)
			}
			if diff := cmp.Diff(test.asked, asked()); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
			if m.URL != src.Page() || strings.Contains(m.URL, "secret") || !strings.HasPrefix(m.URL, url+"/") {
				t.Errorf("read %s, the source says %s", m.URL, src.Page())
			}
			// From now on it asks for that page only, with its redirect.
			before := len(asked())
			if _, err := src.Read(t.Context()); err != nil || len(asked())-before > 2 || !strings.HasSuffix(m.URL, asked()[before]) {
				t.Errorf("the second read asked for %v: %v", asked()[before:], err)
			}
		})
	}
}

func TestAPageThatIsGoneIsLookedForAnew(t *testing.T) {
	pages := map[string]http.HandlerFunc{"/metrics": text(small)}
	url, _ := serve(t, pages)
	src := open(t, url, Options{})
	for _, test := range []struct {
		where string
		page  http.HandlerFunc
		want  server.Kind
	}{
		{"/metrics", text(small), server.VLLM},
		{"/prometheus/metrics", text("trtllm_num_requests_running 1"), server.TRTLLM},
		{"/metrics", status(503, "", ""), ""},
	} {
		clear(pages)
		pages[test.where] = test.page
		if m, err := src.Read(t.Context()); m.Kind != test.want || (err == nil) != (test.want != "") {
			t.Errorf("read %q, %v; want %q", m.Kind, err, test.want)
		}
	}
}

func TestKeysGoToTheEndpointOnly(t *testing.T) {
	var seen []http.Header
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Clone())
		_, _ = io.WriteString(w, small)
	}
	other, _ := serve(t, map[string]http.HandlerFunc{"/metrics": note})
	url, _ := serve(t, map[string]http.HandlerFunc{
		"/metrics": note,
		"/away":    http.RedirectHandler(other+"/metrics", http.StatusFound).ServeHTTP,
	})
	header := http.Header{"Authorization": {"Bearer secret"}, "api-key": {"secret"}, "Content-Type": {"application/json"}}
	for _, test := range []struct {
		name, metrics string
		keys          bool
	}{
		{"the endpoint's own page", "", true},
		{"the endpoint's own page, by name", url + "/metrics", true},
		{"another server", other, false},
		{"a redirect to another server", url + "/away", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen = nil
			src := open(t, url+"/v1", Options{Header: header, MetricsURL: test.metrics})
			if _, err := src.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := seen[len(seen)-1]
			if has := got.Get("Authorization") != "" && got.Get("Api-Key") != ""; has != test.keys {
				t.Errorf("keys sent: %v, want %v: %v", has, test.keys, got)
			}
			if got.Get("User-Agent") != "tokdyno" || got.Get("Content-Type") != "" {
				t.Errorf("headers %v", got)
			}
		})
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	url, _ := serve(t, nil)
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	for _, metrics := range []string{url + "/metrics?key=secret", dead.URL + "/metrics?key=secret", strings.Replace(dead.URL, "http://", "http://me:secret@", 1) + "/m"} {
		src := open(t, url, Options{MetricsURL: metrics})
		if _, err := src.Read(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v", err)
		}
		if strings.Contains(src.Page(), "secret") {
			t.Errorf("page %s", src.Page())
		}
	}
}

func TestAServerThatCannotBeReadIsAskedOnce(t *testing.T) {
	t.Run("no answer in time", func(t *testing.T) {
		url, asked := serve(t, map[string]http.HandlerFunc{"*": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }})
		_, err := open(t, url, Options{Timeout: time.Millisecond}).Read(t.Context())
		if !errors.Is(err, context.DeadlineExceeded) || len(asked()) > 1 || !strings.Contains(err.Error(), "did not answer within 1ms") {
			t.Errorf("asked %v: %v", asked(), err)
		}
	})
	t.Run("nothing listens", func(t *testing.T) {
		dead := httptest.NewServer(http.NotFoundHandler())
		dead.Close()
		_, err := open(t, dead.URL, Options{}).Read(t.Context())
		if want := dead.URL + "/metrics cannot be read: " + syscall.ECONNREFUSED.Error(); err == nil || err.Error() != want {
			t.Errorf("said %q, want %q", err, want)
		}
	})
	t.Run("the caller gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		url, _ := serve(t, map[string]http.HandlerFunc{"*": func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		}})
		if _, err := open(t, url, Options{}).Read(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a page without end", func(t *testing.T) {
		line := []byte(strings.Repeat("a", 1<<16) + " 1\n")
		url, asked := serve(t, map[string]http.HandlerFunc{"*": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}})
		src := open(t, url, Options{Timeout: time.Minute})
		src.fetch.limit = 1 << 20
		_, err := src.Read(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the page is larger than 1 MiB") || len(asked()) != 1 {
			t.Errorf("asked %v: %v", asked(), err)
		}
	})
}

func TestAHandedInClientIsUsedAndLeftAsItIs(t *testing.T) {
	url, _ := serve(t, map[string]http.HandlerFunc{"/metrics": text(small)})
	used := false
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		used = true
		return transport.RoundTrip(r)
	})}
	if _, err := open(t, url, Options{Client: client}).Read(t.Context()); err != nil || !used || client.CheckRedirect != nil {
		t.Errorf("used %v: %v", used, err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestURLsThatAreNone(t *testing.T) {
	for _, test := range []struct{ endpoint, metrics, want string }{
		{"", "", "no endpoint URL was given"},
		{"ftp://h", "", "only http:// and https://"},
		{"http://h", "ftp://h/metrics", "the metrics URL (--metrics) is not understood"},
		{"http://h", "http://", "the metrics URL (--metrics) is not understood"},
		{"http://h", "http://h:x/", "the metrics URL (--metrics) is not understood"},
	} {
		if _, err := New(test.endpoint, Options{MetricsURL: test.metrics}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q, %q: %v", test.endpoint, test.metrics, err)
		}
	}
	for given, want := range map[string]string{"h:8002": "http://h:8002/metrics", " https://h/x?a=b#c ": "https://h/x"} {
		if src := open(t, "http://e", Options{MetricsURL: given}); src.Page() != want {
			t.Errorf("%q is read as %s, want %s", given, src.Page(), want)
		}
	}
}

func TestTheSimulatorIsReadLikeAServer(t *testing.T) {
	profile := sim.Profiles()[0]
	simulator, err := sim.Start(sim.Config{Profile: profile, TimeScale: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = simulator.Close() }()
	src := open(t, simulator.URL(), Options{})
	start, err := src.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"model":%q,"prompt":"say something","max_tokens":16,"ignore_eos":true}`, profile.Model)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	resp, err := client.Post(simulator.URL()+"/v1/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Usage struct {
			Prompt     float64 `json:"prompt_tokens"`
			Completion float64 `json:"completion_tokens"`
		} `json:"usage"`
	}
	err = json.NewDecoder(resp.Body).Decode(&answer)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	now, err := src.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var sum server.Totals
	sum.Add(start)
	sum.Add(now)
	w := sum.Summary().Window
	if now.Kind != server.Simulator || !now.Simulated || now.Engines != 1 || now.Running != optional.Of(0) {
		t.Errorf("%s, simulated %v, %d engines, running %+v", now.Kind, now.Simulated, now.Engines, now.Running)
	}
	if w.GenerationTokens != optional.Of(answer.Usage.Completion) || w.PromptTokens != optional.Of(answer.Usage.Prompt) || w.Requests != optional.Of(1) {
		t.Errorf("window %+v, the answer's usage %+v", w, answer.Usage)
	}
	if w.TTFT.N != 1 || w.QueueTime.N != 1 || !w.TTFT.Mean.OK() || w.HitRate != optional.Of(0) {
		t.Errorf("TTFT %+v, queue time %+v, hit rate %+v", w.TTFT, w.QueueTime, w.HitRate)
	}
}
