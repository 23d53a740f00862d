// Systems whose kernels do not stamp what they receive: there are no such connections.

//go:build !linux

package poll

import (
	"errors"
	"net"
	"time"

	"tokdyno/engine/record"
)

// Poller watches no connections here.
type Poller struct{}

// New returns a Poller.
func New(record.Clock) *Poller { return &Poller{} }

// Fix does nothing.
func (*Poller) Fix(time.Duration) {}

// Close does nothing.
func (*Poller) Close() {}

// Adopt always fails.
func (*Poller) Adopt(*net.TCPConn) (*Conn, error) { return nil, errors.ErrUnsupported }

// Conn is a connection that a Poller watches. There is none.
type Conn struct{ net.Conn }

// Run calls f.
func (*Conn) Run(f func()) { f() }

// Leave does nothing.
func (*Conn) Leave() {}

// Merged does nothing.
func (*Conn) Merged(_, _ int) {}
