// Sending a request until its answer's header is there.

package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
)

// roundTrip sends the request until the answer's header is there: once more, on a new connection, if a kept-alive one
// turns out to be stale. net/http looks for another connection by itself only where nothing was written yet; for it would
// otherwise also send a request again that the server has read and then died over.
func (c *Client) roundTrip(ctx context.Context, req *Request, s *stream, guard *watchdog) (*http.Response, *conn, error) {
	rec := s.answer.rec
	fresh := c.dialer.closing.always.Load()
	for again := false; ; fresh, ctx, again = true, anew(ctx), true {
		a := &attempt{
			clock: c.clock, obs: s.answer.obs, beat: guard.beat,
			shared: c.ep.HTTP2 && c.target.base.Scheme == "http",
			before: c.clock(),
		}
		resp, err := c.send(ctx, c.post(req), a, fresh)
		conn, reconnects := a.finish(rec, err == nil)
		if err != nil && !again && ctx.Err() == nil && a.stale(err) {
			rec.Retried = true
			c.reconnects.Add(int64(reconnects) + 1)
			continue
		}
		c.reconnects.Add(int64(reconnects))
		return resp, conn, err
	}
}

// send sends a request, on a new connection if it has to be fresh, and returns its answer when the header of that is there.
func (c *Client) send(ctx context.Context, r *http.Request, a *attempt, fresh bool) (*http.Response, error) {
	if c.http1 != nil && !c.dialer.unstamped.Load() {
		return c.http1.roundTrip(ctx, r, a, fresh)
	}
	transport := c.transport
	if fresh {
		transport = c.fresh
	}
	return transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(ctx, a.trace())))
}

// post builds the HTTP request. The header is shared by all requests; the transport does not write to it.
func (c *Client) post(req *Request) *http.Request {
	return &http.Request{
		Method:        http.MethodPost,
		URL:           req.url,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        c.header,
		Host:          c.host,
		Body:          io.NopCloser(bytes.NewReader(req.body)),
		GetBody:       func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(req.body)), nil },
		ContentLength: int64(len(req.body)),
	}
}
