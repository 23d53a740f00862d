// The error of a read that would have to wait.

package poll

import "net"

// ErrWait says that there is nothing to read, to those who do not wait for it: see Conn.Run. It is a net.Error that is temporary,
// after which crypto/tls reads on.
var ErrWait net.Error = errWait{}

type errWait struct{}

// Error implements error.
func (errWait) Error() string { return "nothing to read yet" }

// Timeout implements net.Error.
func (errWait) Timeout() bool { return true }

// Temporary implements net.Error.
func (errWait) Temporary() bool { return true }
