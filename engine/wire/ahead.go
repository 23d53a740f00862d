// New connections for endpoints that close theirs after each answer, opened before they are needed.

package wire

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// closedSoon is how soon after an answer's end a connection is closed by a server that means to close it after each. One
	// that drops idle connections waits for seconds.
	closedSoon = time.Second
	// closesInARow is how many answers in a row end so before it is believed.
	closesInARow = 3
	// Connections that wait are few, for servers hold a thread for each, and young, for servers drop those that say nothing.
	requestsPerSpare = 8
	mostSpares       = 16
)

// closing learns whether an endpoint closes connections after each answer, though it promised to keep them.
type closing struct {
	row    atomic.Int64 // closes since a connection was last used again
	all    atomic.Int64
	always atomic.Bool // it is believed
}

// closed notes that a connection was closed right after an answer.
func (c *closing) closed() {
	c.all.Add(1)
	if c.row.Add(1) >= closesInARow {
		c.always.Store(true)
	}
}

// kept notes that a connection has brought another answer.
func (c *closing) kept() { c.row.Store(0) }

// spares are connections that no request was put on yet.
type spares struct {
	mu      sync.Mutex
	ready   []*spare
	dialing int
	over    bool
	running sync.WaitGroup // the dials
}

// spare is one of them.
type spare struct {
	conn             *conn
	network, address string
	drop             *time.Timer
}

// anewKey is the context's key of a request that wants a connection which nobody could have closed yet.
type anewKey struct{}

// anew asks for a connection that is dialed at once.
func anew(ctx context.Context) context.Context { return context.WithValue(ctx, anewKey{}, true) }

// ahead returns a connection that was opened ahead, and has the next one opened; nil where there is none.
func (d *dialer) ahead(ctx context.Context, network, address string) *conn {
	if !d.closing.always.Load() || ctx.Value(anewKey{}) != nil {
		return nil
	}
	d.spares.mu.Lock()
	defer d.spares.mu.Unlock()
	var found *conn
	if i := slices.IndexFunc(d.spares.ready, func(s *spare) bool { return s.network == network && s.address == address }); i >= 0 {
		s := d.spares.ready[i]
		s.drop.Stop()
		d.spares.ready = slices.Delete(d.spares.ready, i, i+1)
		found = s.conn
		found.spare = true
		found.dialed = d.clock() // what is waited for from now on is a handshake at most
		found.ready.Store(int64(found.dialed))
	}
	d.fillLocked(network, address)
	return found
}

// fillLocked has connections opened until there are enough.
func (d *dialer) fillLocked(network, address string) {
	for ; !d.spares.over && len(d.spares.ready)+d.spares.dialing < d.enough; d.spares.dialing++ {
		d.spares.running.Go(func() {
			c, err := d.open(d.closed, network, address)
			d.spares.mu.Lock()
			defer d.spares.mu.Unlock()
			switch d.spares.dialing--; {
			case err != nil: // the request that needs one will say why
			case d.spares.over:
				_ = c.Close() // nobody has used it
			default:
				s := &spare{conn: c, network: network, address: address}
				s.drop = time.AfterFunc(keepAlive, func() { d.dropSpare(s) })
				d.spares.ready = append(d.spares.ready, s)
			}
		})
	}
}

// dropSpare closes a connection that nobody needed in time, before the server does.
func (d *dialer) dropSpare(s *spare) {
	d.spares.mu.Lock()
	defer d.spares.mu.Unlock()
	if i := slices.Index(d.spares.ready, s); i >= 0 {
		d.spares.ready = slices.Delete(d.spares.ready, i, i+1)
		_ = s.conn.Close()
	}
}

// dropSpares closes all of them, and waits for those that are being opened.
func (d *dialer) dropSpares() {
	d.spares.mu.Lock()
	d.spares.over = true
	for _, s := range d.spares.ready {
		s.drop.Stop()
		_ = s.conn.Close()
	}
	d.spares.ready = nil
	d.spares.mu.Unlock()
	d.spares.running.Wait()
}

// ClosedAfterAnswer is how many connections the server closed right after an answer, though it had promised to keep them.
// After some in a row each request gets a new connection, and the number grows no more.
func (c *Client) ClosedAfterAnswer() int64 { return c.dialer.closing.all.Load() }
