// This file holds the source: it finds the server's page and reads it.

package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/server"
	"tokdyno/engine/wire"
	"tokdyno/gpu/promtext"
)

// ErrNotOffered is what errors wrap when the server has answered and gives no figures there, so that asking again soon is
// of no use. What it takes to get them is in the error's text.
var ErrNotOffered = errors.New("no server metrics")

// Options say how the page is fetched. The zero Options find it by themselves.
type Options struct {
	MetricsURL string           // of the page, where the user names it; "": looked for next to the endpoint
	Header     http.Header      // sent along, but only to the endpoint's own scheme, host and port: it may have keys in it
	Client     *http.Client     // nil: one of its own, closed by Close
	Server     string           // who the endpoint is as far as known, such as "vLLM 0.11.0"; only words errors
	Timeout    time.Duration    // of one request; 0: 2 s
	Now        func() time.Time // the clock of Metrics.At; nil: time.Now
}

// Source reads the figures of one inference server. It is for one goroutine at a time; what others want to
// know of it is in Metrics.
type Source struct {
	fetch  fetcher
	pages  []*url.URL // to be tried in this order
	found  *url.URL   // the page that has given figures; nil: none yet
	server string
	now    func() time.Time
	own    *http.Client // to be closed; nil: the client was handed in
}

const defaultTimeout = 2 * time.Second

// New returns the source for an endpoint as a user gives it ("host:port", ".../v1", a full URL). It sends nothing yet. An
// error is a sentence about the URL.
func New(endpoint string, opts Options) (*Source, error) {
	base, err := endpointBase(endpoint)
	if err != nil {
		return nil, err
	}
	s := &Source{server: opts.Server, now: opts.Now, pages: candidates(base)}
	if opts.MetricsURL != "" {
		page, err := metricsURL(opts.MetricsURL)
		if err != nil {
			return nil, err
		}
		s.pages = []*url.URL{page}
	}
	if s.now == nil {
		s.now = time.Now
	}
	client := opts.Client
	if client == nil {
		client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}}
		s.own = client
	}
	timeout := opts.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	s.fetch = newFetcher(client, base, opts.Header, timeout)
	return s, nil
}

// Page is the page's URL without secrets: the one that has given figures, else the first that is tried.
func (s *Source) Page() string {
	if s.found != nil {
		return shown(s.found)
	}
	return shown(s.pages[0])
}

// Read reads the figures. Until a page has given some, it tries one after another; from then on it stays with that page,
// unless the server says that it is no longer there. Errors are sentences; they wrap ErrNotOffered where the server does
// not give its figures, and ctx's error where that ended the read.
func (s *Source) Read(ctx context.Context) (server.Metrics, error) {
	if s.found != nil {
		m, err := s.readPage(ctx, s.found)
		if !errors.Is(err, ErrNotOffered) {
			return m, err
		}
		s.found = nil
	}
	var problems []error
	for _, page := range s.pages {
		m, err := s.readPage(ctx, page)
		if err == nil {
			s.found = page
			return m, nil
		}
		problems = append(problems, err)
		if r := (*refusal)(nil); !errors.As(err, &r) {
			break // a server that cannot be reached is not at its other pages either
		}
	}
	return server.Metrics{}, mostTelling(problems)
}

// readPage reads one page.
func (s *Source) readPage(ctx context.Context, page *url.URL) (server.Metrics, error) {
	answer, err := s.fetch.get(ctx, page)
	if err != nil {
		return server.Metrics{}, err
	}
	now := s.now()
	if answer.status != http.StatusOK {
		return server.Metrics{}, refused(answer, s.server)
	}
	var m server.Metrics
	if listed, ok := server.InterpretOllama(answer.body); ok && strings.HasSuffix(page.Path, ollamaPage) {
		m = listed
	} else {
		text := promtext.Parse(answer.body)
		if m, ok = server.Interpret(text); !ok {
			return server.Metrics{}, noFigures(answer, text, s.server)
		}
	}
	m.At, m.URL = now, shown(page)
	return m, nil
}

// Close gives up the connections of the source's own client. Read is not to be called any more.
func (s *Source) Close() error {
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
	return nil
}

const ollamaPage = "/api/ps"

// candidates are the pages where figures may be: at the server's root, and next to /v1 where that has a path before it.
func candidates(base *url.URL) []*url.URL {
	above := strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/v1")
	var pages []*url.URL
	for _, page := range []string{"/metrics", "/prometheus/metrics", ollamaPage} {
		pages = append(pages, at(base, page))
		if above != "" {
			pages = append(pages, at(base, above+page))
		}
	}
	return pages
}

// at returns another path on the same server.
func at(base *url.URL, path string) *url.URL {
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}
}

// endpointBase returns the URL below which the endpoint's API lives.
func endpointBase(given string) (*url.URL, error) {
	joined, err := wire.JoinURL(given, endpoint.Chat)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(joined)
	if err != nil {
		return nil, fmt.Errorf("the endpoint URL %q is not valid", given)
	}
	base.Path = strings.TrimSuffix(base.Path, "/chat/completions")
	return at(base, base.Path), nil
}

// metricsURL reads the URL of a page as a user gives it.
func metricsURL(given string) (*url.URL, error) {
	text := strings.TrimSpace(given)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	page, err := url.Parse(text)
	if err != nil || page.Host == "" || page.Scheme != "http" && page.Scheme != "https" {
		return nil, errors.New("the metrics URL (--metrics) is not understood; write it like http://localhost:8000/metrics")
	}
	if page.Path == "" || page.Path == "/" {
		page.Path = "/metrics"
	}
	page.Fragment, page.RawFragment = "", ""
	return page, nil
}

// shown is a URL for people's eyes: without password and query, for there may be keys in them.
func shown(u *url.URL) string {
	bare := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return bare.String()
}
