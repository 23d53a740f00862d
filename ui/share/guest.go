// This file is a connection, which has little time to say who it is.

package share

import (
	"maps"
	"net"
	"slices"
	"time"

	"github.com/charmbracelet/ssh"
)

const (
	mostConnections = 64               // with those who have not said yet who they are
	patience        = 20 * time.Second // until a connection has a console
)

// guest is a connection. Its deadline is its own: the server would take it away with the first byte.
type guest struct {
	net.Conn
	of *Server
}

// SetDeadline does nothing.
func (*guest) SetDeadline(time.Time) error { return nil }

// Close closes it.
func (g *guest) Close() error {
	g.of.mu.Lock()
	delete(g.of.connections, g)
	g.of.mu.Unlock()
	return g.Conn.Close()
}

// guestKey is under what a session knows its connection.
type guestKey struct{}

// welcome takes a connection, unless there are too many or the server is closed.
func (s *Server) welcome(ctx ssh.Context, c net.Conn) net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.connections) >= mostConnections || s.open.Err() != nil || c.SetDeadline(time.Now().Add(patience)) != nil {
		return nil
	}
	g := &guest{c, s}
	s.connections[g] = true
	ctx.SetValue(guestKey{}, g)
	return g
}

// atHome lets a connection stay as long as it likes.
func atHome(ctx ssh.Context) error {
	return ctx.Value(guestKey{}).(*guest).Conn.SetDeadline(time.Time{})
}

// showOut closes all connections.
func (s *Server) showOut() {
	s.mu.Lock()
	all := slices.Collect(maps.Keys(s.connections))
	s.mu.Unlock()
	for _, g := range all {
		_ = g.Close() // it may be closed already
	}
}
