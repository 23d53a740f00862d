// Connections that say when a request's first byte went out and when the latest byte came in.

package wire

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
)

// conn is a connection with stamps. Embedding the interface, not the TCP connection, keeps net/http from going round
// Write by way of ReadFrom.
type conn struct {
	net.Conn
	in     stamper
	clock  record.Clock
	dialed record.Instant          // when the dial began
	ready  atomic.Int64            // when the dial, or the last write of the handshakes, ended
	bound  atomic.Pointer[attempt] // whose first write is waited for
	busy   atomic.Bool             // a request was put on it whose answer has not come to its end
	gone   atomic.Bool             // the other side has hung up, whatever net/http calls that

	mu     sync.Mutex // net/http may look ahead for the next answer while this one's last bytes are being taken
	latest stamp      // of the latest read
}

func (c *conn) Read(p []byte) (int, error) {
	n, s, err := c.in.readStamped(p)
	if n > 0 {
		c.mu.Lock()
		c.latest = s
		c.mu.Unlock()
	}
	if err != nil && !errors.Is(err, net.ErrClosed) && disconnected(err) {
		c.gone.Store(true)
	}
	return n, err
}

// stamp is that of the latest bytes that were read.
func (c *conn) stamp() stamp {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest
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

// Close closes the connection: amid an answer by a reset. The server notices that at once, and the local port is free for
// another connection without a minute in TIME_WAIT, in which thousands of requests cut short would use up all ports.
func (c *conn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.busy.Load() {
		_ = tcp.SetLinger(0) // a connection that is closed in the common way is closed too
	}
	return c.Conn.Close()
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

	unstamped atomic.Bool // the kernel does not stamp: connections are not asked for it any more
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
	c := &conn{Conn: inner, in: d.stamper(inner), clock: d.clock, dialed: began}
	c.ready.Store(int64(d.clock()))
	return c, nil
}

// stamper chooses how a connection's reads are stamped.
func (d *dialer) stamper(inner net.Conn) stamper {
	if tcp, ok := inner.(*net.TCPConn); ok && !d.unstamped.Load() {
		k, err := newKernelStamps(tcp, d.clock)
		if err == nil {
			return k
		}
		if errors.Is(err, errNoKernelStamps) {
			d.unstamped.Store(true)
		}
	}
	return &returnStamps{Conn: inner, clock: d.clock}
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
