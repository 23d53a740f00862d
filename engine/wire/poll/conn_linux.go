// A connection that a Poller watches: reads that wait for it, and what else net.Conn promises.

package poll

import (
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

// Conn is a TCP connection. Its methods may be called concurrently.
type Conn struct {
	poller        *Poller
	local, remote net.Addr
	slot          int32
	told          uint32 // what the kernel last told of it; of the Poller's goroutine

	reading, writing sync.Mutex // one at a time
	watching         sync.Mutex // held while what Watch began makes a step

	mu      sync.Mutex
	fd      int    // -1: closed
	ready   bool   // there may be something to read
	ends    bool   // the other side has closed it, or it has failed: there is always something to read
	expired bool   // the read deadline has passed
	waiting waiter // who waits for something to read
	wake    chan struct{}

	// Of whoever reads in steps.
	stepping bool // reads do not wait, see Run
	over     bool // it is over
	here     bool // the Poller makes the step
	calls    int  // system calls in it

	readBy  *time.Timer // the read deadline; nil: none
	sets    int         // how often that was set
	writeBy time.Time   // the write deadline
	writer  *os.File    // a write that waits

	due    record.Instant // when the Poller was to look at what came last; 0: at once
	latest record.Instant // when that which was read last arrived
	gap    atomic.Int64   // nanoseconds that usually pass between arrivals; 0: not known
}

// waiter is a goroutine that waits for a connection's wake, or what the Poller is to do instead, or nobody.
type waiter struct {
	goroutine bool
	step      func() (over bool)
	alone     bool // nobody waits for its end
}

// idle reports whether a read has to wait. It is called with the lock held.
func (c *Conn) idle() bool { return c.fd >= 0 && !c.expired && !c.ready && !c.ends }

// take returns who waits, and nobody does any more. It is called with the lock held.
func (c *Conn) take() waiter {
	who := c.waiting
	c.waiting = waiter{}
	return who
}

// came has whoever waits go on, in the Poller's goroutine: something has come.
func (c *Conn) came(due record.Instant) {
	c.mu.Lock()
	c.ready, c.due = true, due
	c.ends = c.ends || c.told&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0
	who := c.waiting
	if !who.alone {
		c.take()
	}
	c.mu.Unlock()
	switch {
	case who.alone:
		c.look()
	case who.step != nil:
		c.advance(who.step)
	case who.goroutine:
		c.wake <- struct{}{}
	}
}

// interrupt has whoever waits look again: the connection was closed, or the deadline has passed. It is called with the lock held.
func (c *Conn) interrupt() {
	if who := c.take(); who.goroutine || who.step != nil && !who.alone {
		c.wake <- struct{}{}
	}
}

// receive calls f with the descriptor when there may be something to read, until f is done. See SyscallConn.
func (c *Conn) receive(f func(fd uintptr) (done bool)) error {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		done, waits, err := c.try(f)
		if done || err != nil {
			return err
		}
		if waits {
			<-c.wake
		}
	}
}

// try calls f, unless there is nothing to read, for which the goroutine has to wait, unless it reads in steps.
func (c *Conn) try(f func(fd uintptr) (done bool)) (done, waits bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.fd < 0:
		return false, false, net.ErrClosed
	case c.expired:
		return false, false, os.ErrDeadlineExceeded
	case (c.ready || c.ends) && (!c.stepping || c.reads()):
		c.ready = false
		if done = f(uintptr(c.fd)); !done {
			c.ready, c.ends = false, false // there was nothing, whatever had been told
		}
		return done, false, nil
	case c.stepping:
		return false, false, ErrWait
	}
	c.waiting.goroutine = true
	return false, true, nil
}

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, c.control("read", func(int) error { return nil })
	}
	var failure error
	err = c.receive(func(fd uintptr) bool {
		for n, failure = unix.Read(int(fd), p); failure == unix.EINTR; {
			n, failure = unix.Read(int(fd), p)
		}
		if n == len(p) || failure != nil {
			c.More()
		}
		return failure != unix.EAGAIN
	})
	switch {
	case err == ErrWait:
		return 0, err
	case err != nil:
		return 0, c.wrap("read", err)
	case failure != nil:
		return 0, c.wrap("read", os.NewSyscallError("read", failure))
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// wrap makes an error what net.TCPConn would have returned.
func (c *Conn) wrap(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return c.wrap("close", net.ErrClosed)
	}
	c.poller.remove(c)
	err := unix.Close(c.fd)
	c.fd = -1
	if c.readBy != nil {
		c.readBy.Stop()
	}
	if c.writer != nil {
		_ = c.writer.Close() // which ends that write
	}
	c.interrupt()
	if err != nil {
		return c.wrap("close", os.NewSyscallError("close", err))
	}
	return nil
}

// SetLinger is that of net.TCPConn.
func (c *Conn) SetLinger(seconds int) error {
	linger := unix.Linger{Onoff: 1, Linger: int32(seconds)}
	if seconds < 0 {
		linger = unix.Linger{}
	}
	return c.control("set", func(fd int) error { return unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &linger) })
}

// CloseWrite is that of net.TCPConn: the other side reads to the end of what was sent.
func (c *Conn) CloseWrite() error {
	return c.control("close", func(fd int) error { return unix.Shutdown(fd, unix.SHUT_WR) })
}

func (c *Conn) control(op string, f func(fd int) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return c.wrap(op, net.ErrClosed)
	}
	if err := f(c.fd); err != nil {
		return c.wrap(op, err)
	}
	return nil
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }
