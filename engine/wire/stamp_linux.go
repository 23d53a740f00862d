// Arrival stamps by the kernel.

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

const (
	// maxLag is the longest lag that is believed. More, or less than none, means that the wall clock was set between
	// the kernel's look at it and ours.
	maxLag = 10 * time.Second

	maxRead     = 1 << 30 // bytes a system call, as in package net
	controlSize = 64      // one control message with a timespec, with room to spare
)

// kernelStamps reads from a TCP connection by recvmsg, for the receive time of the last segment that a read returns
// (SO_TIMESTAMPNS). In all else a read is as the connection's own.
type kernelStamps struct {
	net.Conn
	raw     syscall.RawConn
	polled  *poll.Conn // the same connection; nil: it is in Go's poller
	clock   record.Clock
	wall    func() time.Time
	receive func(fd uintptr) bool // recv; made once, for a method value is allocated

	mu      sync.Mutex // one read at a time, which the connection would see to by itself
	into    []byte
	n       int
	errno   unix.Errno
	stamped int64 // the kernel's stamp of what was received; 0: it had none
	last    stamp
	segment int64 // the kernel's stamp of the last read
}

// newKernelStamps asks the kernel to stamp what comes in on a connection. The error says that it will not.
func newKernelStamps(c descriptorConn, clock record.Clock) (stamper, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("the connection has no descriptor: %w", err)
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if err != nil {
		return nil, fmt.Errorf("the connection is gone: %w", err)
	}
	if refused != nil {
		return nil, fmt.Errorf("%w: %w", errNoKernelStamps, refused)
	}
	k := &kernelStamps{Conn: c, raw: raw, clock: clock, wall: time.Now}
	k.polled, _ = c.(*poll.Conn)
	k.receive = k.recv
	return k, nil
}

func (k *kernelStamps) readStamped(p []byte) (int, stamp, error) {
	if len(p) == 0 {
		n, err := k.Read(p) // which does not touch the descriptor, so that it cannot be mistaken for an end
		return n, stamp{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.into = p[:min(len(p), maxRead)]
	err := k.raw.Read(k.receive)
	k.into = nil
	switch {
	case err == poll.ErrWait:
		return 0, stamp{}, err
	case err != nil:
		return 0, stamp{}, k.wrap(bare(err))
	case k.errno != 0:
		return 0, stamp{}, k.wrap(os.NewSyscallError("read", k.errno))
	case k.n == 0:
		return 0, stamp{}, io.EOF
	}
	k.last = k.arrival()
	return k.n, k.last, nil
}

// dataSegments is the number of segments with data that the connection has received (tcpi_data_segs_in, Linux 4.6); -1: not
// known. An answer that was written chunk by chunk comes in as many of them, whenever it is read.
func (k *kernelStamps) dataSegments() int {
	n := -1
	err := k.raw.Control(func(fd uintptr) {
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil && info.Data_segs_in > 0 {
			n = int(info.Data_segs_in)
		}
	})
	if err != nil {
		return -1
	}
	return n
}

// recv receives once; false if nothing is there yet. The system call is made by hand, for unix.Recvmsg allocates space
// for an address each time, and a TCP segment has none. It does not wait, so the runtime is not told of it: that would get a
// thread of the scheduler up, which costs more than the call. What the call needs is on the stack, which is in the processor's
// cache, as what belongs to one of many connections is not.
func (k *kernelStamps) recv(fd uintptr) bool {
	for {
		var control [controlSize]byte
		into := unix.Iovec{Base: &k.into[0]}
		into.SetLen(len(k.into))
		message := unix.Msghdr{Iov: &into, Control: &control[0]}
		message.SetIovlen(1)
		message.SetControllen(len(control))
		n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&message)), unix.MSG_DONTWAIT) //nolint:gosec // as above
		if errno == unix.EINTR {
			continue
		}
		k.n, k.errno = int(n), errno
		if errno == unix.EAGAIN {
			return false
		}
		k.stamped = 0
		if errno == 0 {
			k.stamped = timestamp(control[:message.Controllen])
		}
		if k.polled != nil && (errno != 0 || k.n == len(k.into)) {
			k.polled.More()
		}
		return true
	}
}

// arrival stamps the read that has just returned. The kernel's stamp is on the wall clock, which may be set at any time,
// and instants are on the monotonic one. So what counts is how long ago the kernel's stamp was, both clocks being read now:
//
//	lag = wall − segment, arrival = monotonic − lag
//
// Bytes of a segment that was read in part before came with those.
func (k *kernelStamps) arrival() stamp {
	wall := k.wall() // first, so that an interruption between the two can't make an arrival earlier than it was
	at := k.clock()
	segment := k.stamped
	same := segment != 0 && segment == k.segment
	k.segment = segment
	if same {
		s := k.last
		if s.kernel {
			s.lag = k.lateness(at, s.at)
		}
		return s
	}
	s := stamp{at: at, burst: k.last.burst + 1}
	if lag := time.Duration(wall.UnixNano() - segment); segment != 0 && lag >= 0 && lag <= maxLag {
		// Nothing comes before what came before it, whatever was done to the clock between them.
		s.at = max(at.Add(-lag), k.last.at)
		s.lag = k.lateness(at, s.at)
		s.kernel = true
	}
	return s
}

// lateness is how much later than it was to be what has arrived is read. That the poller let it lie until a tick is no lateness.
func (k *kernelStamps) lateness(read, arrival record.Instant) time.Duration {
	if k.polled != nil {
		arrival = max(arrival, k.polled.Arrived(arrival))
	}
	return max(0, time.Duration(read-arrival))
}

// timestamp finds the kernel's stamp among control messages, in nanoseconds of Unix time; 0 if there is none.
func timestamp(control []byte) int64 {
	for len(control) >= unix.CmsgLen(0) {
		header, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return 0
		}
		if header.Level == unix.SOL_SOCKET && header.Type == unix.SCM_TIMESTAMPNS {
			return timespec(data)
		}
		control = rest
	}
	return 0
}

// timespec reads the kernel's struct timespec, whose fields are as wide as its long.
func timespec(data []byte) int64 {
	switch {
	case len(data) >= 16:
		return int64(binary.NativeEndian.Uint64(data))*1e9 + int64(binary.NativeEndian.Uint64(data[8:]))
	case len(data) >= 8:
		return int64(int32(binary.NativeEndian.Uint32(data)))*1e9 + int64(binary.NativeEndian.Uint32(data[4:]))
	}
	return 0
}

// wrap makes an error what net.Conn's Read would have returned.
func (k *kernelStamps) wrap(err error) error {
	local := k.LocalAddr()
	network := "tcp"
	if local != nil {
		network = local.Network()
	}
	return &net.OpError{Op: "read", Net: network, Source: local, Addr: k.RemoteAddr(), Err: err}
}

// bare takes the wrapping of a raw read off an error.
func bare(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
