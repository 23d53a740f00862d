// Connections that say when a request's first byte went out and when the latest byte came in.

package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

// conn is a connection with stamps. Embedding the interface, not the TCP connection, keeps net/http from going round
// Write by way of ReadFrom.
type conn struct {
	net.Conn
	in     stamper
	polled *poll.Conn // is Conn; nil: that is in Go's poller
	clock  record.Clock
	dialed record.Instant          // when the dial began
	ready  atomic.Int64            // when the dial, or the last write of the handshakes, ended
	bound  atomic.Pointer[attempt] // whose first write is waited for
	busy   atomic.Bool             // a request was put on it whose answer has not come to its end
	gone   atomic.Bool             // the other side has hung up, whatever net/http calls that
	spare  bool                    // it was opened ahead, and has waited: it may be stale though it is new

	mu      sync.Mutex // net/http may look ahead for the next answer while this one's last bytes are being taken
	latest  stamp      // of the latest read
	counted int        // segments in which data had come when that was last asked, or at first; -1: not known
	bursts  uint64     // that had come then
	ended   record.Instant
	lost    record.Instant
	again   bool     // it has brought several answers
	closing *closing // learns of answers' ends, when ended, and hang-ups, when lost; nil: nobody does
}

func (c *conn) Read(p []byte) (int, error) {
	n, s, err := c.in.readStamped(p)
	if err == poll.ErrWait {
		return 0, err
	}
	if n > 0 {
		c.mu.Lock()
		c.latest = s
		if c.ended != 0 {
			c.ended, c.again = 0, true
			c.closing.kept()
		}
		c.mu.Unlock()
	}
	if err != nil && !errors.Is(err, net.ErrClosed) && disconnected(err) && c.gone.CompareAndSwap(false, true) {
		c.mu.Lock()
		c.lost = c.clock()
		c.weigh()
		c.mu.Unlock()
	}
	return n, err
}

// answered notes that an answer has come to its end, and returns when that had arrived.
func (c *conn) answered() record.Instant {
	c.busy.Store(false)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing != nil {
		c.ended = c.clock()
		c.weigh()
	}
	return c.latest.at
}

// segmentBytes is how many bytes of data a segment has on most networks.
const segmentBytes = 1400

// brought is the number of segments in which an answer of so many bytes has come, its token events in so many reads, beyond those that its header and its bytes
// fill, and at least 1; 0: not known, or its chunks did not come together, so that it is not of interest. merged is how many of its
// chunks were read with an earlier one that had come in another segment; -1: not known. It is asked for once an answer, at its end.
func (c *conn) brought(a *record.Arrivals, reads int, bytes int64) (n, merged int) {
	c.mu.Lock() // the next request may be on its way already, if the end came with the last token
	defer c.mu.Unlock()
	before, bursts := c.counted, int(c.latest.burst-c.bursts)
	c.counted, c.bursts = -1, c.latest.burst
	counter, ok := c.in.(interface{ dataSegments() int })
	if !ok || !a.Together() && c.polled == nil {
		return 0, -1
	}
	if c.counted = counter.dataSegments(); before < 0 || c.counted < before {
		return 0, -1
	}
	segments := c.counted - before
	merged = min(max(segments-bursts, 0), a.Events-reads)
	if c.polled != nil {
		c.polled.Merged(merged, a.Events)
	}
	if !a.Together() {
		return 0, merged
	}
	return max(segments-int(bytes/segmentBytes)-1, 1), merged
}

// unpromised notes that the server does not mean to keep the connection, and says so: nothing is learned from its end.
func (c *conn) unpromised() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing, c.ended = nil, 0
}

// weigh counts a connection that was closed right after its first answer's end, in whichever order the two are seen. One that
// had been kept before was closed for another reason: the server goes down, and takes all of them with it.
func (c *conn) weigh() {
	if !c.again && c.ended != 0 && c.lost != 0 && c.lost < c.ended.Add(closedSoon) {
		c.closing.closed()
	}
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
	if tcp, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok && c.busy.Load() {
		_ = tcp.SetLinger(0) // a connection that is closed in the common way is closed too
	}
	return c.Conn.Close()
}

// connectTook is how long DNS, connect and handshakes took; of a connection that was opened ahead, what was left of that.
func (c *conn) connectTook() time.Duration {
	return time.Duration(record.Instant(c.ready.Load()) - c.dialed)
}

// dialer makes connections with stamps.
type dialer struct {
	net    net.Dialer
	clock  record.Clock
	closed context.Context // ends dials that outlive their request when the client is closed

	poller *poll.Poller // waits for connections with the kernel's stamps; nil: Go's poller does
	tls    *tls.Config  // of an endpoint that wants it; else nil

	unstamped atomic.Bool // the kernel does not stamp: connections are not asked for it any more

	closing closing
	enough  int // connections to be opened ahead where the server closes them
	spares  spares
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c := d.ahead(ctx, network, address); c != nil {
		return c, nil
	}
	c, err := d.open(ctx, network, address)
	if err != nil {
		return nil, err // not a connection that is nil
	}
	return c, nil
}

// open opens a connection.
func (d *dialer) open(ctx context.Context, network, address string) (*conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.closed, cancel)()
	began := d.clock()
	inner, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, in: d.stamper(inner), clock: d.clock, dialed: began, closing: &d.closing}
	if d.tls == nil {
		d.adopt(c)
	}
	c.ready.Store(int64(d.clock()))
	return c, nil
}

// errHandshake says that a handshake took too long.
var errHandshake = errors.New("TLS handshake timeout")

// dialTLS opens a connection for TLS. Its handshake is part of what is measured, so the poller is not to let it lie.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	inner, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := d.tls.Clone()
	if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
		config.ServerName = address
	}
	secure := tls.Client(inner, config)
	ctx, cancel := context.WithTimeoutCause(ctx, d.net.Timeout, errHandshake)
	defer cancel()
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = inner.Close() // nothing was sent on it
		return nil, cause(ctx, err)
	}
	if c, ok := inner.(*conn); ok {
		d.adopt(c)
	}
	return secure, nil
}

// adopt takes a connection with the kernel's stamps out of Go's poller. Nobody reads or writes it meanwhile.
func (d *dialer) adopt(c *conn) {
	tcp, ok := c.Conn.(*net.TCPConn)
	if _, unstamped := c.in.(*returnStamps); !ok || unstamped || d.poller == nil {
		return
	}
	if polled, err := d.poller.Adopt(tcp); err == nil { // else it stays where it is
		c.Conn, c.polled, c.in = polled, polled, d.stamper(polled)
	}
}

// stamper chooses how a connection's reads are stamped.
func (d *dialer) stamper(inner net.Conn) stamper {
	if tcp, ok := inner.(descriptorConn); ok && !d.unstamped.Load() {
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
