// Connections: counted, so that Close can wait for them, and closed when faults say so.

package sim

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a client's connection.
type conn struct {
	net.Conn
	ending atomic.Bool // it is closed when the answer under way is complete

	mu   sync.Mutex
	idle *time.Timer // closes it; nil: it is at work, or may be idle for ever
}

// connListener accepts conns.
type connListener struct{ net.Listener }

// Accept implements net.Listener.
func (l connListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// connKey is the key of the context's value that is the *conn of a request.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// closeAfterAnswer makes the request's connection be closed once its answer is complete, while the headers promise to
// keep it alive.
func closeAfterAnswer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Keep-Alive", "timeout=5, max=100")
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.ending.Store(true)
	}
}

// connState lets Close wait for the connections' goroutines: the server reports every connection as new before it
// starts its goroutine, and as closed at that goroutine's end. It reports one as idle once an answer is written.
func (s *Server) connState(netConn net.Conn, state http.ConnState) {
	c, ours := netConn.(*conn)
	switch state {
	case http.StateNew:
		s.conns.Add(1)
		s.accepted.Add(1)
	case http.StateIdle:
		if ours {
			c.rest(s.Faults().IdleClose)
		}
	case http.StateActive:
		if ours {
			c.work()
		}
	case http.StateClosed, http.StateHijacked:
		if ours {
			c.work()
		}
		s.conns.Done()
	}
}

// rest begins the connection's idle time. net/http notices that it was closed and ends its goroutine.
func (c *conn) rest(limit time.Duration) {
	if c.ending.Load() {
		_ = c.Close() // the client sees it in any case
		return
	}
	if limit <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = time.AfterFunc(limit, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.idle != nil { // else a request came in the same moment, and is not to be cut short
			_ = c.Close()
		}
	})
}

// work ends the connection's idle time.
func (c *conn) work() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}
