// One request on its way: which connection it got, and its t0.

package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"sync"
	"syscall"
	"time"

	"tokdyno/engine/record"
)

// attempt follows one request through net/http, which may itself put it on a second connection if a kept-alive one
// turns out to be stale; the clock then starts again. It is shared with the transport's goroutine that writes, hence
// the lock. obs hears of Sent under that lock, so never at the same time as of anything else.
type attempt struct {
	clock  record.Clock
	obs    record.Observer
	beat   func() // feeds the watchdog
	shared bool   // HTTP/2 without TLS

	mu       sync.Mutex
	conn     *conn          // nil: HTTP/2, or a connection that is not ours
	before   record.Instant // just before the round trip
	sent     record.Instant // t0
	told     bool           // obs has heard of sent
	conns    int            // connections that the request was put on
	reused   bool           // the latest of them had served or waited before
	connect  time.Duration
	answered bool // a byte of the answer has come
	over     bool
}

// trace returns the hooks that net/http calls.
func (a *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn:              a.gotConn,
		GotFirstResponseByte: a.firstByte,
	}
}

func (a *attempt) gotConn(info httptrace.GotConnInfo) {
	c := stamped(info.Conn)
	if a.shared || isHTTP2(info) {
		c = nil // shared by many requests, so its stamps are nobody's
	}
	a.got(c, info.Reused)
}

// got hears of the connection that the request is put on: nil if it is not ours.
func (a *attempt) got(c *conn, reused bool) {
	a.beat()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conns++
	a.sent, a.told, a.connect = 0, false, 0
	if a.conn != nil {
		a.conn.bound.CompareAndSwap(a, nil)
	}
	a.conn = c
	a.reused = reused || c != nil && c.spare
	if c == nil {
		a.sent = a.clock()
		a.tellLocked()
		return
	}
	if !reused {
		a.connect = c.connectTook()
	}
	c.busy.Store(true)
	c.bound.Store(a)
}

// isHTTP2 reports whether TLS settled on HTTP/2.
func isHTTP2(info httptrace.GotConnInfo) bool {
	secure, ok := info.Conn.(*tls.Conn)
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

func (a *attempt) firstByte() {
	a.mu.Lock()
	a.answered = true
	a.mu.Unlock()
}

// stamp sets t0: c is about to write the request's first byte.
func (a *attempt) stamp(c *conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.bound.CompareAndSwap(a, nil)
	if a.conn == c && a.sent == 0 && !a.over {
		a.sent = a.clock()
	}
}

// tell lets the observer hear of t0, after the write so that hearing costs no latency.
func (a *attempt) tell() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tellLocked()
}

func (a *attempt) tellLocked() {
	if a.sent != 0 && !a.told && !a.over {
		a.told = true
		if a.obs != nil {
			a.obs.Sent(a.sent)
		}
	}
}

// finish ends the attempt, after the round trip, and writes what it found into the record. An answer whose request
// could not be stamped counts from just before the round trip.
func (a *attempt) finish(rec *record.Record, answered bool) (*conn, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if answered && a.sent == 0 {
		a.sent = a.before
	}
	a.tellLocked()
	a.over = true
	if a.conn != nil {
		a.conn.bound.CompareAndSwap(a, nil)
	}
	rec.Sent = a.sent
	rec.Connect = a.connect
	reconnects := max(a.conns-1, 0)
	rec.Retried = rec.Retried || reconnects > 0
	return a.conn, reconnects
}

// staleWithin is how soon after t0 a stale connection breaks: the server has closed it already, so a round trip tells,
// and a client that wakes up late. One that breaks later broke over the request, and that is a failure.
const staleWithin = time.Second

// stale reports whether err means that a kept-alive connection had been closed by the server before it saw the request.
func (a *attempt) stale(err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	hungUp := disconnected(err) || a.conn != nil && a.conn.gone.Load()
	if !a.reused || a.answered || !hungUp {
		return false
	}
	after, sent := a.clock().Since(a.sent)
	return !sent || after <= staleWithin
}

// disconnected reports whether the other side has hung up, or net/http has closed the connection because of that while
// it was being written to.
func disconnected(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED)
}
