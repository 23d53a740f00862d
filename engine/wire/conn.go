// Connections that say when a request's first byte went out and when the latest byte came in.

package wire

import (
	"context"
	"net"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
)

// stamper reads from a connection and tells when the bytes arrived. The one here tells when the read returned; another
// may tell when the kernel received them.
type stamper interface {
	readStamped(p []byte) (n int, at record.Instant, err error)
}

// returnStamps stamps at the return of the read.
type returnStamps struct {
	net.Conn
	clock record.Clock
}

func (s returnStamps) readStamped(p []byte) (int, record.Instant, error) {
	n, err := s.Read(p)
	return n, s.clock(), err
}

// conn is a connection with stamps. Embedding the interface, not the TCP connection, keeps net/http from going round
// Write by way of ReadFrom.
type conn struct {
	net.Conn
	in      stamper
	clock   record.Clock
	dialed  record.Instant          // when the dial began
	ready   atomic.Int64            // when the dial, or the last write of the handshakes, ended
	bound   atomic.Pointer[attempt] // whose first write is waited for
	arrived atomic.Int64            // the latest read
}

func (c *conn) Read(p []byte) (int, error) {
	n, at, err := c.in.readStamped(p)
	if n > 0 {
		c.arrived.Store(int64(at))
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	a := c.bound.Load()
	if a == nil {
		// A handshake, or the rest of a long body: then it does no harm.
		n, err := c.Conn.Write(p)
		c.ready.Store(int64(c.clock()))
		return n, err
	}
	a.stamp(c)
	n, err := c.Conn.Write(p)
	a.tell()
	return n, err
}

// connectTook is how long DNS, connect and handshakes took.
func (c *conn) connectTook() time.Duration {
	return time.Duration(record.Instant(c.ready.Load()) - c.dialed)
}

// dialer makes connections with stamps.
type dialer struct {
	net    net.Dialer
	clock  record.Clock
	closed context.Context // ends dials that outlive their request when the client is closed
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.closed, cancel)()
	began := d.clock()
	inner, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, in: returnStamps{inner, d.clock}, clock: d.clock, dialed: began}
	c.ready.Store(int64(d.clock()))
	return c, nil
}

// stamped finds our connection below TLS; nil if there is none.
func stamped(c net.Conn) *conn {
	for c != nil {
		if ours, ok := c.(*conn); ok {
			return ours
		}
		wrapped, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return nil
		}
		c = wrapped.NetConn()
	}
	return nil
}
