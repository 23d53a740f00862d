// The client: one endpoint, its transport and what is known about it.

package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

const (
	keepAlive = 4 * time.Second // idle connections are dropped before uvicorn drops them, after 5 s

	// manyStreams is the concurrency above which buffers are small, to save memory: a stream's reads are short.
	manyStreams         = 500
	buffer, smallBuffer = 4 << 10, 1 << 10
	maxIdle             = 1 << 16 // far above any concurrency, so that turning it up needs no new transport
	maxHeaderBytes      = 256 << 10
)

// Client puts requests on one endpoint. Its methods may be called concurrently.
type Client struct {
	ep        Endpoint
	target    target
	header    http.Header
	host      string // of the Host header where the user gave one, else ""
	choices   int    // that each request asks for
	secrets   *strings.Replacer
	clock     record.Clock
	dialer    *dialer
	http1     *http1 // puts requests on connections; nil: net/http does
	transport *http.Transport
	fresh     *http.Transport // puts every request on a new connection; with HTTP/2 it is transport
	rest      func(ctx context.Context, d time.Duration) bool
	proxy     func(*http.Request) (*url.URL, error)
	close     context.CancelFunc

	profile    atomic.Pointer[endpoint.Profile]
	reconnects atomic.Int64
	merged     atomic.Int64 // see Merged
	chunks     atomic.Int64
	kernel     atomic.Bool // an answer has been read with the kernel's stamps
	open       atomic.Bool // an answer was kept open after its end, and nothing came
	streams    sync.Pool   // of *stream
	tokenizer  atomic.Pointer[tokenizer]
	remarks    remarks // made of the answers since the last probe
	waits      waits
}

// New returns a client for an endpoint. It uses no network. Its errors are sentences for the user.
func New(ep Endpoint, clock record.Clock) (*Client, error) {
	ep, err := ep.normal()
	if err != nil {
		return nil, err
	}
	t, err := parseTarget(ep.URL)
	if err != nil {
		return nil, err
	}
	if t.api != "" {
		ep.API = t.api
	}
	certificates, err := ep.tlsConfig()
	if err != nil {
		return nil, err
	}
	open, cancel := context.WithCancel(context.Background())
	c := &Client{
		ep:      ep,
		target:  t,
		header:  ep.header(),
		choices: ep.choices(),
		clock:   clock,
		close:   cancel,
		rest:    Rest,
		streams: sync.Pool{New: func() any { return new(stream) }},
	}
	if host := c.header.Get("Host"); host != "" {
		c.host = host
		c.header.Del("Host")
	}
	var hidden []string
	for _, secret := range ep.secrets() {
		hidden = append(hidden, secret, "…")
	}
	c.secrets = strings.NewReplacer(hidden...)
	if !ep.NoProxy {
		c.proxy = http.ProxyFromEnvironment
	}
	size := buffer
	if ep.Concurrency > manyStreams {
		size = smallBuffer
	}
	c.dialer = &dialer{net: net.Dialer{Timeout: ep.ConnectTimeout}, clock: clock, closed: open}
	if !ep.HTTP2 { // which has its own goroutines read
		if c.dialer.poller = poll.New(clock); ep.LongestTick > 0 {
			c.dialer.poller.Longest(ep.LongestTick)
		}
	}
	c.dialer.enough = min(max(1, ep.Concurrency/requestsPerSpare), mostSpares)
	c.transport = &http.Transport{
		Proxy:                  c.proxy,
		DialContext:            c.dialer.dial,
		TLSClientConfig:        certificates,
		TLSHandshakeTimeout:    ep.ConnectTimeout,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    max(maxIdle, ep.Concurrency),
		IdleConnTimeout:        keepAlive,
		ReadBufferSize:         size,
		WriteBufferSize:        size,
		MaxResponseHeaderBytes: maxHeaderBytes,
		Protocols:              protocols(ep, t.base.Scheme),
	}
	if t.base.Scheme == "https" && !ep.HTTP2 {
		c.dialer.tls = certificates
		c.transport.DialTLSContext = c.dialer.dialTLS
	}
	if c.dialer.poller != nil && c.proxyHost() == "" {
		dial := c.dialer.dial
		if t.base.Scheme == "https" {
			dial = c.dialer.dialTLS
		}
		c.http1 = newHTTP1(dial, t.host(), size)
	}
	c.fresh = c.transport
	if !ep.HTTP2 { // there net/http forgets a dead connection by itself
		c.fresh = c.transport.Clone()
		c.fresh.MaxIdleConnsPerHost = -1 // none is kept, so none is there; DisableKeepAlives would tell the server so
	}
	c.SetProfile(endpoint.DefaultProfile(ep.API, false))
	return c, nil
}

// protocols chooses the HTTP versions: 1.1, for HTTP/2 puts all streams on one connection and caps their number, unless
// the user wants it.
func protocols(ep Endpoint, scheme string) *http.Protocols {
	p := new(http.Protocols)
	if ep.HTTP2 {
		p.SetHTTP2(true)
		p.SetUnencryptedHTTP2(true)
	}
	if !ep.HTTP2 || scheme == "https" {
		p.SetHTTP1(true)
	}
	return p
}

// Profile is what is known of the endpoint, from Probe, or else from SetProfile or the defaults. Its Warnings end with what
// the answers until now have shown.
func (c *Client) Profile() endpoint.Profile {
	p := *c.profile.Load()
	if c.dialer.closing.always.Load() {
		p.Warnings = append(slices.Clip(p.Warnings), "the server closes connections right after an answer although it announces to keep them: "+
			"each request gets a new one, opened ahead")
	}
	for _, sentence := range c.remarks.sentences() {
		p.Warnings = append(slices.Clip(p.Warnings), c.clean(sentence))
	}
	return p
}

// SetProfile makes requests be prepared as p says. Fields that follow from the endpoint (model if p has none, URL,
// proxy, protocol) are filled in.
func (c *Client) SetProfile(p endpoint.Profile) {
	if p.Model == "" {
		p.Model = c.ep.Model
	}
	if c.target.api != "" || p.API == "" {
		p.API = c.ep.API
	}
	p.URL = shown(c.target.load(p.API))
	p.Proxy = c.proxyHost()
	p.Unlimited = c.ep.unlimited(&p)
	if p.Protocol == "" && !c.ep.HTTP2 {
		p.Protocol = "HTTP/1.1"
	}
	c.profile.Store(&p)
}

// proxyHost is the host of the proxy that requests go through; "" if they go directly.
func (c *Client) proxyHost() string {
	if c.proxy == nil {
		return ""
	}
	proxy, err := c.proxy(&http.Request{URL: c.target.base})
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

// Reconnects is how many requests were sent again because a kept-alive connection had been closed by the server.
func (c *Client) Reconnects() int64 { return c.reconnects.Load() }

// Merged is how many chunks were read with an earlier one that had come in another segment, and so was there for longer than its
// stamp says, and of how many chunks that is known: none where the kernel does not count segments.
func (c *Client) Merged() (merged, chunks int64) { return c.merged.Load(), c.chunks.Load() }

// Stamps says whose arrival stamps are in use: "kernel" once an answer has been read with the kernel's receive times,
// else "read", the returns of the reads. Each token event tells for itself, for single reads may be without.
func (c *Client) Stamps() string {
	if c.kernel.Load() {
		return "kernel"
	}
	return "read"
}

// Close closes idle connections and ends dials that nobody waits for any more. Requests that still run are left to
// their contexts.
func (c *Client) Close() {
	c.close()
	c.dialer.dropSpares()
	c.transport.CloseIdleConnections()
	if c.http1 != nil {
		c.http1.close()
	}
	if c.dialer.poller != nil {
		c.dialer.poller.Close()
	}
}

// Redacted is a text without the endpoint's secrets.
func (c *Client) Redacted(text string) string { return c.secrets.Replace(text) }

// clean makes a sentence fit to show: one line, no secrets.
func (c *Client) clean(sentence string) string { return cut(c.secrets.Replace(flat(sentence))) }

func (c *Client) fault(format string, args ...any) *Error {
	return &Error{sentence: c.clean(fmt.Sprintf(format, args...))}
}

// Error is a sentence for the user, without secrets.
type Error struct {
	sentence string
	err      error

	kind   record.Kind   // of a page that did not come; "": not known
	status int           // of the same, where there was one
	after  time.Duration // that the server asked to wait (Retry-After); 0: it did not
}

func (e *Error) Error() string { return e.sentence }

// Unwrap returns the cause, where there is one: for bad answers go-openai's APIError or RequestError.
func (e *Error) Unwrap() error { return e.err }
