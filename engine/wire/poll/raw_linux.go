// Reading by system calls of one's own.

package poll

import (
	"net"
	"syscall"
	"time"

	"tokdyno/engine/record"
)

// SyscallConn gives the descriptor to those who read it by a system call of their own. A read that is done is understood to have
// taken all that was there, unless it says otherwise by More.
func (c *Conn) SyscallConn() (syscall.RawConn, error) { return rawConn{c}, nil }

// More notes that there may be more to read: the read got as much as it had room for, or an error. It is for functions that were
// given the descriptor to read from, and for nobody else.
func (c *Conn) More() { c.ready = true }

// Arrived notes when what was read last had arrived, which tells how often something comes. It returns the instant at which the
// Poller was to look at it, having let it lie until then on purpose; 0: it was to look at once.
func (c *Conn) Arrived(at record.Instant) (due record.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.latest != 0 && at > c.latest {
		gap, usual := int64(at-c.latest), c.gap.Load()
		if usual == 0 {
			usual = gap
		}
		c.gap.Store(usual + (min(gap, 2*usual)-usual)/8) // a pause, or the time to the next first token, is not usual
	}
	c.latest = at
	return c.due
}

// usualGap is the time that usually passes between arrivals; 0: it is not known.
func (c *Conn) usualGap() time.Duration { return time.Duration(c.gap.Load()) }

// Merged tells of some chunks how many were read with one before them that had come in another segment. Where that was because
// the Poller let them lie, it will do so for a shorter time.
func (c *Conn) Merged(merged, chunks int) { c.poller.merged(merged, chunks) }

// rawConn is a connection's descriptor.
type rawConn struct{ c *Conn }

// Control implements syscall.RawConn.
func (r rawConn) Control(f func(fd uintptr)) error {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	if r.c.fd < 0 {
		return net.ErrClosed
	}
	f(uintptr(r.c.fd))
	return nil
}

// Read implements syscall.RawConn.
func (r rawConn) Read(f func(fd uintptr) (done bool)) error { return r.c.receive(f) }

// Write implements syscall.RawConn, but for that it does not wait.
func (r rawConn) Write(f func(fd uintptr) (done bool)) error {
	return r.Control(func(fd uintptr) { f(fd) })
}
