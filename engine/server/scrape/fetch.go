// This file fetches pages: bounded, with keys only for the endpoint itself.

package scrape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxPage      = 16 << 20 // bytes; a page of 1000 engines has a few MB
	maxRedirects = 3        // to /metrics/, perhaps by way of https
)

// fetcher sends GET requests.
type fetcher struct {
	client  *http.Client
	header  http.Header
	origin  string // that the header may be sent to
	timeout time.Duration
	limit   int64 // bytes of a page
}

func newFetcher(client *http.Client, endpoint *url.URL, header http.Header, timeout time.Duration) fetcher {
	own := *client
	// net/http would take headers such as api-key along to any host.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return fetcher{client: &own, header: header.Clone(), origin: origin(endpoint), timeout: timeout, limit: maxPage}
}

// answer is what came back.
type answer struct {
	url     *url.URL // that was asked last
	status  int
	server  string // the Server header
	content string // the Content-Type header
	body    []byte
}

// get asks for a page. An error is a sentence.
func (f *fetcher) get(ctx context.Context, page *url.URL) (answer, error) {
	timed, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	target := page
	for range maxRedirects + 1 {
		got, next, err := f.once(timed, target)
		if err != nil {
			return answer{}, f.sentence(ctx, target, err)
		}
		if next == nil {
			return got, nil
		}
		target = next
	}
	return answer{}, &refusal{sentence: "no server metrics: " + shown(page) + " is redirected again and again; " + anyRemedy}
}

// once sends one request; next is where the answer redirects to, or nil.
func (f *fetcher) once(ctx context.Context, target *url.URL) (got answer, next *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return got, nil, err
	}
	if origin(target) == f.origin {
		for name, values := range f.header {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	req.Header.Set("Accept", "text/plain; version=0.0.4, */*; q=0.1")
	req.Header.Set("User-Agent", "tokdyno")
	req.Header.Del("Content-Type") // there is no body
	resp, err := f.client.Do(req)
	if err != nil {
		return got, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	got = answer{url: target, status: resp.StatusCode, server: resp.Header.Get("Server"), content: resp.Header.Get("Content-Type")}
	if 300 <= got.status && got.status < 400 {
		if to, err := resp.Location(); err == nil && (to.Scheme == "http" || to.Scheme == "https") {
			return got, to, nil
		}
	}
	got.body, err = io.ReadAll(io.LimitReader(resp.Body, f.limit+1))
	if err == nil && int64(len(got.body)) > f.limit {
		err = fmt.Errorf("the page is larger than %d MiB", f.limit>>20)
	}
	return got, nil, err
}

// sentence words what went wrong on the way; ctx is the caller's, without the time limit.
func (f *fetcher) sentence(ctx context.Context, target *url.URL, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s was not read to the end: %w", shown(target), ctx.Err())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer within %v: %w", shown(target), f.timeout, context.DeadlineExceeded)
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner // the cause alone, without the URL around it, in which there may be a key
	}
	return fmt.Errorf("%s cannot be read: %w", shown(target), err)
}

// origin is what must be equal for two URLs to lead to the same server.
func origin(u *url.URL) string {
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
