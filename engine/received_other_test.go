//go:build !linux

// When a server received a request: here, when it read it.

package engine_test

import (
	"net"
	"time"
)

// receiver reads from a connection and knows when it read the latest bytes.
type receiver struct {
	net.Conn
	at time.Time
}

func newReceiver(c net.Conn) (*receiver, error) { return &receiver{Conn: c}, nil }

func (r *receiver) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.at = time.Now()
	return n, err
}
