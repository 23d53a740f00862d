// When bytes arrived, and how well that is known.

package wire

import (
	"errors"
	"net"
	"syscall"
	"time"

	"tokdyno/engine/record"
)

// stamp says when the bytes of a read arrived.
type stamp struct {
	at     record.Instant // arrival of the last of them
	lag    time.Duration  // from then, or the tick it was to be read at, to the read's return; 0 unless the kernel's stamp is known
	kernel bool           // at is the kernel's receive time, else the return of the read
	burst  uint64         // bytes of one source with the same number arrived together; from 1
}

// stamper reads from a connection and tells when the bytes arrived.
type stamper interface {
	// readStamped is net.Conn's Read with the arrival, which holds if n > 0.
	readStamped(p []byte) (n int, s stamp, err error)
}

// returnStamps stamps at the return of the read. It is not for concurrent use.
type returnStamps struct {
	net.Conn
	clock  record.Clock
	bursts uint64
}

func (r *returnStamps) readStamped(p []byte) (int, stamp, error) {
	n, err := r.Read(p)
	s := stamp{at: r.clock()}
	if n > 0 {
		r.bursts++
		s.burst = r.bursts
	}
	return n, s, err
}

// descriptorConn is a connection with a descriptor.
type descriptorConn interface {
	net.Conn
	syscall.Conn
}

// errNoKernelStamps says that the system does not tell when it received a segment.
var errNoKernelStamps = errors.New("the system does not stamp what it receives")
