// Why a request got no answer, or a refusal: kinds, and sentences a person can act on.

package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"tokdyno/engine/record"
)

// unanswered judges a request that ended before an answer's header was there.
func (c *Client) unanswered(err error) verdict {
	host := c.target.base.Host
	var (
		dns      *net.DNSError
		op       *net.OpError
		header   tls.RecordHeaderError
		alert    tls.AlertError
		checked  *tls.CertificateVerificationError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
	)
	isOp := errors.As(err, &op)
	switch {
	case errors.Is(err, errFirstByte):
		return failed(record.KindTimeoutFirstByte, fmt.Sprintf("%v (%v)", err, c.ep.FirstByteTimeout))
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return failed(record.KindClientFD, "this machine has no file descriptor left for another connection; raise the limit (ulimit -n)")
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return failed(record.KindClientPort, "this machine has no local port left for another connection to "+host)
	case isOp && op.Op == "proxyconnect":
		return failed(record.KindConnect, fmt.Sprintf("the proxy %s does not let us through: %v; --no-proxy goes without it", c.proxyHost(), op.Err))
	case errors.As(err, &dns):
		return failed(record.KindConnect, fmt.Sprintf("the host %s is not known (%s)", dns.Name, dns.Err))
	case errors.As(err, &header):
		if string(header.RecordHeader[:]) == "HTTP/" {
			return failed(record.KindTLS, host+" speaks http, not https; write http:// in the endpoint URL")
		}
		return failed(record.KindTLS, host+" does not speak TLS: "+header.Msg+"; if it speaks http, write http:// in the endpoint URL")
	case errors.As(err, &unknown):
		return failed(record.KindTLS, "the certificate of "+host+" is signed by nobody known; give its authority with --ca, or --insecure")
	case errors.As(err, &hostname), errors.As(err, &checked):
		return failed(record.KindTLS, fmt.Sprintf("the certificate of %s is not accepted: %v", host, err))
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return failed(record.KindTLS, fmt.Sprintf("TLS with %s failed: %v", host, err))
	case errors.Is(err, errHandshake), strings.Contains(err.Error(), "TLS handshake timeout"): // net/http's own error has no type
		return failed(record.KindTLS, fmt.Sprintf("no TLS handshake with %s within %v", host, c.ep.ConnectTimeout))
	case errors.Is(err, syscall.ECONNREFUSED):
		return failed(record.KindConnect, "nothing listens on "+host+" (connection refused); is the server running?")
	case isOp && op.Op == "dial" && (op.Timeout() || errors.Is(err, os.ErrDeadlineExceeded)):
		return failed(record.KindConnect, fmt.Sprintf("no connection to %s within %v", host, c.ep.ConnectTimeout))
	case isOp && op.Op == "dial":
		return failed(record.KindConnect, fmt.Sprintf("no connection to %s: %v", host, op.Err))
	case strings.Contains(err.Error(), "malformed HTTP"):
		return failed(record.KindMalformed, "what answers on "+host+" does not speak HTTP/1.1; is it https://, or another port?")
	case strings.Contains(err.Error(), "readLoopPeekFailLocked"):
		return failed(record.KindMalformed, host+" sends an answer before it is asked; is something else than an HTTP server there?")
	case disconnected(err), errors.Is(err, context.Canceled), strings.Contains(err.Error(), "server closed idle connection"):
		return failed(record.KindTruncated, host+" closed the connection without an answer")
	case strings.Contains(err.Error(), "response headers exceeded"):
		return failed(record.KindMalformed, fmt.Sprintf("the header of %s's answer is longer than %d KiB", host, maxHeaderBytes>>10))
	case strings.Contains(err.Error(), "connection broken"): // and not by an end: what came is not what HTTP has there
		return failed(record.KindMalformed, fmt.Sprintf("the header of %s's answer is not proper HTTP: %v", host, innermost(err)))
	}
	return failed(record.KindConnect, fmt.Sprintf("no answer from %s: %v", host, err))
}

// unsent is a verdict on a request of which nothing was sent. Where TLS was to be agreed on first and the other side hung up,
// it may not speak it.
func (c *Client) unsent(v verdict) verdict {
	if v.kind != record.KindTruncated || c.target.base.Scheme != "https" {
		return v
	}
	return failed(record.KindTLS, c.target.base.Host+" closed the connection before TLS was agreed on; "+
		"if it speaks http, write http:// in the endpoint URL")
}

// innermost is what an error is about, without what others have said of it.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// refused judges an answer whose status is not 2xx.
func (c *Client) refused(ctx context.Context, resp *http.Response, req *Request, s *stream) verdict {
	text, _, err := s.body.whole(maxProblem)
	if err != nil && len(text) == 0 && context.Cause(ctx) != nil {
		return s.answer.verdict(context.Cause(ctx))
	}
	s.problem = c.statusProblem(resp, text, req.url)
	if s.retryAfter = retryAfter(resp.Header); s.retryAfter > 0 {
		s.problem.sentence = c.clean(fmt.Sprintf("%s; Retry-After %g s", s.problem.sentence, s.retryAfter.Seconds()))
	}
	return failed(kindOf(resp.StatusCode), s.problem.sentence)
}

// kindOf is the kind of a failure by its status.
func kindOf(status int) record.Kind {
	switch {
	case status == http.StatusTooManyRequests:
		return record.KindHTTP429
	case status >= 400 && status < 500:
		return record.KindHTTP4xx
	case status >= 500 && status < 600:
		return record.KindHTTP5xx
	}
	return record.KindHTTPOther
}
