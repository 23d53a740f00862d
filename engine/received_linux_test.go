// When the kernel of a server received a request, which the server itself, if it is busy, learns later.

package engine_test

import (
	"encoding/binary"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// receiver reads from a connection and knows when the kernel received the latest bytes.
type receiver struct {
	raw syscall.RawConn
	at  time.Time
}

func newReceiver(c net.Conn) (*receiver, error) {
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		return nil, err
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if err == nil {
		err = refused
	}
	return &receiver{raw: raw}, err
}

func (r *receiver) Read(p []byte) (n int, err error) {
	var control [64]byte
	var filled int
	closed := r.raw.Read(func(fd uintptr) bool {
		n, filled, _, _, err = unix.Recvmsg(int(fd), p, control[:], 0)
		return err != unix.EAGAIN
	})
	switch {
	case closed != nil:
		return 0, closed
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	now := time.Now()
	messages, err := unix.ParseSocketControlMessage(control[:filled])
	if err != nil || len(messages) == 0 || len(messages[0].Data) < 16 {
		return n, err
	}
	seconds := int64(binary.NativeEndian.Uint64(messages[0].Data))
	nanoseconds := int64(binary.NativeEndian.Uint64(messages[0].Data[8:]))
	r.at = now.Add(-now.Round(0).Sub(time.Unix(seconds, nanoseconds)))
	return n, nil
}
