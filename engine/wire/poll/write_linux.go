// Writes, which seldom have to wait.

package poll

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Write implements net.Conn. A write that has to wait does so by a duplicate of the descriptor in Go's poller, which gets up for
// it at once: what is sent is part of what is measured.
func (c *Conn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	n := 0
	for {
		m, err := c.send(p[n:])
		n += max(m, 0)
		switch {
		case err == nil && n == len(p):
			return n, nil
		case err == nil, errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EAGAIN):
			m, err := c.sendWaiting(p[n:])
			return n + m, err
		default:
			return n, c.wrap("write", err)
		}
	}
}

// send writes what there is room for.
func (c *Conn) send(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return 0, net.ErrClosed
	}
	if !c.writeBy.IsZero() && !time.Now().Before(c.writeBy) {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := syscall.Write(c.fd, p) // not that of package unix: the race detector would not see that what is sent is received
	if err != nil && err != syscall.EAGAIN && err != syscall.EINTR {
		err = os.NewSyscallError("write", err)
	}
	return n, err
}

// sendWaiting writes all, and waits where there is no room.
func (c *Conn) sendWaiting(p []byte) (int, error) {
	w, err := c.duplicate()
	if err != nil {
		return 0, c.wrap("write", err)
	}
	n, err := w.Write(p)
	c.mu.Lock()
	c.writer = nil
	c.mu.Unlock()
	_ = w.Close() // a duplicate, which may be closed already
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, os.ErrClosed) {
		err = net.ErrClosed
	}
	if err != nil {
		return n, c.wrap("write", err)
	}
	return n, nil
}

// duplicate puts a duplicate of the descriptor into Go's poller, as the write that waits.
func (c *Conn) duplicate() (*os.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return nil, net.ErrClosed
	}
	fd, err := unix.FcntlInt(uintptr(c.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("the connection's descriptor: %w", err)
	}
	w := os.NewFile(uintptr(fd), "tcp")
	if err := w.SetWriteDeadline(c.writeBy); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	c.writer = w
	return w, nil
}
