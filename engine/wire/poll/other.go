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

// New returns nil: there is no Poller here.
func New(record.Clock) *Poller { return nil }

// Fix does nothing.
func (*Poller) Fix(time.Duration) {}

// Longest does nothing.
func (*Poller) Longest(time.Duration) {}

// Close does nothing.
func (*Poller) Close() {}

// Adopt always fails.
func (*Poller) Adopt(*net.TCPConn) (*Conn, error) { return nil, errors.ErrUnsupported }

// Conn is a connection that a Poller watches. There is none.
type Conn struct{ net.Conn }

// Run does nothing.
func (*Conn) Run(func() (over bool)) {}

// Watch does nothing.
func (*Conn) Watch(func() (over bool)) {}

// Unwatch does nothing.
func (*Conn) Unwatch() bool { return true }

// Merged does nothing.
func (*Conn) Merged(_, _ int) {}
